"""A customer and an admin, who do everything by the generated clients."""

import base64
import datetime
import hashlib
import hmac
import importlib
import json
import os
import re
import struct
import time
import urllib.parse
import urllib.request
import uuid

PASSWORD = "Correct-Horse-42"


def call(client, service: str, tag: str, operation: str, *arguments, **values):
    """One call by the generated function of an operation. It is made again while the service says that it is busy."""
    module = importlib.import_module(f"{service}.api.{tag.replace('-', '_')}.{operation}")
    if "idempotency_key" in module.sync_detailed.__annotations__:
        values["idempotency_key"] = uuid.uuid4().hex
    for attempt in range(6):
        answer = module.sync_detailed(*arguments, client=client, **values)
        if answer.status_code not in (429, 503):
            break
        time.sleep(1 + attempt)
    return answer


def model(service: str, name: str, values: dict):
    return getattr(importlib.import_module(f"{service}.models"), name).from_dict(values)


def client(service: str, token: str | None = None):
    module = importlib.import_module(service)
    settings = {"base_url": os.environ["SERAI_URL"], "timeout": 30, "headers": {"Accept-Language": "en"}}
    return module.Client(**settings) if token is None else module.AuthenticatedClient(token=token, **settings)


def received(kind: str, to: str, pattern: str) -> str:
    """The newest match in the messages that the sandbox has for somebody, as soon as there is one."""
    for _ in range(300):
        with urllib.request.urlopen(f"{os.environ['SERAI_SANDBOX_URL']}/sink/{kind}?to={urllib.parse.quote(to, safe='')}") as answer:
            found = [match.group(1) for item in json.load(answer)["items"] if (match := re.search(pattern, item["text"]))]
        if found:
            return found[-1]
        time.sleep(0.2)
    raise AssertionError(f"nothing has come to {to}")


def one_time_code(step: int) -> str:
    """Six digits of the admin's authenticator app (RFC 6238), of a step of 30 seconds."""
    secret = os.environ["SERAI_ADMIN_SECOND_FACTOR"]
    mac = hmac.new(base64.b32decode(secret + "=" * (-len(secret) % 8)), struct.pack(">Q", step), hashlib.sha1).digest()
    at = mac[-1] & 15
    return f"{(int.from_bytes(mac[at:at + 4], 'big') & 0x7FFFFFFF) % 1_000_000:06}"


def admin_token() -> str:
    anybody = client("identity")
    login = model("identity", "Login", {"login": os.environ["SERAI_ADMIN_LOGIN"], "password": os.environ["SERAI_ADMIN_PASSWORD"]})
    challenge = call(anybody, "identity", "sessions", "log_in", body=login).parsed.challenge
    for _ in range(100):
        # A code counts for one log-in, and those before it no more: the next one is taken, too.
        for step in (int(time.time()) // 30, int(time.time()) // 30 + 1):
            proof = model("identity", "ChallengeProof", {"challenge": challenge, "code": one_time_code(step)})
            answer = call(anybody, "identity", "sessions", "log_in_with_second_factor", body=proof)
            if answer.status_code == 201:
                return answer.parsed.access_token
        time.sleep(1)
    raise AssertionError(answer.content)


def customer_token(market: str) -> str:
    """Of a new customer, who is confirmed as the market confirms people: by a code or by a link."""
    anybody = client("identity")
    rules = call(anybody, "identity", "accounts", "read_registration_rules", market).parsed
    email, mobile = f"{uuid.uuid4().hex}@example.com", f"+8613{uuid.uuid4().int % 900_000_000 + 100_000_000}"
    form = {
        "market": market, "role": "customer", "name": "Ada Client", "email": email, "mobile": mobile, "password": PASSWORD,
        "language": "en", "terms": rules.terms.version, "birthDate": datetime.date(1990, 4, 12).isoformat(),
        "billingAddress": {"street": "7 Barrack Street", "city": "Perth", "postcode": "6000", "country": "AU"},
    }
    made = call(anybody, "identity", "accounts", "register", body=model("identity", "Registration", form))
    assert made.status_code == 201, made.content
    if rules.confirmation == "sms":
        proof = model("identity", "CodeProof", {"login": mobile, "code": received("sms", mobile, r"\b(\d{6})\b")})
        answer = call(anybody, "identity", "sessions", "confirm_account_by_code", body=proof)
    else:
        proof = model("identity", "LinkProof", {"token": received("mail", email, r"#token=([\w.~-]+)")})
        confirmed = call(anybody, "identity", "sessions", "confirm_account", body=proof)
        assert confirmed.status_code == 204, confirmed.content
        answer = call(anybody, "identity", "sessions", "log_in", body=model("identity", "Login", {"login": email, "password": PASSWORD}))
    assert answer.status_code == 201, answer.content
    return answer.parsed.access_token
