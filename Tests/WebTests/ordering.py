"""What people do on the page of an order: wait for its sentence, pay, take a step, rate."""

import re

from playwright.sync_api import expect

from person import Person, Words

LATE = 60_000


def order_id(person: Person) -> str:
    person.page.wait_for_url(re.compile(r"/(o|pay)/[0-9a-f-]{36}"))
    return re.search(r"/(?:o|pay)/([0-9a-f-]{36})", person.page.url).group(1)


def status(person: Person, words: Words) -> None:
    """Waits for the order's sentence."""
    expect(person.page.locator(".order-state [role=status]")).to_contain_text(person.text(words), timeout=LATE)


def pay_by(person: Person, way: Words) -> None:
    """From the page of the order to the payment, and back."""
    person.tap(("Pay", "ادفع"))
    person.at(("Pay", "الدفع"))
    choose_way(person, way)


def choose_way(person: Person, way: Words) -> None:
    """On the screen that asks how to pay, to the page of the order."""
    person.choose(way)
    person.page.locator(".screen-footer button[type=submit]").click()
    person.page.wait_for_url(re.compile(r"/o/[0-9a-f-]{36}"))


def answer(person: Person, words: Words) -> None:
    """The button of the question over the page."""
    dialog = person.page.get_by_role("dialog")
    dialog.get_by_role("button", name=person.text(words)).click()
    expect(dialog).to_have_count(0)


def be_there(person: Person, button: Words, then: Words, asks: bool = False) -> None:
    """A step that the service believes once the phone has told twice that it is there: taken again until then."""
    said = person.page.locator(".order-state [role=status]").filter(has_text=person.text(then))
    refused = person.page.locator(".screen-footer .note")
    for _ in range(20):
        person.tap(button)
        if asks:
            answer(person, button)
        expect(said.or_(refused).first).to_be_visible()
        if said.count():
            return
        person.page.wait_for_timeout(1000)  # as long as the service says
    status(person, then)


def rate(person: Person, stars: int, service: int | None = None) -> None:
    groups = person.page.locator("fieldset.stars")
    groups.nth(0).get_by_role("radio").nth(stars - 1).check(force=True)
    if service:
        groups.nth(1).get_by_role("radio").nth(service - 1).check(force=True)
    person.tap(("Send the rating", "إرسال التقييم"))
    person.see(("Your rating", "تقييمك"))
