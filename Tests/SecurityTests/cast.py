"""People, who register, log in and stay logged in: customers, a carrier, and admins with a second factor."""

import time
import urllib.parse
import uuid

import desk
import people
from asking import Answer, ask

PASSWORD = "Violet-Lantern-7719"


class Person:
    """Somebody with a session, which is renewed before its token is old."""

    def __init__(self, name: str, market: str):
        self.name, self.market, self.password = name, market, PASSWORD + uuid.uuid4().hex[:6]
        self.email = f"secret-{uuid.uuid4().hex[:12]}@example.org"
        self.mobile = f"+8613{uuid.uuid4().int % 900_000_000 + 100_000_000}"
        self.account = self.second_factor = ""
        self.began = 0.0
        self._access = self._refresh = ""

    def _take(self, session: dict) -> None:
        self.account = session["account"]
        self._access, self._refresh, self.began = session["accessToken"], session["refreshToken"], time.monotonic()

    @property
    def token(self) -> str:
        if time.monotonic() - self.began > 240:
            self._take(done(ask("POST", "/identity/v1/sessions/refresh", body={"refreshToken": self._refresh}), 200))
        return self._access

    @property
    def secrets(self) -> list[str]:
        """What nobody else may read, nor any log or database as it is."""
        return [self.email, self.mobile, self.password]

    @property
    def tokens(self) -> list[str]:
        return [self._access, self._refresh]

    def do(self, method: str, path: str, body: object = None, headers: dict[str, str] | None = None, status: int | None = None):
        answer = done(ask(method, path, self.token, body, headers), status)
        return answer if isinstance(answer, (dict, list)) else {}

    def register(self, role: str = "customer", title: str | None = None) -> "Person":
        rules = done(ask("GET", f"/identity/v1/markets/{self.market}/registration"), 200)
        form = {
            "market": self.market, "role": role, "name": self.name, "email": self.email, "mobile": self.mobile, "password": self.password,
            "language": "en", "terms": rules["terms"]["version"], "birthDate": "1990-04-12",
            "billingAddress": {"street": "7 Barrack Street", "city": "Perth", "postcode": "6000", "country": "AU"},
        }
        if title:
            form["title"] = title
        done(ask("POST", "/identity/v1/accounts", body=form), 201)
        if rules["confirmation"] == "sms":
            code = people.received("sms", self.mobile, r"\b(\d{6})\b")
            self._take(done(ask("POST", "/identity/v1/confirmations/code", body={"login": self.mobile, "code": code}), 201))
        else:
            self._follow("/identity/v1/confirmations", {})
            self.log_in()
        return self

    def _follow(self, path: str, more: dict) -> None:
        token = urllib.parse.unquote(people.received("mail", self.email, r"#token=([\w.~%-]+)"))
        done(ask("POST", path, body={"token": token, **more}), 204)

    def invited(self, by: desk.Desk, role: str = "customer", title: str | None = None) -> "Person":
        form = {"role": role, "name": self.name, "email": self.email, "mobile": self.mobile, "language": "en"}
        self.account = by.do("POST", f"/identity/v1/markets/{self.market}/people", form | ({"title": title} if title else {}))["account"]
        self._follow("/identity/v1/password-resets/finish", {"password": self.password})
        return self

    def log_in(self) -> "Person":
        answer = ask("POST", "/identity/v1/sessions", body={"login": self.email, "password": self.password})
        if answer.status == 202:
            self._take(self._prove(done(answer, 202)["challenge"]))
        else:
            self._take(done(answer, 201))
        return self

    def _prove(self, challenge: str) -> dict:
        end = time.monotonic() + 100
        while True:
            # A code counts once, and those before it no more: the next one is taken, too.
            for step in (desk.present_step(), desk.present_step() + 1):
                body = {"challenge": challenge, "code": desk.one_time_code(self.second_factor, step)}
                answer = ask("POST", "/identity/v1/sessions/second-factor", body=body)
                if answer.status == 201:
                    return answer.json()
            assert time.monotonic() < end, answer.text
            # A challenge has five tries.
            time.sleep(15)
            challenge = done(ask("POST", "/identity/v1/sessions", body={"login": self.email, "password": self.password}), 202)["challenge"]

    def become(self, by: desk.Desk, rank: str, *markets: str) -> "Person":
        """An admin, or of the support, of these markets: with a second factor, without which nobody has such rights."""
        for market in markets:
            by.do("POST", f"/identity/v1/markets/{market}/admins", {"account": self.account, "rank": rank})
        self.log_in()
        me = "/identity/v1/accounts/me/second-factor"
        self.second_factor = self.do("POST", me, {"password": self.password}, status=201)["secret"]
        self.do("POST", f"{me}/confirmation", {"code": desk.one_time_code(self.second_factor, desk.present_step())}, status=200)
        return self.log_in()


def done(answer: Answer, status: int | None = None):
    """The body of an answer of that status, or of any good one."""
    good = answer.status == status if status else answer.status < 300
    if not good:
        raise desk.Refused(answer.status, {"type": "", "detail": answer.text[:400]})
    return answer.json() if "json" in answer.headers.get("content-type", "") else {}
