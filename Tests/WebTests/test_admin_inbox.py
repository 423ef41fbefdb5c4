"""N1, A1: what waits for a market's admins comes to all of them live; one takes it, another sees that, and it goes when it is decided."""

import re
import uuid

import pytest
from playwright.sync_api import expect

from console import Operator, grant
from perth import RIDER

LATE = 20_000


def ask(person, title: str) -> None:
    person.go("help")
    person.at("Contact us")
    person.fill("Title", title)
    person.fill("What do you want to ask or tell us?", "Why is it 12?")
    person.tap("Send", "button", exact=True)
    person.at("Support")


def badge(operator) -> int:
    """The number beside the inbox in the rail."""
    link = operator.page.locator("#rail a").filter(has_text=operator.person.text(("Inbox", "صندوق المشرفين"))).first
    count = link.locator(".count")
    return int(count.inner_text().replace(",", "")) if count.count() else 0


def test_N1_an_inquiry_comes_live_is_taken_by_one_and_goes_with_the_answer(people, operator):
    mark = uuid.uuid4().hex[:6]
    customer = people("btnc", name=f"Mira {mark}")
    customer.register(RIDER)
    one, two = operator("btnc"), operator("btnc")
    for admin in (one, two):
        admin.go("inbox?kind=inquiry")
        admin.at("Inbox")
        expect(admin.field("Kind")).to_have_value("inquiry")
        expect(admin.row(mark)).to_have_count(0)

    # Without a new reading by hand, in both consoles.
    ask(customer, f"My bill {mark}")
    for admin in (one, two):
        expect(admin.row(mark)).to_contain_text("An inquiry waits for an answer", timeout=LATE)
        assert badge(admin) > 0
    one.shot("inbox")

    # By keys alone.
    one.row(mark).locator("[data-row]").focus()
    one.page.keyboard.press("Enter")
    detail = one.page.locator("aside.detail")
    expect(detail).to_contain_text("Waiting")
    two.open(mark)
    # The other one has the question open when the first one takes it.
    two.page.get_by_role("main").get_by_role("button", name="Take it", exact=True).click()
    dialog = two.page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    one.act("Take it")
    expect(detail).to_contain_text("Taken", timeout=LATE)
    expect(detail).to_contain_text(one.person.name, timeout=LATE)
    dialog.get_by_role("button", name="Take it", exact=True).click()
    expect(dialog).to_contain_text("Somebody else was first", timeout=LATE)
    dialog.get_by_role("button", name="Close", exact=True).last.click()
    expect(two.page.locator("aside.detail")).to_contain_text(one.person.name, timeout=LATE)
    expect(two.page.get_by_role("main").get_by_role("button", name="Take it", exact=True)).to_have_count(0)
    one.shot("inbox-taken")
    one.filter("Whose", "true")
    expect(one.page).to_have_url(re.compile("own=true"))
    expect(one.row(mark)).to_be_visible()

    # To where it is decided; the answer takes it out of both inboxes.
    detail.get_by_role("link", name="Open it").click()
    one.at("Inquiries")
    one.act("Answer", {"Your answer": "It was a fine."})
    expect(two.row(mark)).to_have_count(0, timeout=LATE)
    one.go("inbox?state=settled&kind=inquiry")
    expect(one.row(mark)).to_contain_text("Settled", timeout=LATE)
    one.go("audit")
    expect(one.row("Took something from the inbox")).to_contain_text(one.person.name, timeout=LATE)


@pytest.mark.parametrize("language", ["en", "ar"])
def test_N1_what_is_done_goes_and_can_be_opened_again(people, operator, language):
    mark = uuid.uuid4().hex[:6]
    customer = people("btnc", name=f"Noura {mark}")
    customer.register(RIDER)
    ask(customer, f"Nothing of weight {mark}")
    one = operator("btnc", language)
    one.go("inbox")
    one.at(("Inbox", "صندوق المشرفين"))
    expect(one.row(mark)).to_be_visible(timeout=LATE)
    detail = one.open(mark)
    one.act(("Done", "تم"))
    expect(detail).to_contain_text(one.person.word(("Done", "منجز")), timeout=LATE)
    expect(one.row(mark)).to_have_count(0, timeout=LATE)
    one.act(("Open it again", "إعادة فتحه"))
    expect(one.row(mark)).to_be_visible(timeout=LATE)
    one.shot(f"inbox-one-{language}")


def test_Q7_the_support_reads_the_inbox_and_is_offered_no_act(people, desk):
    mark = uuid.uuid4().hex[:6]
    customer = people("btnc", name=f"Salma {mark}")
    customer.register(RIDER)
    ask(customer, f"To be read {mark}")
    colleague = people("btnc", name=f"Su {mark}", width=1440)
    grant(colleague, desk, "btnc", rank="support")
    one = Operator(colleague)
    one.log_in()
    one.go("inbox")
    expect(one.row(mark)).to_be_visible(timeout=LATE)
    one.open(mark)
    for name in ("Take it", "Done", "Give it back"):
        expect(one.page.get_by_role("main").get_by_role("button", name=name, exact=True)).to_have_count(0)
