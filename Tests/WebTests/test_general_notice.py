"""N5, A1: an admin tells the people of a market something in both languages, and a customer reads the whole of it."""

import uuid

from playwright.sync_api import expect

from perth import RIDER


def test_N5_a_notice_is_written_in_both_languages_cancelled_taken_back_and_read_in_the_app(people, operator):
    mark = uuid.uuid4().hex[:6]
    customer = people("btnc", name=f"Mira {mark}")
    customer.register(RIDER)
    arabic = people("btnc", name=f"Noura {mark}", language="ar")
    arabic.register(RIDER)

    one = operator("btnc")
    dialog = one.page.get_by_role("dialog")
    one.go("notices")
    one.at("Notices")
    main = one.page.get_by_role("main")
    main.get_by_role("button", name="New notice").click()
    # Both languages are needed.
    dialog.get_by_label("Title (English)").fill(f"Closed {mark}")
    dialog.get_by_role("button", name="New notice").click()
    expect(dialog.locator("[aria-invalid=true]").first).to_be_visible()
    dialog.get_by_label("Title (Arabic)").fill(f"مغلق {mark}")
    dialog.get_by_label("Text (English)").fill(f"Nobody drives on Friday.\nThe rest of the words of {mark}.")
    dialog.get_by_label("Text (Arabic)").fill(f"لا رحلات يوم الجمعة.\nبقية الكلام {mark}.")
    dialog.get_by_role("radio", name="Customers", exact=True).check()
    dialog.get_by_label("Goes out").fill("2030-01-01T09:00")
    # Farther than a year is refused, and the field says so.
    dialog.get_by_role("button", name="New notice").click()
    expect(dialog).to_contain_text("within a year")
    tomorrow = one.page.evaluate("new Date(Date.now() + 864e5).toISOString().slice(0, 16)")
    dialog.get_by_label("Goes out").fill(tomorrow)
    dialog.get_by_role("button", name="New notice").click()
    expect(dialog).to_have_count(0)

    detail = one.page.locator("aside.detail")
    expect(detail).to_contain_text("Waiting")
    expect(detail.locator(".phone-preview[lang=ar]")).to_contain_text(f"بقية الكلام {mark}")
    expect(detail).to_contain_text("people")
    one.shot("notice")
    # The cancellation is undone, and then not.
    detail.get_by_role("button", name="Cancel the notice").click()
    one.page.get_by_role("button", name="Undo").click()
    detail.get_by_role("button", name="Cancel the notice").click()
    expect(detail).to_contain_text("Cancelled", timeout=20_000)
    one.act("Send it after all")
    expect(detail).to_contain_text("Waiting", timeout=20_000)
    # Without a time it goes out at once.
    detail.get_by_role("button", name="Change").click()
    dialog.get_by_label("Goes out").fill("")
    dialog.get_by_role("button", name="Change").click()
    expect(dialog).to_have_count(0)
    one.go("notices?state=gone")
    expect(one.row(f"Closed {mark}")).to_be_visible(timeout=20_000)

    for person, subject, rest in (
        (customer, f"Closed {mark}", f"The rest of the words of {mark}."), (arabic, f"مغلق {mark}", f"بقية الكلام {mark}."),
    ):
        person.go("inbox")
        item = person.page.get_by_role("button").filter(has_text=subject)
        expect(item).to_be_visible(timeout=20_000)
        expect(person.page.get_by_text(rest)).to_have_count(0)
        item.click()
        expect(person.page.get_by_role("dialog")).to_contain_text(rest)
        person.shot("general-notice")

    one.go("audit")
    expect(one.page.locator("tbody").get_by_text("Wrote a notice").first).to_be_visible(timeout=20_000)
