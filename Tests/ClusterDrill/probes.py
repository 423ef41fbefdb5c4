"""People who ask all the time, and when they were answered."""
import base64
import hashlib
import hmac
import itertools
import json
import re
import struct
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

from hosts import check

MARKET = "assef"
PASSWORD = "Correct-Horse-42"


class Web:
    """HTTP with a short patience; None instead of an answer when there was none, or one that says to come back."""

    def __init__(self, url: str):
        self.url, self.token = url, None

    def ask(self, method: str, path: str, body: dict | None = None, seconds: float = 2) -> tuple[int, dict] | None:
        headers = {"Accept-Language": "en", "Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if method == "POST":
            headers["Idempotency-Key"] = uuid.uuid4().hex
        request = urllib.request.Request(self.url + path, method=method, headers=headers, data=None if body is None else json.dumps(body).encode())
        try:
            with urllib.request.urlopen(request, timeout=seconds) as answer:
                return answer.status, json.loads(answer.read() or b"{}")
        except urllib.error.HTTPError as refusal:
            return (refusal.code, json.loads(refusal.read() or b"{}")) if refusal.code < 500 and refusal.code != 429 else None
        except (OSError, ValueError, urllib.error.URLError):
            return None

    def must(self, method: str, path: str, body: dict | None = None) -> dict:
        answer = self.ask(method, path, body, seconds=20)
        check(answer is not None and answer[0] < 300, f"{method} {path} was answered by {answer}")
        return answer[1]


def one_time_code(secret: str, step: int) -> str:
    """RFC 6238."""
    mac = hmac.new(base64.b32decode(secret), struct.pack(">Q", step), hashlib.sha1).digest()
    at = mac[-1] & 15
    return f"{(int.from_bytes(mac[at:at + 4], 'big') & 0x7FFFFFFF) % 1_000_000:06}"


def admin(url: str, login: str, password: str, second_factor: str) -> Web:
    web = Web(url)
    challenge = web.must("POST", "/identity/v1/sessions", {"login": login, "password": password})["challenge"]
    for _ in range(60):
        for step in (int(time.time()) // 30, int(time.time()) // 30 + 1):
            # A code counts once: the Simulator's log-in may have taken this one.
            proof = {"challenge": challenge, "code": one_time_code(second_factor, step)}
            answer = web.ask("POST", "/identity/v1/sessions/second-factor", proof, seconds=20)
            if answer and answer[0] == 201:
                web.token = answer[1]["accessToken"]
                return web
        time.sleep(1)
    raise SystemExit("cluster-drill: the admin cannot log in")


def customer(url: str, sandbox: str) -> tuple[Web, str]:
    """A new one, and the id of the account."""
    web = Web(url)
    mobile = f"+96650{uuid.uuid4().int % 9_000_000 + 1_000_000}"
    terms = web.must("GET", f"/identity/v1/markets/{MARKET}/registration")["terms"]["version"]
    web.must("POST", "/identity/v1/accounts", {
        "market": MARKET, "role": "customer", "name": "Drill 0", "email": f"{uuid.uuid4().hex}@example.com", "mobile": mobile,
        "password": PASSWORD, "language": "en", "terms": terms})
    for _ in range(100):
        with urllib.request.urlopen(f"{sandbox}/sink/sms?to={urllib.parse.quote(mobile, safe='')}", timeout=10) as answer:
            codes = [found.group(1) for item in json.load(answer)["items"] if (found := re.search(r"\b(\d{6})\b", item["text"]))]
        if codes:
            web.token = web.must("POST", "/identity/v1/confirmations/code", {"login": mobile, "code": codes[-1]})["accessToken"]
            return web, web.must("GET", "/identity/v1/accounts/me")["account"]
        time.sleep(0.2)
    raise SystemExit("cluster-drill: no code has come by SMS")


class Probe(threading.Thread):
    """Does something again and again, and remembers when it succeeded."""

    def __init__(self, name: str, act, pause: float = 0.25):
        super().__init__(daemon=True)
        self.name, self.act, self.pause = name, act, pause
        self.successes, self.failures, self.ending = [time.monotonic()], [], False

    def run(self) -> None:
        while not self.ending:
            (self.successes if self.act() else self.failures).append(time.monotonic())
            time.sleep(self.pause)

    def longest_gap(self, begin: float, end: float) -> float:
        """Of the times without a success that touch the span."""
        moments = [*self.successes, end]
        return max((two - one for one, two in itertools.pairwise(moments) if two >= begin and one <= end), default=0)

    def share_failed(self, begin: float, end: float) -> float:
        """Of those that ended in the span; some fail for good where one of two processes is of no use."""
        failed, succeeded = (sum(begin <= moment <= end for moment in moments) for moments in (self.failures, self.successes))
        return failed / max(failed + succeeded, 1)


class Probes:
    """One that reads and writes in each service, and one that waits for what was written to reach another by message."""

    def __init__(self, someone: Web, account: str, desk: Web):
        self.acknowledged, self.heard, self.number = 0, 0, 0
        self.someone, self.account, self.desk = someone, account, desk
        read = lambda web, path: lambda: (web.ask("GET", path) or (0,))[0] == 200
        self.all = [
            Probe("identity, writing", self.write),
            Probe("identity", read(someone, "/identity/v1/accounts/me")),
            Probe("dispatch", read(someone, "/dispatch/v1/orders")),
            Probe("wallet", read(someone, "/wallet/v1/wallets")),
            Probe("notifications", read(someone, "/notifications/v1/inbox")),
            Probe("admin", read(desk, f"/admin/v1/markets/{MARKET}/orders?limit=1")),
            Probe("messages", self.hear),
        ]

    def start(self) -> None:
        for probe in self.all:
            probe.start()

    def end(self) -> None:
        for probe in self.all:
            probe.ending = True
        for probe in self.all:
            probe.join()

    def write(self) -> bool:
        number = self.number = self.number + 1
        answer = self.someone.ask("PATCH", "/identity/v1/accounts/me", {"name": f"Drill {number}"})
        if not answer or answer[0] != 200:
            return False
        self.acknowledged = number
        return True

    def name_at_desk(self) -> int:
        answer = self.desk.ask("GET", f"/admin/v1/markets/{MARKET}/names?accounts={self.account}")
        names = [item["name"] for item in answer[1]["items"] if "name" in item] if answer and answer[0] == 200 else []
        return int(names[0].split()[-1]) if names else 0

    def hear(self) -> bool:
        """Whether something newer than before has come."""
        number = self.name_at_desk()
        is_new = number > self.heard
        self.heard = max(number, self.heard)
        return is_new

    def gaps(self, begin: float, end: float) -> dict[str, float]:
        return {probe.name: round(probe.longest_gap(begin, end), 1) for probe in self.all}

    def failed(self, begin: float, end: float) -> dict[str, float]:
        """In hundredths. That nothing new was heard is no failure of a request."""
        return {probe.name: round(100 * probe.share_failed(begin, end), 1) for probe in self.all if probe.act != self.hear}

    def are_answered(self) -> bool:
        now = time.monotonic()
        return all(now - probe.successes[-1] < 2 for probe in self.all)
