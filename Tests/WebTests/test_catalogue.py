"""A1, C1, C2: an admin edits the catalogue in the console, and the app sells by it within a second or two."""

import re
import uuid

import pytest
from playwright.sync_api import expect

from desk import call
from ordering import order_id

BOTH = pytest.mark.parametrize("language", ["en", "ar"])
SERVICES = "/admin/v1/markets/edencare/catalogue/services"
CHANGE = ("Change", "تعديل")
# A picture of one pixel.
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc0000003010100c9fe92ef0000000049454e44ae426082")


def told(page, holds) -> None:
    """Waits until dispatch has heard of a change."""
    for _ in range(60):
        types = call("GET", "/dispatch/v1/markets/edencare/services")["items"]
        if holds({one["id"]: one for kind in types for one in kind["services"]}):
            return
        page.wait_for_timeout(500)
    raise AssertionError("dispatch has not heard of the change")


@BOTH
def test_A1_a_service_is_renamed_in_both_languages_and_the_app_shows_it(people, operator, desk, language):
    before = next(one for one in desk.do("GET", SERVICES)["items"] if one["id"] == "foot-care")
    tag = uuid.uuid4().hex[:6]
    one = operator("edencare", language)
    one.go("catalogue/services")
    one.shot("catalogue")
    one.open(one.person.word(("Foot care", "العناية بالقدمين")) if before["version"] == 0 else before["texts"]["name"][language])
    one.shot("catalogue-service")
    try:
        one.act(CHANGE, {
            ("Name · English", "الاسم · الإنجليزية"): f"Foot care {tag}", ("Name · Arabic", "الاسم · العربية"): f"العناية بالقدمين {tag}"})
        detail = one.page.locator("aside.detail")
        expect(detail).to_contain_text(f"Foot care {tag}")
        expect(detail).to_contain_text(one.person.name)
        told(one.page, lambda services: tag in services["foot-care"]["name"])
        client = people("edencare", language=language)
        client.register()
        expect(client.page.get_by_role("checkbox", name=re.compile(tag))).to_be_visible()
        one.go("audit")
        expect(one.page.get_by_role("row").filter(has_text="services/foot-care").first).to_contain_text(one.person.name)
    finally:
        desk.do("PUT", f"{SERVICES}/foot-care", {key: before[key] for key in ("texts", "type", "titles", "minutes", "price")})


def test_C1_a_service_is_added_with_a_picture_ordered_and_retired(people, operator, desk):
    tag = uuid.uuid4().hex[:6]
    desk.do("PUT", "/admin/v1/markets/edencare/settings/openingHours", {"value": "always"})
    one = operator("edencare")
    one.go("catalogue/services")
    one.act("Add", {
        "Id": f"garden-{tag}", "Name · English": f"Gardening {tag}", "Name · Arabic": f"البستنة {tag}",
        "Description · English": "An hour in your garden.", "Description · Arabic": "ساعة في حديقتك.",
        "Instructions · English": "Be at home.", "Instructions · Arabic": "كن في المنزل.",
        "Requirements · English": "A garden.", "Requirements · Arabic": "حديقة.", "Minutes": "60", "Price": "31.00"})
    one.open(f"Gardening {tag}")
    one.page.locator("input[type=file]").set_input_files({"name": "garden.png", "mimeType": "image/png", "buffer": PIXEL})
    one.person.tap("Use this picture")
    expect(one.page.locator("aside.detail .entry-picture img").first).to_have_attribute("src", re.compile("/admin/v1/markets/edencare/images/"))
    one.person.tap("Move up")
    told(one.page, lambda services: f"garden-{tag}" in services and "/admin/" in services[f"garden-{tag}"]["image"])

    client = people("edencare")
    client.register()
    client.page.get_by_role("checkbox", name=re.compile(f"Gardening {tag}")).check()
    client.tap("Next")
    client.choose("As soon as possible")
    client.tap("Go on")
    client.at("Your visit")
    client.see("31.00 CAD")
    client.tap("Order, ")
    order = order_id(client)

    one.act("Retire")
    expect(one.page.locator("aside.detail")).to_contain_text("Retired")
    told(one.page, lambda services: f"garden-{tag}" not in services)
    client.go()
    client.page.reload()
    expect(client.page.get_by_role("checkbox", name=re.compile("Companionship"))).to_be_visible()
    expect(client.page.get_by_role("checkbox", name=re.compile(tag))).to_have_count(0)
    # What was ordered keeps its words.
    client.go(f"o/{order}")
    client.see(f"Gardening {tag}")


def test_A1_a_second_admin_who_changes_the_same_entry_is_told(operator, desk):
    one = operator("assef")
    path = "/admin/v1/markets/assef/catalogue/titles/specialist"
    before = next(entry for entry in desk.do("GET", "/admin/v1/markets/assef/catalogue/titles")["items"] if entry["id"] == "specialist")
    body = {key: before[key] for key in ("texts", "spellings", "ambiguous")}
    one.go("catalogue/titles.specialist")
    one.page.get_by_role("main").get_by_role("button", name="Change", exact=True).click()
    dialog = one.page.get_by_role("dialog")
    dialog.get_by_label(re.compile("^Spellings")).fill(f"Somebody {uuid.uuid4().hex[:6]}")
    try:
        desk.do("PUT", path, {**body, "spellings": [f"Expert {uuid.uuid4().hex[:6]}"]})
        dialog.get_by_role("button", name="Change", exact=True).click()
        expect(dialog).to_contain_text("Another admin has changed this meanwhile")
    finally:
        desk.do("PUT", path, body)


def test_A1_entries_are_moved_by_keys(operator, desk):
    listed = lambda: [entry["id"] for entry in desk.do("GET", "/admin/v1/markets/carrepsa/catalogue/report-reasons")["items"]]
    before = listed()
    one = operator("carrepsa")
    one.go(f"catalogue/report-reasons.{before[1]}")
    expect(one.page.locator("aside.detail")).to_be_visible()
    one.page.locator(f'[data-entry="{before[1]}"]').focus()
    one.page.keyboard.press("Alt+ArrowUp")
    one.person.see("Moved")
    assert listed()[:2] == [before[1], before[0]]
    one.page.locator(f'[data-entry="{before[1]}"]').focus()
    one.page.keyboard.press("Alt+ArrowDown")
    expect(one.page.locator("[data-entry]").first).to_have_attribute("data-entry", before[0], timeout=10_000)
