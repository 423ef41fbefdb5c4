"""N4, N6: what the parties of an order write to each other in two browsers, and what people ask the market."""

import re
import uuid

import pytest
from playwright.sync_api import expect

from ordering import status
from person import Person
from test_parcels import confirm, photo, post_parcel

BOTH = pytest.mark.parametrize("language", ["en", "ar"])
LATE = 60_000


def write(person: Person, text: str) -> None:
    person.page.get_by_role("textbox", name=person.word(("Message", "رسالة"))).fill(text)
    person.tap(("Send", "إرسال"), "button", exact=True)


def bubble(person: Person, text: str):
    return person.page.locator(".bubble").filter(has_text=text)


def hears(person: Person, text: str) -> None:
    expect(bubble(person, text)).to_have_count(1, timeout=LATE)


def open_talk(person: Person, other: str) -> None:
    link = person.page.get_by_role("link", name=person.text((f"Write to {other}", f"مراسلة {other}")))
    expect(link).to_be_visible(timeout=LATE)
    link.click()
    person.at(other)


def parcel_in_two_browsers(people, tmp_path, language: str = "en") -> tuple[Person, Person]:
    """A parcel for which nothing is paid, and which somebody has taken."""
    owner = people("carrepsa", language=language, name="Olof Berg")
    carrier = people("carrepsa", language=language, name="Karin Lund")
    owner.register(kind=("Sender", "مرسل"))
    post_parcel(owner, tmp_path, "0", "0")
    status(owner, ("Your parcel is on the board", "طردك معروض على اللوحة"))
    # Before somebody has taken it there is nobody to write to.
    expect(owner.page.get_by_role("link", name=owner.text(("Write to", "مراسلة")))).to_have_count(0)
    carrier.register(kind=("Carrier", "ناقل"))
    carrier.go(f"o/{owner.page.url.rsplit('/', 1)[1]}")
    carrier.tap(("Accept delivery", "قبول التوصيل"))
    confirm(carrier)
    status(carrier, ("Fetch the parcel", "استلم الطرد"))
    return owner, carrier


@BOTH
def test_N4_two_people_write_to_each_other_with_a_photo_and_read_marks(people, tmp_path, language):
    owner, carrier = parcel_in_two_browsers(people, tmp_path, language)
    open_talk(carrier, "Olof Berg")
    carrier.see(("Nothing was said yet", "لا رسائل بعد"))
    carrier.shot("talk-empty")
    write(carrier, "Hej, I come at six")
    hears(carrier, "Hej, I come at six")
    expect(bubble(carrier, "Hej")).to_contain_text(carrier.word(("Delivered", "وصلت")), timeout=LATE)
    # The order's page says that there is something to read.
    expect(owner.page.get_by_text(owner.text(("1 new", "رسالة جديدة")))).to_be_visible(timeout=LATE)
    owner.shot("order-parcel-message")
    open_talk(owner, "Karin Lund")
    hears(owner, "Hej, I come at six")
    expect(bubble(carrier, "Hej")).to_contain_text(carrier.word(("Read", "قُرئت")), timeout=LATE)

    owner.page.get_by_role("textbox", name=owner.word(("Message", "رسالة"))).type("I am")
    carrier.see(("Olof Berg is typing", "Olof Berg يكتب الآن"))
    write(owner, "I am at home\nThe door is green")
    hears(carrier, "The door is green")
    owner.page.locator(".composer input[type=file]").set_input_files(photo(tmp_path, owner))
    expect(carrier.page.get_by_role("img", name=carrier.text(("Photo from Olof Berg", "صورة من Olof Berg")))).to_be_visible(timeout=LATE)
    owner.shot("talk")
    carrier.shot("talk-photo")


@BOTH
def test_T110_N4_what_was_said_is_deleted_for_both_by_the_keyboard(people, tmp_path, language):
    owner, carrier = parcel_in_two_browsers(people, tmp_path, language)
    open_talk(carrier, "Olof Berg")
    write(carrier, "The wrong door code is 1234")
    open_talk(owner, "Karin Lund")
    hears(owner, "The wrong door code is 1234")
    # Only its sender can delete it.
    owner.tap(("What to do with this message", "ماذا تفعل بهذه الرسالة"))
    expect(owner.page.get_by_role("button", name=owner.word(("Delete for everybody", "حذف لدى الجميع")))).to_have_count(0)
    owner.page.keyboard.press("Escape")
    more = bubble(carrier, "1234").get_by_role("button", name=carrier.word(("What to do with this message", "ماذا تفعل بهذه الرسالة")))
    more.focus()
    carrier.page.keyboard.press("Enter")
    carrier.shot("talk-menu")
    entry = carrier.page.get_by_role("button", name=carrier.word(("Delete for everybody", "حذف لدى الجميع")))
    entry.focus()
    carrier.page.keyboard.press("Enter")
    expect(carrier.page.get_by_text(carrier.word(("Delete this message?", "حذف هذه الرسالة؟")))).to_be_visible()
    entry.click()
    for person in (carrier, owner):
        hears(person, person.word(("Deleted", "رسالة محذوفة")))
        expect(bubble(person, "1234")).to_have_count(0)
    owner.shot("talk-deleted")


def test_T100_N4_what_was_said_is_forwarded_to_the_support(people, tmp_path):
    owner, carrier = parcel_in_two_browsers(people, tmp_path)
    carrier.go("help")
    title = f"Lost {uuid.uuid4().hex[:6]}"
    carrier.fill("Title", title)
    carrier.fill("What do you want to ask or tell us?", "See what I send next")
    carrier.tap("Send", "button", exact=True)
    carrier.at("Support")
    carrier.go(f"o/{owner.page.url.rsplit('/', 1)[1]}")
    open_talk(owner, "Karin Lund")
    write(owner, "Leave it at the kiosk")
    open_talk(carrier, "Olof Berg")
    hears(carrier, "Leave it at the kiosk")
    carrier.tap("What to do with this message")
    carrier.tap("Forward", "button", exact=True)
    carrier.shot("talk-forward")
    carrier.tap("Support")
    carrier.see("Forwarded to")
    carrier.tap("Open", "link", exact=True)
    carrier.at("Support")
    hears(carrier, "Leave it at the kiosk")
    expect(bubble(carrier, "kiosk")).to_contain_text("Forwarded")


def test_N4_what_looks_like_a_program_is_shown_as_the_text_that_it_is(people, tmp_path):
    owner, carrier = parcel_in_two_browsers(people, tmp_path)
    open_talk(owner, "Karin Lund")
    open_talk(carrier, "Olof Berg")
    for person in (owner, carrier):
        person.page.on("dialog", lambda dialog: person.faults.append(dialog.message))
    evil = '<img src=x onerror="alert(1)"><script>alert(2)</script>'
    write(owner, evil)
    hears(carrier, evil)
    expect(carrier.page.locator(".bubble img")).to_have_count(0)
    expect(bubble(owner, evil)).to_contain_text(re.compile("Sent|Delivered|Read"), timeout=LATE)
    assert owner.faults == [] and carrier.faults == []


def test_Q12_N4_what_is_written_without_a_connection_arrives_once(people, tmp_path):
    owner, carrier = parcel_in_two_browsers(people, tmp_path)
    open_talk(owner, "Karin Lund")
    open_talk(carrier, "Olof Berg")
    carrier.offline()
    write(carrier, "I stand in the tunnel")
    write(carrier, "and come in ten minutes")
    expect(carrier.page.locator(".bubble", has_text="Waits for a connection")).to_have_count(2)
    carrier.shot("talk-offline", [360])
    carrier.offline(False)
    for text in ("I stand in the tunnel", "and come in ten minutes"):
        hears(owner, text)
        hears(carrier, text)
    expect(carrier.page.get_by_text("Waits for a connection")).to_have_count(0)
    said = owner.page.locator(".bubble").all_inner_texts()
    assert [("tunnel" in one, "minutes" in one) for one in said] == [(True, False), (False, True)]


def test_N4_a_reported_message_is_read_by_an_admin_until_the_report_is_closed(people, operator, tmp_path):
    owner, carrier = parcel_in_two_browsers(people, tmp_path)
    words = f"You are a fool {uuid.uuid4().hex[:6]}"
    open_talk(carrier, "Olof Berg")
    write(carrier, words)
    open_talk(owner, "Karin Lund")
    hears(owner, words)
    owner.tap("What to do with this message")
    owner.tap("Report this message")
    reason = f"Insult {uuid.uuid4().hex[:6]}"
    owner.fill("What is wrong with it", reason)
    owner.tap("Send the report")
    owner.see("The admins will look at it")

    admin = operator("carrepsa")
    admin.go("decisions")
    expect(admin.page.get_by_role("heading", name="Reported messages")).to_be_visible()
    admin.go("messages")
    admin.at("Reported messages")
    detail = admin.open(reason)
    expect(detail.get_by_text(words)).to_be_visible()
    admin.shot("carrepsa-messages-one")
    admin.act("Close the report")
    expect(admin.row(reason)).to_have_count(0)
    expect(detail).to_have_count(0)


@BOTH
def test_N6_somebody_asks_the_market_and_reads_the_answer_of_an_admin(people, operator, tmp_path, language):
    person = people("btnc", language=language)
    person.register()
    person.tab(("Me", "حسابي"))
    person.tap(("Contact us", "تواصل معنا"), "link")
    person.at(("Contact us", "تواصل معنا"))
    person.see(("You have not asked anything yet", "لم ترسل أي استفسار بعد"))
    title = f"Bill {uuid.uuid4().hex[:6]}"
    person.fill(("Title", "العنوان"), title)
    person.fill(("What do you want to ask or tell us?", "ماذا تود أن تسألنا أو تخبرنا؟"), "Why is it 12?")
    person.page.locator("input[type=file]").set_input_files(photo(tmp_path, person))
    person.shot("help")
    person.tap(("Send", "إرسال"), "button", exact=True)
    person.at(("Support", "الدعم"))
    hears(person, "Why is it 12?")
    expect(person.page.locator(".bubble img")).to_be_visible(timeout=LATE)

    admin = operator("btnc", language)
    admin.go("inquiries")
    admin.at(("Inquiries", "الاستفسارات"))
    admin.filter(("Section", "القسم"), "customers")
    detail = admin.open(title)
    expect(detail.get_by_text("Why is it 12?")).to_be_visible()
    admin.act(("Take it", "تولّي الاستفسار"))
    admin.act(("Answer", "الرد"), {("Your answer", "ردك"): "It was a fine."})
    expect(detail.get_by_text("It was a fine.")).to_be_visible()
    admin.shot(f"btnc-inquiries-one-{language}")

    hears(person, "It was a fine.")
    person.shot("talk-support")
    person.go("help")
    row = person.page.get_by_role("listitem").filter(has_text=title)
    expect(row).to_contain_text(person.word(("Responded", "تم الرد")))
    person.shot("help-history")
