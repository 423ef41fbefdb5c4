"""An admin at work, by the API: what an operator does behind the scenes of a person's order."""

import base64
import fcntl
import hashlib
import hmac
import json
import os
import struct
import tempfile
import time
import urllib.error
import urllib.request
import uuid
from pathlib import Path


class Refused(Exception):
    def __init__(self, status: int, body: dict):
        super().__init__(f"{status} {body.get('type')} {body.get('detail', '')} {body.get('errors', '')}")
        self.status, self.body = status, body
        self.slug = str(body.get("type", "")).removeprefix("urn:serai:problem:")


def call(method: str, path: str, body: dict | None = None, headers: dict[str, str] | None = None):
    """One request with one key; repeated where the service says that it is busy."""
    all_headers = {"Content-Type": "application/json", "Idempotency-Key": uuid.uuid4().hex, "Accept-Language": "en", **(headers or {})}
    data = None if body is None and method in ("GET", "DELETE") else json.dumps(body or {}).encode()
    for attempt in range(6):
        request = urllib.request.Request(os.environ["SERAI_URL"] + path, data, all_headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                text = answer.read()
                return json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            text = error.read()
            if error.code not in (429, 503) or attempt == 5:
                try:
                    raise Refused(error.code, json.loads(text or b"{}")) from None
                except json.JSONDecodeError:
                    raise Refused(error.code, {"detail": text[:200].decode(errors="replace")}) from None
            time.sleep(1 + attempt)  # as the answer asks for
    raise AssertionError("unreachable")


def one_time_code(secret: str, step: int) -> str:
    """Six digits of an authenticator app (RFC 6238), of a step of 30 seconds."""
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    mac = hmac.new(key, struct.pack(">Q", step), hashlib.sha1).digest()
    at = mac[-1] & 15
    return f"{(int.from_bytes(mac[at:at + 4], 'big') & 0x7FFFFFFF) % 1_000_000:06}"


def present_step() -> int:
    return int(time.time()) // 30


def log_in(login: str, password: str, secret: str) -> str:
    """An access token of somebody who has a second factor."""
    challenge = call("POST", "/identity/v1/sessions", {"login": login, "password": password})["challenge"]
    end = time.time() + 100
    while True:
        # A code counts for one log-in, and those before it no more: the next one is taken, too.
        for step in (present_step(), present_step() + 1):
            try:
                return call("POST", "/identity/v1/sessions/second-factor", {"challenge": challenge, "code": one_time_code(secret, step)})["accessToken"]
            except Refused as refused:
                if refused.slug != "proof-refused" or time.time() > end:
                    raise
        time.sleep(1)


class Desk:
    """Logs in when it is first asked for something, and again when its token is old. Tests that run at once share the token: a code of
    the second factor counts once, and the next one comes half a minute later."""

    def __init__(self):
        run = os.environ.get("PYTEST_XDIST_TESTRUNUID", uuid.uuid4().hex)
        self.shared = Path(tempfile.gettempdir()) / f"serai-desk-{run}"
        self.token: str | None = None

    def _take_token(self) -> None:
        """One that is newer than the own, or that of a new log-in."""
        with open(os.open(self.shared, os.O_RDWR | os.O_CREAT, 0o600), "r+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            known = file.read() or None
            if known is None or known == self.token:
                known = self._log_in()
                file.seek(0)
                file.truncate()
                file.write(known)
            self.token = known

    @staticmethod
    def _log_in() -> str:
        return log_in(os.environ["SERAI_ADMIN_LOGIN"], os.environ["SERAI_ADMIN_PASSWORD"], os.environ["SERAI_ADMIN_SECOND_FACTOR"])

    def do(self, method: str, path: str, body: dict | None = None):
        if self.token is None:
            self._take_token()
        try:
            return call(method, path, body, {"Authorization": f"Bearer {self.token}"})
        except Refused as refused:
            if refused.status != 401:
                raise
        self._take_token()
        return call(method, path, body, {"Authorization": f"Bearer {self.token}"})

    def until(self, attempt, seconds: float = 60):
        """Tries again while the service refuses: the news may be on its way from another service."""
        end = time.time() + seconds
        while True:
            try:
                return attempt()
            except Refused:
                if time.time() > end:
                    raise
                time.sleep(0.2)

    def verify(self, market: str, account: str, title: str) -> None:
        """All papers of somebody, and then the person."""
        provider = f"/identity/v1/markets/{market}/providers/{account}"
        for paper in self.do("GET", f"{provider}/papers")["documents"]:
            self.do("POST", f"{provider}/documents/{paper['document']}/decision", {"decision": "verify", "expiresOn": "2099-12-31"})
        self.do("POST", f"{provider}/verification", {"decision": "verify", "title": title})

    def invite(self, market: str, person, title: str) -> None:
        """Makes an account for somebody, who chooses a password by the link of the mail."""
        self.do("POST", f"/identity/v1/markets/{market}/people", {
            "role": "provider", "title": title, "name": person.name, "email": person.email, "mobile": person.mobile, "language": person.language})

    def assign(self, order: str, provider: str) -> None:
        self.until(lambda: self.do("POST", f"/dispatch/v1/orders/{order}/assignment", {"provider": provider}))

    def price(self, market: str, service: str) -> int:
        """What a service costs now, in minor units."""
        types = self.do("GET", f"/dispatch/v1/markets/{market}/services")["items"]
        return next(one["price"] for group in types for one in group["services"] if one["id"] == service)

    def plan(self, market: str) -> None:
        """A subscription that providers can buy. The first to ask makes it."""
        path = f"/wallet/v1/markets/{market}/subscription-plans"
        if not any("endedAt" not in one for one in self.do("GET", path)["items"]):
            self.do("POST", path, {"period": "monthly", "price": 5000, "name": {"en": "Month", "ar": "شهر"},
                                   "brief": {"en": "Thirty days of requests", "ar": "طلبات لثلاثين يومًا"}})

    def approve_link(self, market: str, one: str, other: str) -> None:
        """Two relatives, by their names."""
        waiting = self.do("GET", f"/identity/v1/markets/{market}/links?limit=100")["items"]
        link = next(item["link"] for item in reversed(waiting) if one in str(item) and other in str(item))
        self.do("POST", f"/identity/v1/markets/{market}/links/{link}/approval")


class Rack:
    """A rack of bikes in Perth, that tells of what is taken out and brought back."""

    def __init__(self, desk: Desk, name: str, at: tuple[float, float], bikes: int):
        made = desk.do("POST", "/dispatch/v1/markets/btnc/racks", {"name": name, "latitude": at[0], "longitude": at[1]})
        self.id, self.name, self.key = made["rack"], name, made["key"]
        desk.do("PUT", f"/dispatch/v1/markets/btnc/racks/{self.id}/bikes/city", {"count": bikes})

    def take(self, code: str) -> str:
        """Somebody types a code; the rack lets a bike go."""
        return call("POST", f"/dispatch/v1/racks/{self.id}/pick-ups", {"code": code}, {"Rack-Key": self.key})["bike"]

    def bring_back(self, bike: str) -> None:
        call("POST", f"/dispatch/v1/racks/{self.id}/returns", {"bike": bike}, {"Rack-Key": self.key})
