"""What services tell each other: a queue of its own, bound to all exchanges, and all other queues as they are."""

import base64
import json
import os
import urllib.parse
import urllib.request
import uuid
from pathlib import Path

EXCHANGES = ["identity", "dispatch", "wallet", "notifications", "admin", "dispatch.positions", "identity.places"]


class Tap:
    def __init__(self):
        address = urllib.parse.urlsplit((Path(os.environ["SERAI_RUN"]) / "rabbitmq/management-url").read_text().strip())
        self.base = f"http://{address.hostname}:{address.port}/api"
        login = base64.b64encode(f"{address.username}:{address.password}".encode()).decode()
        self.headers = {"Authorization": f"Basic {login}", "Content-Type": "application/json"}
        self.name = f"security-{uuid.uuid4().hex}"
        self.ask("PUT", f"queues/%2F/{self.name}", {"durable": False, "auto_delete": False, "arguments": {"x-expires": 3_600_000, "x-max-length": 200_000}})
        for exchange in EXCHANGES:
            self.ask("POST", f"bindings/%2F/e/{exchange}/q/{self.name}", {"routing_key": "#"})

    def ask(self, method: str, path: str, body: dict | None = None):
        request = urllib.request.Request(f"{self.base}/{path}", json.dumps(body).encode() if body else None, self.headers, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            content = answer.read()
        return json.loads(content) if content else None

    def _read(self, queue: str, count: int, keeps: bool) -> list[str]:
        mode = "ack_requeue_true" if keeps else "ack_requeue_false"
        got = self.ask("POST", f"queues/%2F/{urllib.parse.quote(queue, safe='')}/get", {"count": count, "ackmode": mode, "encoding": "base64"})
        return [f"{json.dumps(one['properties'])} {base64.b64decode(one['payload']).decode(errors='replace')}" for one in got]

    def heard(self) -> list[str]:
        """Headers and body of each message since the last time."""
        found: list[str] = []
        while part := self._read(self.name, 1_000, keeps=False):
            found += part
        return found

    def waiting(self) -> list[str]:
        """What waits in other queues: for its reader, for another try, or dead. It stays there."""
        names = [one["name"] for one in self.ask("GET", "queues/%2F") if one["name"] != self.name and one.get("messages", 0)]
        return [message for name in names for message in self._read(name, 200, keeps=True)]

    def close(self) -> None:
        self.ask("DELETE", f"queues/%2F/{self.name}")
