"""Access tokens that are none: what services must refuse, made with the deployment's own key where only that shows something."""

import base64
import hashlib
import hmac
import json
import os
import time
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


def encode(data: bytes | dict) -> str:
    return base64.urlsafe_b64encode(data if isinstance(data, bytes) else json.dumps(data).encode()).rstrip(b"=").decode()


def decode(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def signing_key() -> Ed25519PrivateKey:
    stored = json.loads((Path(os.environ["SERAI_RUN"]) / "keys/token-signing.json").read_text())
    return Ed25519PrivateKey.from_private_bytes(decode(stored.get("keys", [stored])[0]["d"]))


def signed(head: dict, claims: dict, key: Ed25519PrivateKey) -> str:
    text = f"{encode(head)}.{encode(claims)}"
    return f"{text}.{encode(key.sign(text.encode()))}"


def wrong(token: str) -> dict[str, str | None]:
    """By what is wrong with them. None is no token at all."""
    head_part, claims_part, signature = token.split(".")
    head, claims = json.loads(decode(head_part)), json.loads(decode(claims_part))
    own, now = signing_key(), int(time.time())
    everything = claims | {"roles": [{"market": "*", "role": "admin"}]}
    unsigned = f"{encode(head | {'alg': 'none'})}.{encode(everything)}"
    with_hash = f"{encode(head | {'alg': 'HS256'})}.{encode(everything)}"
    public = json.dumps(json.loads((Path(os.environ["SERAI_RUN"]) / "keys/jwks.json").read_text())["keys"][0]).encode()
    return {
        "none": None,
        "garbled": "x" * 40,
        "not quite a token": f"{head_part}.{claims_part}",
        "expired": signed(head, claims | {"iat": now - 4_000, "exp": now - 400}, own),
        "not yet": signed(head, claims | {"nbf": now + 4_000}, own),
        "of another issuer": signed(head, claims | {"iss": "https://elsewhere.example"}, own),
        "for another audience": signed(head, claims | {"aud": "elsewhere"}, own),
        "other claims, same signature": f"{head_part}.{encode(everything)}.{signature}",
        "of another key": signed(head, everything, Ed25519PrivateKey.generate()),
        "without a signature": f"{unsigned}.",
        "hashed with the public key": f"{with_hash}.{encode(hmac.digest(public, with_hash.encode(), hashlib.sha256))}",
    }


def good(token: str) -> str:
    """Signed here: it shows that the wrong ones are refused for what is wrong with them, and not for how they are made."""
    head, claims, _ = token.split(".")
    return signed(json.loads(decode(head)), json.loads(decode(claims)), signing_key())
