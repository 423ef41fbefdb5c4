"""Somebody at the operations console: an admin with a browser, who logs in, filters lists, opens what is in them, and acts."""

import re
import urllib.parse

from playwright.sync_api import Locator, expect

from desk import Desk, call, one_time_code, present_step
from person import OFFICE, Person, Words


def invite(someone: Person, desk: Desk, home: str = "btnc") -> str:
    """Makes an account whose owner follows the mail, which proves the address."""
    account = desk.do("POST", f"/identity/v1/markets/{home}/people", {
        "role": "customer", "name": someone.name, "email": someone.email, "mobile": someone.mobile, "language": someone.language})["account"]
    token = someone.sandbox.link(someone.page, someone.email).split("#token=")[1]
    call("POST", "/identity/v1/password-resets/finish", {"token": urllib.parse.unquote(token), "password": someone.password})
    return account


def grant(someone: Person, desk: Desk, market: str, home: str = "btnc", rank: str = "admin") -> None:
    """Makes an account and gives it the rights of a market's admin, or of its support; `*` are those of all markets."""
    desk.do("POST", f"/identity/v1/markets/{market}/admins", {"account": invite(someone, desk, home), "rank": rank})


class Operator:
    """An admin at the console of a market. The first log-in sets up the second factor."""

    def __init__(self, someone: Person):
        self.person, self.page, self.market = someone, someone.page, someone.market

    def go(self, path: str) -> None:
        self.page.goto(f"/console/{self.market}/{path}")

    def at(self, title: Words) -> None:
        self.person.at(title)

    def log_in(self) -> str:
        """By password; then the second factor, whose key is returned."""
        self.go("today")
        self.at(("Log in to the console", "تسجيل الدخول إلى لوحة التشغيل"))
        self.person.fill(("E-mail or mobile number", "البريد الإلكتروني أو رقم الجوال"), self.person.email)
        self.person.fill(("Password", "كلمة المرور"), self.person.password)
        self.person.tap(("Log in", "تسجيل الدخول"), exact=True)
        return self.enrol()

    def enrol(self) -> str:
        self.at(("Set up a second factor", "إعداد عامل ثانٍ"))
        self.person.fill(("Password", "كلمة المرور"), self.person.password)
        self.person.tap(("Set it up", "بدء الإعداد"))
        secret = self.page.locator("code.key").inner_text().replace(" ", "")
        self.page.get_by_label(self.person.word(("Code", "الرمز")), exact=True).fill(one_time_code(secret, present_step()))
        expect(self.page.locator("pre.key")).to_be_visible()
        self.person.tap(("Go on", "متابعة"))
        self.at(("Today", "اليوم"))
        return secret

    def row(self, text: str) -> Locator:
        """The row of a list that has the text."""
        return self.page.get_by_role("row").filter(has_text=text).first

    def open(self, text: str) -> Locator:
        """Opens a row; what is open stands beside the list, or over it."""
        self.row(text).locator("[data-row]").click()
        detail = self.page.locator("aside.detail")
        expect(detail).to_be_visible()
        return detail

    def filter(self, label: Words, value: str) -> None:
        """A choice by its value, or a text."""
        field = self.field(label)
        if field.evaluate("element => element.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)

    def field(self, label: Words) -> Locator:
        """A filter by its label; the choice of columns beside it has the same words."""
        bar = self.page.get_by_role("group", name=self.person.word(("Filters", "عوامل التصفية")))
        return bar.locator(".filter").get_by_label(self.person.word(label), exact=True)

    def act(self, label: Words, fields: dict[Words, str] | None = None, choose: Words | None = None, confirm: Words | None = None) -> None:
        """The button of an act, its question, and the word that it is done."""
        name = self.person.text(label, exact=True)
        self.page.get_by_role("main").get_by_role("button", name=name).filter(visible=True).first.click()
        dialog = self.page.get_by_role("dialog")
        if choose:
            dialog.get_by_role("radio", name=self.person.text(choose)).check()
        for field, value in (fields or {}).items():
            dialog.locator("input:not([type=radio]), textarea").and_(dialog.get_by_label(re.compile(f"^{re.escape(self.person.word(field))}"))).fill(value)
        dialog.get_by_role("button", name=self.person.text(confirm, exact=True) if confirm else name).last.click()
        expect(dialog).to_have_count(0)

    def shot(self, name: str) -> None:
        self.person.shot(f"console-{name}", list(OFFICE))
