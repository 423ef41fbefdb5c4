"""What people do with money: cards, payments, the bank's page. Words are `(English, Arabic)`."""

import re

from playwright.sync_api import expect

from person import Person

GOOD = "4242 4242 4242 4242"
DECLINED = "4000 0000 0000 0002"
ASKS = "4000 0027 6000 3184"


def fill_card(person: Person, number: str = GOOD) -> None:
    """The fields of a new card."""
    person.fill(("Card number", "رقم البطاقة"), number)
    person.fill(("Expires", "تاريخ الانتهاء"), "12/30")
    person.fill(("Security code (CVV)", "رمز الأمان (CVV)"), "123")
    person.fill(("Name on the card", "الاسم على البطاقة"), person.name)


def press_next(person: Person) -> None:
    """The screen's big button, whatever it says."""
    person.page.locator(".screen-footer button[type=submit]").click()


def answer_bank(person: Person, word: str) -> None:
    """On the bank's page, then back to the app. The deployment leads back to its own address, which may have another port."""
    person.page.get_by_role("button", name=word, exact=True).click()
    person.page.wait_for_url(re.compile(r"/payments|/carrepsa/"))
    if not person.page.url.startswith(person.url):
        person.page.goto(f"{person.url}/payments")


def top_up(person: Person, amount: str) -> None:
    """From the wallet, with a new card or the stored one; ends on the wallet."""
    person.go("wallet")
    person.at(("Wallet", "المحفظة"))
    person.tap(("Top up", "شحن"))
    person.at(("Top up", "شحن المحفظة"))
    person.page.locator("input[name=amount]").fill(amount)
    if person.page.locator("input[name=number]").count():
        fill_card(person)
    else:
        person.fill(("Security code (CVV)", "رمز الأمان (CVV)"), "123")
    press_next(person)
    expect(person.page.get_by_role("heading", name=re.compile("is in your wallet|في محفظتك"))).to_be_visible(timeout=60_000)
