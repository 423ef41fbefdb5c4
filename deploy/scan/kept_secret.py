"""What no image may hold: keys, tokens, and the secrets of this deployment. What is found is named, and never printed."""

import re
from pathlib import Path

# With its content behind it: libraries hold the heading alone.
PRIVATE_KEY = re.compile(rb"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s+(?:[A-Za-z-]+: [^\n]*\n)*\s*[A-Za-z0-9+/=]{40}")
# A part of a signed token begins so.
TOKEN = re.compile(rb"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,}")
SECRET_NAME = re.compile(r"(?:PASSWORD|PASSWD|SECRET|TOKEN|API_KEY|PRIVATE_KEY|ACCESS_KEY|_KEY)(?:_[A-Z0-9]+)?$")
ASSIGNED = re.compile(r"\b([A-Z][A-Z0-9_]*)=(\"[^\"]*\"|'[^']*'|\S+)")

# Debian's packages make or bring these; nothing here believes them.
KNOWN_KEYS = re.compile(
    r"etc/ssl/private/ssl-cert-snakeoil\.key$"  # made when PostgreSQL's package is installed
    r"|usr/lib/[^/]+/libgnutls\.so\."  # of its tests of itself
    r"|usr/share/doc/[^/]+/examples/")


def of_deployment(folder: Path) -> dict[str, bytes]:
    """The values of `*.env` that are secret, by their names."""
    found = {}
    for file in sorted(folder.glob("*.env")):
        for line in file.read_text().splitlines():
            name, separator, value = line.strip().partition("=")
            value = value.strip("\"'")
            if separator and not name.startswith("#") and SECRET_NAME.search(name) and len(value) >= 12:
                found[f"{name} of {file.name}"] = value.encode()
    return found


class Finder:
    def __init__(self, deployed: dict[str, bytes]):
        self.deployed = deployed

    def in_file(self, path: str, content: bytes) -> list[str]:
        found = [name for name, value in self.deployed.items() if value in content]
        # The words first: to look for them costs a hundredth of the expression.
        if b"PRIVATE KEY-----" in content and not KNOWN_KEYS.match(path) and PRIVATE_KEY.search(content):
            found.append("a private key")
        if b"eyJ" in content and TOKEN.search(content):
            found.append("a token")
        return found

    def in_settings(self, environment: list[str], history: list[str]) -> list[str]:
        """Variables of the image, and what the steps that built it were given: whoever has the image reads both."""
        found = []
        for text, where in [(line, "the environment") for line in environment] + [(line, "the history") for line in history]:
            found += [f"{name} in {where}" for name, value in self.deployed.items() if value.decode() in text]
            found += [f"{name} in {where}" for name, _ in ASSIGNED.findall(text) if SECRET_NAME.search(name)]
        return sorted(set(found))
