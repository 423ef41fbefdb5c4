"""A town of people who have one of everything, and whoever else asks for it. Ids are known by service and what a path names."""

import base64
import json
import os
import struct
import time
import urllib.parse
import urllib.request
import uuid
import zlib
from collections.abc import Callable

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

import desk
from cast import Person

HOME, RIDES, ELSEWHERE = "carrepsa", "btnc", "edencare"
CARD, CVV, IBAN = "4242424242424242", "737", "SE4550000000058398257466"
# Words of the owner's own that nobody else may read.
STREET, TALK, LABEL = "77 Hidden Lane", "The spare key lies under the blue stone.", "Secret Garden"
PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
# What nobody in this town has: no test of these is about a thing that there is, and a 404 is all that they can show.
ABSENT = {
    "dispatch: bikes/{bike}", "dispatch: hires/{id}", "dispatch: drop-offs/{id}", "dispatch: images/{image}", "dispatch: series/{id}",
    "dispatch: visits/{day}", "dispatch: restaurants/{id}", "dispatch: photos/{photo}", "dispatch: items/{item}", "dispatch: merchants/{id}",
    "identity: deletions/{deletion}", "identity: avatars/{name}", "wallet: disputes/{dispute}", "notifications: unsubscribe/{token}",
    "notifications: deliveries/{message}", "notifications: calls/{id}", "notifications: calls/{call}", "admin: images/{name}",
    *(f"{service}: dead-messages/{{message}}" for service in ("identity", "dispatch", "wallet", "notifications", "admin")),
}


def picture() -> bytes:
    """A grey PNG."""
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress((b"\0" + b"\x80" * 8) * 8)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0)) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def hand_card(holder: str) -> str:
    """To the payment provider alone, as the app does. Returns its name for the card."""
    fields = {"key": "pk_test_sandbox", "type": "card", "card[number]": CARD, "card[exp_month]": "12", "card[exp_year]": "2034",
              "card[cvc]": CVV, "billing_details[name]": holder}
    return hand("payment_methods", fields)


def hand(what: str, fields: dict[str, str]) -> str:
    body = urllib.parse.urlencode(fields).encode()
    with urllib.request.urlopen(f"{os.environ['SERAI_SANDBOX_URL']}/v1/{what}", body, timeout=20) as answer:
        return json.load(answer)["id"]


class Town:
    def __init__(self):
        self.desk = desk.Desk()
        # What could not be made, with the reason: a test says so, and the others go on.
        self.faults: list[str] = []
        self.ids: dict[str, tuple[str, str]] = {}
        self.owner = Person("Olof Hidden", HOME).register()
        self.carrier = Person("Karin Hidden", HOME).register("provider", "carrier")
        self.rider = Person("Rita Hidden", RIDES).register()
        self.driver = Person("Dora Hidden", RIDES).invited(self.desk, "provider", "driver").log_in()
        self.stranger = Person("Sam Stranger", HOME).register()
        self.provider = Person("Petra Provider", HOME).register("provider", "carrier")
        self.other = Person("Oda Other", RIDES).invited(self.desk).become(self.desk, "admin", ELSEWHERE)
        self.support = Person("Sue Support", ELSEWHERE).invited(self.desk).become(self.desk, "support", HOME, RIDES)
        self.steward = Person("Stig Steward", ELSEWHERE).invited(self.desk).become(self.desk, "admin", HOME, RIDES)
        # Money of a card may leave the wallet at once: two admins have to say so.
        for admin in (self.desk, self.steward):
            admin.do("PUT", f"/admin/v1/markets/{HOME}/settings/cardHoldDays", {"value": "0"})
        for build in (self._identity, self._wallet, self._dispatch, self._talk, self._rides, self._desks, self._admin):
            self._try(build.__name__, build)

    @property
    def victims(self) -> list[Person]:
        return [self.owner, self.carrier, self.rider, self.driver]

    @property
    def everybody(self) -> list[Person]:
        return [*self.victims, self.stranger, self.provider, self.other, self.support, self.steward]

    def private(self) -> list[str]:
        """What no stranger's answer may hold."""
        contacts = [text for victim in self.victims for text in (victim.email, victim.mobile)]
        return [*contacts, STREET, LABEL, TALK, IBAN, IBAN[-8:]]

    def _try(self, what: str, step: Callable[[], None]) -> None:
        try:
            step()
        except (desk.Refused, AssertionError, KeyError, IndexError, OSError) as fault:
            self.faults.append(f"{what}: {type(fault).__name__} {fault}")

    def _put(self, name: str, value: str, market: str = HOME) -> str:
        self.ids[name] = (market, str(value))
        return str(value)

    def _each(self, steps: dict[str, Callable[[], object]], market: str = HOME) -> None:
        """Each thing by the path names that its id stands for, whatever becomes of the others."""
        for names, make in steps.items():
            def one(names=names, make=make):
                value = make()
                for name in names.split(", "):
                    self._put(name, value, market)
            self._try(names, one)

    def _identity(self) -> None:
        me, owner = "/identity/v1/accounts/me", self.owner
        at = {"latitude": 57.7089, "longitude": 11.9746}
        place = {"name": LABEL, "address": STREET, "coordinates": at}
        for name in ("people", "wallets", "debtors", "bans", "removals", "title-questions", "admins", "members", "providers"):
            for service in ("identity", "wallet"):
                self._put(f"{service}: {name}/{{account}}", owner.account)
        self._each({
            "identity: sessions/{session}": lambda: owner.do("GET", "/identity/v1/sessions")["items"][0]["session"],
            "identity: places/{place}": lambda: owner.do("POST", f"{me}/places", {"market": HOME, "label": "home", **place})["place"],
            "identity: recent-places/{place}": lambda: owner.do("PUT", f"{me}/markets/{HOME}/recent-places", place)["place"],
            "identity: groups/{group}": lambda: owner.do("POST", f"{me}/groups", {"title": LABEL})["group"],
            "identity: links/{link}": lambda: self.carrier.do("POST", f"{me}/links", {"kind": "friend", "mobile": owner.mobile})["link"],
            "identity: api-keys/{key}": self._key,
        })
        papers = f"{me}/providers/{RIDES}"
        kind = self.driver.do("GET", f"/identity/v1/markets/{RIDES}/registration")["roles"]
        paper = next(role for role in kind if role.get("title") == "driver")["papers"][0]["id"]
        self.driver.do("PUT", f"{papers}/documents/{paper}", PDF, {"Content-Type": "application/pdf"})
        self._put("identity: documents/{document}", self.driver.do("GET", papers)["documents"][0]["document"], RIDES)

    def _key(self) -> str:
        form = {"market": HOME, "name": "Programs", "scopes": ["orders:read", "orders:write", "webhooks:manage"]}
        made = self.owner.do("POST", "/identity/v1/accounts/me/api-keys", form)
        self.secret = made["secret"]
        return made["key"]

    def _wallet(self) -> None:
        owner = self.owner
        card = self._put("wallet: cards/{card}", owner.do("POST", "/wallet/v1/cards", {"paymentMethod": hand_card(owner.name), "holder": owner.name})["card"])
        cvv = hand("tokens", {"key": "pk_test_sandbox", "cvc_update[cvc]": CVV})
        form = {"market": HOME, "amount": 50_000, "card": card, "cvvToken": cvv}
        top_up = self._put("wallet: topups/{topUp}", owner.do("POST", "/wallet/v1/topups", form)["topUp"])
        self.until(lambda: owner.do("GET", f"/wallet/v1/topups/{top_up}")["state"] == "completed")
        form = {"market": HOME, "iban": IBAN, "holder": owner.name, "bankName": "A bank"}
        account = self._put("wallet: bank-accounts/{bankAccount}", owner.do("POST", "/wallet/v1/bank-accounts", form)["bankAccount"])
        form = {"market": HOME, "amount": 1_000, "bankAccount": account}
        self._put("wallet: cash-outs/{cashOut}", self.until(lambda: owner.do("POST", "/wallet/v1/cash-outs", form)["cashOut"]))

    def _dispatch(self) -> None:
        owner = self.owner
        photo = self._put("dispatch: photos/{id}", owner.do("POST", "/dispatch/v1/photos", picture(), {"Content-Type": "image/png"})["photo"])
        form = {"name": "A lamp", "origin": {"latitude": 57.70, "longitude": 11.97}, "destination": {"latitude": 57.72, "longitude": 11.99},
                "payment": 5_000, "grams": 900, "fragile": True, "photo": photo}
        order = owner.do("POST", f"/dispatch/v1/markets/{HOME}/parcels", form)["order"]
        for name in ("dispatch: orders/{id}", "wallet: orders/{order}", "wallet: payments/{order}", "notifications: orders/{id}", "admin: orders/{order}"):
            self._put(name, order)
        self.until(lambda: owner.do("POST", f"/wallet/v1/orders/{order}/payment", {"method": "wallet"}) or True)
        self.until(lambda: self.carrier.do("POST", f"/dispatch/v1/orders/{order}/take") or True)
        form = {"reason": "other", "note": TALK, "cancels": False}
        self._put("admin: reports/{report}", owner.do("POST", f"/dispatch/v1/orders/{order}/reports", form)["report"])

    def _talk(self) -> None:
        owner, order = self.owner, self.ids["dispatch: orders/{id}"][1]
        device, hook = str(uuid.uuid4()), f"{os.environ['SERAI_SANDBOX_URL']}/sink/webhooks/{uuid.uuid4().hex}"
        form = {"kind": "web", "market": HOME, "endpoint": hook, "auth": text(os.urandom(16)), "p256dh": browser_key()}
        self._each({
            "notifications: webhooks/{id}": lambda: owner.do("POST", "/notifications/v1/webhooks", {"market": HOME, "url": hook})["webhook"],
            "notifications: devices/{id}": lambda: owner.do("PUT", f"/notifications/v1/devices/{device}", form) and device,
            "notifications: inquiries/{id}": lambda: owner.do(
                "POST", "/notifications/v1/inquiries", {"market": HOME, "as": "customer", "title": LABEL, "content": TALK})["inquiry"],
            "notifications: inbox/{id}": lambda: self.found(f"/notifications/v1/markets/{HOME}/inbox")["item"],
        })

        def conversation() -> str | None:
            items = owner.do("GET", f"/notifications/v1/conversations?order={order}")["items"]
            return next((one["conversation"] for one in items if one.get("order") == order), None)

        talk, message = self.until(conversation), str(uuid.uuid4())
        self._put("notifications: conversations/{id}", talk)
        words = f"/notifications/v1/conversations/{talk}/messages/{message}"
        self.carrier.do("PUT", words, {"text": TALK})
        self._put("notifications: messages/{message}", message)
        self.until(lambda: owner.do("POST", f"{words}/report", {"reason": "other"}) or True)
        self._put("notifications: message-reports/{id}", self.found(f"/notifications/v1/markets/{HOME}/message-reports")["report"])

    def _rides(self) -> None:
        form = {"market": RIDES, "kind": "ride", "from": {"latitude": -31.9523, "longitude": 115.8613}, "to": {"latitude": -31.9505, "longitude": 115.8605}}
        rack = {"name": f"Rack {uuid.uuid4().hex[:6]}", "latitude": -31.9523, "longitude": 115.8613}
        self._put("dispatch: bikes/{type}", "city", RIDES)
        self._each({
            "dispatch: quotes/{id}": lambda: self.rider.do("POST", "/dispatch/v1/quotes", form)["quote"],
            "dispatch: racks/{id}": lambda: self.desk.do("POST", f"/dispatch/v1/markets/{RIDES}/racks", rack)["rack"],
        }, RIDES)

    def _desks(self) -> None:
        notes, money = f"/notifications/v1/markets/{HOME}", f"/wallet/v1/markets/{HOME}"
        code = f"SEC{uuid.uuid4().hex[:8].upper()}"
        both, promo = {"en": "Words", "ar": "كلمات"}, {"limit": 10, "limitPerAccount": 1}
        plan = {"period": f"P{uuid.uuid4().int % 900 + 100}D", "price": 5_000, "name": both, "brief": both}
        later = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 200 * 86_400))
        notice = {"subject": both, "content": both, "audience": "providers", "at": later}
        answer = {"section": "customers", "language": "en", "name": code, "text": "Words"}
        self._each({
            "notifications: canned-answers/{id}": lambda: self.desk.do("POST", f"{notes}/canned-answers", answer)["answer"],
            "notifications: general-notices/{id}": lambda: self.desk.do("POST", f"{notes}/general-notices", notice)["notice"],
            "wallet: subscription-plans/{plan}": lambda: self.desk.do("POST", f"{money}/subscription-plans", plan)["plan"],
            "wallet: promo-codes/{code}": lambda: self.desk.do("POST", f"{money}/promo-codes", promo | {"code": code, "basisPoints": 100, "maximum": 100})["code"],
            # More than half of a price waits for a second admin.
            "wallet: approvals/{approval}": lambda: self.desk.do(
                "POST", f"{money}/promo-codes", promo | {"code": f"{code}X", "basisPoints": 9_000, "maximum": 100})["approval"],
        })

    def _admin(self) -> None:
        admin = f"/admin/v1/markets/{HOME}"
        for name, value in {"settings/{key}": "offerWindowSeconds", "catalogue/{section}": "titles", "content/{section}": "faq",
                            "pages/{section}": "faq", "versions/{version}": "1"}.items():
            self._put(f"admin: {name}", value)
        self._put("admin: {market}/{language}", "en")
        self._put("admin: {language}/{page}", "faq")
        entry = {"title": {"en": "A question", "ar": "سؤال"}, "body": {"en": "Words", "ar": "كلمات"}}
        place = {"id": f"sec-{uuid.uuid4().hex[:8]}", "city": "makkah", "category": "gate", "names": {"en": "A gate", "ar": "بوابة"},
                 "latitude": 21.4225, "longitude": 39.8262}
        feed = {"url": f"https://news.example/{uuid.uuid4().hex}.xml", "group": "local", "language": "en", "publishes": False, "active": False}
        self._each({
            "admin: {section}/{id}": lambda: self.desk.do("POST", f"{admin}/content/faq", entry)["id"],
            "admin: feeds/{id}": lambda: self.desk.do("POST", "/admin/v1/markets/hajji/feeds", feed)["id"],
        })
        self._each({"admin: places/{id}": lambda: self.desk.do("POST", "/admin/v1/markets/hajji/places", place)["id"]}, "hajji")
        if "admin: feeds/{id}" in self.ids:
            self.ids["admin: feeds/{id}"] = ("hajji", self.ids["admin: feeds/{id}"][1])

    def found(self, path: str) -> dict:
        """The first row of a list of the desk's, as soon as there is one."""
        return self.until(lambda: next(iter(self.desk.do("GET", path)["items"]), None))

    @staticmethod
    def until(attempt: Callable, seconds: float = 60):
        """The first result that is one; news from another service may be on its way."""
        end = time.monotonic() + seconds
        while True:
            try:
                result = attempt()
                if result:
                    return result
            except desk.Refused:
                if time.monotonic() > end:
                    raise
            assert time.monotonic() < end, "what was awaited has not come"
            time.sleep(0.3)


def text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def browser_key() -> str:
    key = ec.generate_private_key(ec.SECP256R1()).public_key()
    return text(key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))
