"""Q7, P9: what people trust the platform with stands in no log, no message and no table as it is. Asked last, of all that was done before."""

import os
import subprocess
import urllib.parse
from pathlib import Path

import pytest

from bench_rows import Database
from cast import PASSWORD
from town import CARD, IBAN

SERVICES = ["identity", "dispatch", "wallet", "notifications", "admin"]


@pytest.fixture(scope="module")
def secrets(town) -> dict[str, str]:
    spaced = " ".join(CARD[at:at + 4] for at in range(0, 16, 4))
    found = {"a card": CARD, "a card as people write it": spaced, "an IBAN": IBAN, "a password": PASSWORD, "a key": town.secret}
    for person in town.everybody:
        found |= {f"the e-mail address of {person.name}": person.email, f"the number of {person.name}": person.mobile,
                  f"the number of {person.name} without its plus": person.mobile[1:], f"the second factor of {person.name}": person.second_factor}
        found |= {f"a token of {person.name}": token for token in person.tokens}
        # Its middle and its signature: no log needs the first part to be of use.
        found |= {f"a part {at} of a token of {person.name}": part for token in person.tokens for at, part in enumerate(token.split(".")[1:])}
    return {what: text for what, text in found.items() if len(text) > 7}


def held(text: str, secrets: dict[str, str]) -> list[str]:
    """Which of them, never the text itself: what fails here is printed."""
    return [what for what, secret in secrets.items() if secret in text]


def test_logs(secrets):
    folder = Path(os.environ["SERAI_RUN"]) / "logs"
    files = [file for file in folder.glob("*.log") if file.stem.split("-")[0] in (*SERVICES, "caddy")]
    assert {file.stem.split("-")[0] for file in files} >= set(SERVICES)
    assert {file.name: found for file in files if (found := held(file.read_text(errors="replace"), secrets))} == {}


def test_no_log_has_a_token_of_anybody(secrets):
    """Also of those whom these tests do not know: a part of a token begins with `eyJ`."""
    folder = Path(os.environ["SERAI_RUN"]) / "logs"
    files = [file for file in folder.glob("*.log") if file.stem.split("-")[0] in (*SERVICES, "caddy")]
    assert [file.name for file in files if "eyJ" in file.read_text(errors="replace")] == []


def test_messages(tap, secrets):
    heard = tap.heard()
    assert len(heard) > 100, "all that was done was told of"
    assert sorted({found for message in heard for found in held(message, secrets)}) == []


def test_queues(tap, secrets):
    assert sorted({found for message in tap.waiting() for found in held(message, secrets)}) == []


@pytest.mark.parametrize("schema", SERVICES)
def test_tables(schema, secrets):
    """A copy of the database is worth nothing to who has no keys."""
    parts = urllib.parse.urlsplit(Database().url)
    variables = {"PGHOST": parts.hostname, "PGPORT": str(parts.port), "PGUSER": parts.username, "PGPASSWORD": parts.password, "PGDATABASE": "serai"}
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_dump"))
    done = subprocess.run([programs[-1] if programs else "pg_dump", "--data-only", "--schema", schema], env=os.environ | variables, capture_output=True, timeout=300)
    assert done.returncode == 0, done.stderr.decode()
    dump = done.stdout.decode(errors="replace")
    assert len(dump) > 1_000
    # Bytes are dumped as digits, in which a text is no text.
    as_digits = {what: text.encode().hex() for what, text in secrets.items()}
    assert held(dump, secrets) + held(dump, as_digits) == []
