"""Somebody with a phone: a browser context of its own, with a language, a place and a size of screen.

What a test does is what a person does: taps what has a name, types into what has a label, waits for what is to be seen.
"""

import json
import os
import re
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / ".build/screenshots"
# Debian's Chromium without windows: the same engine, a third less work for the processor.
CHROMIUM = "/usr/bin/chromium-headless-shell"
WIDTHS = {360: 760, 768: 1024, 1280: 860}
# Those of an office, where the console stands: a large screen, a small one, and a phone on the way.
OFFICE = {1440: 900, 1024: 768, 390: 800}
HEIGHTS = WIDTHS | OFFICE
# A machine may be busy: what is awaited comes late, and not never.
expect.set_options(timeout=30_000)
PASSWORD = "Correct-Horse-42"

# In each market's area.
PLACES = {
    "assef": (24.7136, 46.6753),
    "edencare": (50.4452, -104.6189),
    "btnc": (-31.9523, 115.8613),
    "carrepsa": (57.7089, 11.9746),
    "hajji": (21.4225, 39.8262),
}

Words = str | tuple[str, str] | re.Pattern

# Names inside of a text are units of their own in its direction, by characters that nobody sees.
UNSEEN = "[\\u2066-\\u2069]*"


def fresh_mobile() -> str:
    """A number that nobody has, of the plan that has the most mobile ones."""
    return f"+8613{uuid.uuid4().int % 900_000_000 + 100_000_000}"


class Sandbox:
    """Mailboxes and phones of the people, as the sandbox has them."""

    def __init__(self, url: str):
        self.url = url

    def _items(self, kind: str, to: str) -> list[dict]:
        with urllib.request.urlopen(f"{self.url}/sink/{kind}?to={urllib.parse.quote(to, safe='')}") as answer:
            return json.load(answer)["items"]

    def find(self, page: Page, kind: str, to: str, pattern: str) -> str:
        """The newest match in what came to somebody, as soon as something has."""
        found: list[str] = []

        def look() -> bool:
            found[:] = [m.group(1) for item in self._items(kind, to) if (m := re.search(pattern, item["text"]))]
            return bool(found)

        for _ in range(300):
            if look():
                return found[-1]
            page.wait_for_timeout(100)  # the mailbox is outside of what a page shows
        raise AssertionError(f"nothing came to {to} by {kind}")

    def link(self, page: Page, email: str) -> str:
        return self.find(page, "mail", email, r"(https?://\S+#token=[\w.~-]+)")

    def code(self, page: Page, mobile: str) -> str:
        return self.find(page, "sms", mobile, r"\b(\d{4,8})\b")


class Person:
    def __init__(self, browser: Browser, url: str, sandbox: Sandbox, market: str, *, name="Huda Salem", language="en",
                 width=360, dark=False, place: tuple[float, float] | None = None):
        self.market, self.language, self.name, self.sandbox, self.url = market, language, name, sandbox, url
        latitude, longitude = place or PLACES[market]
        self.context = browser.new_context(
            base_url=url, locale="ar-SA" if language == "ar" else "en-GB", viewport={"width": width, "height": HEIGHTS[width]},
            geolocation={"latitude": latitude, "longitude": longitude}, permissions=["geolocation"], has_touch=width < 1000,
            color_scheme="dark" if dark else "light", reduced_motion="reduce", service_workers="allow")
        self.context.set_default_timeout(30_000)
        self.page = self.context.new_page()
        self.faults: list[str] = []
        # What a page reports of itself: a script that fails, a policy that is broken.
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", lambda message: self.faults.append(message.text) if "Content Security Policy" in message.text else None)
        self.email = f"web-{uuid.uuid4().hex[:12]}@example.org"
        self.mobile = fresh_mobile()
        self.password = PASSWORD

    # What is written, in the person's language: a text, or an English and an Arabic one.
    def word(self, words: Words) -> str:
        return words if isinstance(words, str) else words[1 if self.language == "ar" else 0]

    def text(self, words: Words, exact: bool = False) -> re.Pattern:
        """Finds the words in what is shown."""
        if isinstance(words, re.Pattern):
            return words
        inner = UNSEEN + f"{UNSEEN}\\s+{UNSEEN}".join(re.escape(part) for part in self.word(words).split()) + UNSEEN
        return re.compile(f"^\\s*{inner}\\s*$" if exact else inner, re.IGNORECASE)

    def go(self, path: str = "") -> None:
        """Types an address. Everything after the first page goes by taps."""
        self.page.goto(f"/{self.market}/{path}")

    def named(self, words: Words, role: str | None = None, exact: bool = False) -> Locator:
        name = self.text(words, exact)
        roles = [role] if role else ["button", "link", "tab", "radio", "switch"]
        found = self.page.get_by_role(roles[0], name=name)
        for other in roles[1:]:
            found = found.or_(self.page.get_by_role(other, name=name))
        return found

    def tap(self, words: Words, role: str | None = None, exact: bool = False) -> None:
        self.named(words, "button" if exact and not role else role, exact).filter(visible=True).first.click()

    def fill(self, label: Words, value: str) -> None:
        self.page.get_by_label(self.word(label), exact=True).filter(visible=True).first.fill(value)

    def choose(self, words: Words) -> None:
        self.page.get_by_role("radio", name=self.text(words)).first.check()

    def see(self, words: Words) -> None:
        expect(self.page.get_by_text(self.text(words)).filter(visible=True).first).to_be_visible()

    def at(self, title: Words) -> None:
        """Waits for the screen of that title."""
        expect(self.page.get_by_role("heading", level=1, name=self.text(title))).to_be_visible()

    def account(self) -> str:
        return json.loads(self.page.evaluate("localStorage.getItem('serai-account')"))["account"]

    def offline(self, is_off: bool = True) -> None:
        self.context.set_offline(is_off)

    @staticmethod
    def pictures() -> Path:
        PICTURES.mkdir(parents=True, exist_ok=True)
        return PICTURES

    def shot(self, screen: str, widths: list[int] | None = None) -> None:
        """Pictures of what is on the screen, in each width, and a check by axe."""
        folder = self.pictures()
        expect(self.page.locator(".skeleton, main[aria-busy]")).to_have_count(0)
        own = self.page.viewport_size
        for width in widths or list(WIDTHS):
            self.page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
            self.page.screenshot(path=folder / f"{screen}-{self.language}-{width}.png")
            wide = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert wide <= 0, f"{screen} is {wide} pixels too wide at {width}"
        self.page.set_viewport_size(own)
        self.check(screen)

    def check(self, screen: str) -> None:
        """No serious finding of axe, no error of a script, no breach of the content security policy."""
        found = Axe().run(self.page, options={"resultTypes": ["violations"]}).response["violations"]
        bad = [f"{one['id']}: {one['help']}: {one['nodes'][0]['html'][:160]}" for one in found if one["impact"] in ("serious", "critical")]
        assert not bad, f"{screen}: " + "; ".join(bad)
        assert not self.faults, f"{screen}: {self.faults}"

    # Ways that many tests need.

    def register(self, kind: Words | None = None, fields: dict[Words, str] | None = None, more: Callable[[], None] = lambda: None) -> None:
        """From the welcome to the start, logged in: by clicks, with the link or the code that the market sends."""
        self.go()
        self.tap(("Create account", "إنشاء حساب"))
        self.at(("Create account", "إنشاء حساب"))
        self.fill_registration(kind, fields)
        more()
        self.create()
        self.confirm()

    def create(self) -> None:
        """Sends the registration; what a busy service refuses for a moment is sent again, as its text asks for."""
        confirm = self.page.get_by_role("heading", level=1, name=self.word(("Confirm your account", "تأكيد حسابك")))
        for _ in range(4):
            self.tap(("Create", "إنشاء الحساب"), exact=True)
            expect(confirm.or_(self.page.get_by_role("alert")).first).to_be_visible(timeout=60_000)
            if confirm.count():
                return
        self.at(("Confirm your account", "تأكيد حسابك"))

    def fill_registration(self, kind: Words | None = None, fields: dict[Words, str] | None = None) -> None:
        if kind:
            self.choose(kind)
        first, last = self.name.split(" ", 1)
        self.fill(("First name", "الاسم الأول"), first)
        self.fill(("Last name", "اسم العائلة"), last)
        self.fill(("Email", "البريد الإلكتروني"), self.email)
        self.fill(("Mobile number", "رقم الجوال"), self.mobile)
        self.fill(("Password", "كلمة المرور"), self.password)
        self.fill(("Confirm password", "تأكيد كلمة المرور"), self.password)
        for label, value in (fields or {}).items():
            self.fill(label, value)
        for terms in self.page.locator("input[name=terms]").all():
            terms.check()
        if self.market == "btnc":
            birth = self.page.get_by_label(self.word(("Date of birth", "تاريخ الميلاد")), exact=True)
            if birth.count():  # restaurants have none
                birth.fill("1990-04-12")
            self.fill_billing_address()
        if self.market == "edencare":
            self.tap(("Where we come to", "المكان الذي نأتي إليه"))
            self.tap(("Select my current location", "تحديد موقعي الحالي"))
            self.tap(("Select location", "تحديد الموقع"), exact=True)
            self.fill(("Street and number, apartment", "الشارع والرقم والشقة"), "12 Elm Street")

    def fill_billing_address(self) -> None:
        """Where it is asked for. The country is the market's own."""
        if self.page.get_by_label(self.word(("Postcode", "الرمز البريدي")), exact=True).count():
            self.fill(("Street and number", "الشارع والرقم"), "7 Barrack Street")
            self.fill(("Suburb or city", "الحي أو المدينة"), "Perth")
            self.fill(("Postcode", "الرمز البريدي"), "6000")

    def accept_terms(self) -> None:
        """On the screen that comes before all others for whoever has seen no form."""
        self.at(("Terms", "الشروط"))
        self.tap(("Accept the terms", "الموافقة على الشروط"))

    def confirm(self) -> None:
        if self.market in ("carrepsa", "hajji"):
            self.page.get_by_label(self.word(("Code of the SMS", "رمز الرسالة النصية"))).fill(self.sandbox.code(self.page, self.mobile))
        else:
            self.page.goto(self.sandbox.link(self.page, self.email))
            self.at(("Your account is confirmed", "تم تأكيد حسابك"))
            self.tap(("Log in", "تسجيل الدخول"))
            self.log_in()
        self.skip_tour()

    def log_in(self) -> None:
        """On the log-in's screen."""
        self.at(("Log in", "تسجيل الدخول"))
        self.fill(("E-mail or mobile number", "البريد الإلكتروني أو رقم الجوال"), self.email)
        self.fill(("Password", "كلمة المرور"), self.password)
        self.tap(("Log in", "تسجيل الدخول"), exact=True)

    def skip_tour(self) -> None:
        self.at(("How it works", "كيف يعمل"))
        self.tap(("Skip", "تخطٍّ"))
        self.home()

    def home(self) -> None:
        expect(self.page.get_by_role("navigation")).to_be_visible()

    def tab(self, words: Words) -> None:
        self.page.get_by_role("navigation").get_by_role("link", name=re.compile(f"^{re.escape(self.word(words))}(,|$)")).click()

    def close(self) -> None:
        self.context.close()


def deployment() -> tuple[str, Sandbox]:
    return os.environ["SERAI_URL"], Sandbox(os.environ["SERAI_SANDBOX_URL"])
