"""N2: what is sent to a browser, read by independent programs: http-ece (RFC 8188, 8291) and py-vapid (RFC 8292)."""

import base64
import json
import os
import time
import urllib.request
import uuid

import http_ece
import py_vapid
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid.jwt import decode

import people

MARKET = "carrepsa"


def text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def received(name: str) -> dict:
    for _ in range(150):
        with urllib.request.urlopen(f"{os.environ['SERAI_SANDBOX_URL']}/sink/web-push/{name}") as answer:
            items = json.load(answer)["items"]
        if items:
            assert len(items) == 1
            return items[0]
        time.sleep(0.2)
    raise AssertionError("nothing has come to the browser")


def test_a_browser_reads_what_it_is_sent(generated):
    sandbox = os.environ["SERAI_SANDBOX_URL"]
    client = people.client("notifications", people.customer_token(MARKET))
    offered = people.call(client, "notifications", "devices", "read_push_key").parsed.key
    key, secret, name = ec.generate_private_key(ec.SECP256R1()), os.urandom(16), uuid.uuid4().hex
    registration = {
        "kind": "web", "market": MARKET, "endpoint": f"{sandbox}/sink/web-push/{name}", "auth": text(secret),
        "p256dh": text(key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)),
    }
    registered = people.call(
        client, "notifications", "devices", "register_device", uuid.uuid4(), body=people.model("notifications", "RegisterDeviceBody", registration))
    assert registered.status_code == 200, registered.content
    # A server that wants no webhooks any more is switched off, and its owner told.
    webhook = people.model("notifications", "MakeWebhookBody", {"market": MARKET, "url": f"{sandbox}/sink/webhooks/{name}?status=410"})
    made = people.call(client, "notifications", "webhooks", "make_webhook", body=webhook)
    assert made.status_code == 201, made.content
    assert people.call(client, "notifications", "webhooks", "test_webhook", made.parsed.webhook).status_code == 202
    sent = received(name)

    message = json.loads(http_ece.decrypt(base64.b64decode(sent["body"]), private_key=key, auth_secret=secret, version="aes128gcm"))
    item = people.call(client, "notifications", "inbox", "list_inbox").parsed.items[0]
    assert message["title"] == item.subject and message["body"] == item.content
    assert message["url"] == f"/{MARKET}/inbox" and message["tag"] == str(item.id) and message["dir"] == "ltr"

    authorization = sent["headers"]["authorization"]
    # It reads no space after the comma, which RFC 8292 has in its own example.
    assert py_vapid.Vapid02.verify(authorization.replace(", ", ","))
    parts = dict(part.strip().split("=", 1) for part in authorization.removeprefix("vapid ").split(","))
    assert parts["k"] == offered
    claims = decode(parts["t"], offered)
    assert claims["aud"] == sandbox and 0 < int(claims["exp"]) - time.time() <= 86_400 and claims["sub"].startswith("mailto:")
    assert sent["headers"]["content-encoding"] == "aes128gcm" and int(sent["headers"]["ttl"]) > 0
