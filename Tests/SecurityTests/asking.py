"""One request and its answer, by a connection of its own thread; and by a bare socket, as no library would send it."""

import http.client
import json
import os
import socket
import threading
import time
import urllib.parse
import uuid
from dataclasses import dataclass
from pathlib import Path

URL = os.environ.get("SERAI_URL", "http://127.0.0.1:1")
_connections = threading.local()


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes
    seconds: float = 0

    @property
    def text(self) -> str:
        return self.body.decode(errors="replace")

    def json(self):
        return json.loads(self.body)


def once(method: str, path: str, headers: dict[str, str], body: bytes | None, url: str | None = None, seconds: float = 60) -> Answer:
    """An answer of whatever status. A stream's is its head."""
    address = urllib.parse.urlsplit(url or URL).netloc
    known = _connections.__dict__.setdefault("known", {})
    began = time.monotonic()
    for attempt in range(2):
        connection = known.pop(address, None) or http.client.HTTPConnection(address, timeout=seconds)
        try:
            connection.request(method, path, body, headers)
            got = connection.getresponse()
            head = {name.lower(): value for name, value in got.getheaders()}
            streams = head.get("content-type", "").startswith("text/event-stream")
            content = b"" if streams else got.read()
        except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
            connection.close()
            if attempt:
                raise
            continue  # the server had ended a connection that was idle
        if streams or head.get("connection") == "close":
            connection.close()
        else:
            known[address] = connection
        return Answer(got.status, head, content, time.monotonic() - began)
    raise AssertionError("unreachable")


def ask(method: str, path: str, token: str | None = None, body: object = None, headers: dict[str, str] | None = None, url: str | None = None) -> Answer:
    """Asked again while the service says that it is busy, or that this was too often."""
    sent = {"Accept-Language": "en", **(headers or {})}
    if token is not None:
        sent["Authorization"] = f"Bearer {token}"
    if body is not None and not isinstance(body, bytes):
        body = json.dumps(body).encode()
        sent.setdefault("Content-Type", "application/json")
    if method in ("POST", "PATCH"):
        sent.setdefault("Idempotency-Key", uuid.uuid4().hex)
    for attempt in range(6):
        answer = once(method, path, sent, body, url)
        if answer.status not in (429, 503):
            break
        time.sleep(min(5, float(answer.headers.get("retry-after", 1))))
    return answer


def ports() -> dict[str, list[int]]:
    """Of each service's processes, from what the run has written of itself."""
    plan = json.loads((Path(os.environ["SERAI_RUN"]) / "plan.json").read_text())
    return plan["plan"]["ports"]["services"]


def doors() -> list[str]:
    """Caddy's address, and each service's own."""
    return [URL, *(f"http://127.0.0.1:{port}" for several in ports().values() for port in several)]


def raw(url: str, data: bytes, seconds: float = 15) -> bytes:
    """What comes back for these bytes until the other side ends it, or until it says no more for a while."""
    parts = urllib.parse.urlsplit(url)
    with socket.create_connection((parts.hostname, parts.port), timeout=seconds) as connection:
        received = b""
        try:
            connection.sendall(data)
            connection.settimeout(2)
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                part = connection.recv(65536)
                if not part:
                    break
                received += part
        except (TimeoutError, ConnectionResetError, BrokenPipeError):
            pass  # what was said before counts
        return received


def statuses(received: bytes) -> list[int]:
    """Of each answer in what has come, one after the other."""
    return [int(part[:3]) for part in received.split(b"HTTP/1.1 ")[1:] if part[:3].isdigit()]
