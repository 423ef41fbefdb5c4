"""I4, I7, I8, I11: Nafath, second factor, papers, photos, another role, and the end of an account."""

import datetime
import struct
import uuid
import zlib

import pytest
from playwright.sync_api import expect

from desk import one_time_code, present_step
from nafath import sign_in_with_nafath
from perth import BUSINESS, CAR, DRIVER, RESTAURANT, choose_car

BOTH = pytest.mark.parametrize("language", ["en", "ar"])


def picture(side: int = 64) -> bytes:
    """A PNG that no two calls make alike."""
    shade = uuid.uuid4().int % 256
    rows = b"".join(b"\0" + bytes([shade, x * 3 % 256, 90]) * side for x in range(side))

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


@BOTH
def test_a_customer_signs_in_with_nafath(people, language):
    person = people("assef", language=language, name=f"Lama T{uuid.uuid4().hex[:6]}")
    sign_in_with_nafath(person, shots=True)
    person.tab(("Me", "حسابي"))
    person.see(person.name)


def test_a_second_factor_is_set_up_and_asked_for(people):
    person = people("btnc")
    person.register()
    person.go("me/factor")
    person.fill("Your password", person.password)
    person.tap("Set it up")
    person.see("Add this key to your authenticator app")
    secret = person.page.locator("code").inner_text().replace(" ", "")
    person.shot("factor-key", [360])
    person.page.get_by_label("Code", exact=True).fill(one_time_code(secret, present_step()))
    person.see("Keep these codes")
    codes = person.page.locator("pre").inner_text().split()
    person.tap("Done")
    person.see("An authenticator app is asked for at each log-in")
    person.go("me")
    person.tap("Log out")
    person.page.get_by_role("dialog").get_by_role("button", name="Log out").click()
    person.tap("Log in")
    person.log_in()
    person.at("Enter the code")
    person.shot("login-factor")
    person.fill("Code", codes[0])
    person.tap("Continue")
    person.home()


def test_a_driver_registers_and_brings_papers(people, desk):
    driver = people("btnc")
    driver.go("register")
    driver.at("Create account")
    driver.fill_registration(kind=DRIVER, fields={**CAR, ("Year of the model", "سنة الصنع"): "1890"})
    choose_car(driver)
    driver.tap("Read the terms")
    expect(driver.page.get_by_role("dialog").get_by_text(driver.text("Version 2026-01"))).to_be_visible()
    driver.shot("register-terms", [360])
    driver.page.keyboard.press("Escape")
    driver.tap("Create", exact=True)
    driver.see("Write a year from 1980")
    driver.fill("Year of the model", "2022")
    driver.shot("register-driver")
    driver.tap("Create", exact=True)
    driver.at("Confirm your account")
    driver.confirm()
    driver.tab("Me")
    driver.see("An admin checks your papers")
    driver.tap("Papers and details")
    driver.see("Please send what is missing")
    driver.shot("papers-missing")
    inputs = driver.page.locator("input[type=file]")
    for index in range(inputs.count()):
        inputs.nth(index).set_input_files({"name": "paper.png", "mimeType": "image/png", "buffer": picture()})
        expect(driver.page.get_by_text("Being checked")).to_have_count(index + 1)
    driver.see("Everything is here")
    driver.shot("papers-sent")
    # An admin says until when each holds: the driver sees the day, and a warning when it is near.
    soon = (datetime.date.today() + datetime.timedelta(days=9)).isoformat()
    provider = f"/identity/v1/markets/btnc/providers/{driver.account()}"
    for paper in desk.do("GET", f"{provider}/papers")["documents"]:
        day = soon if paper["kind"] == "licence" else "2099-12-31"
        desk.do("POST", f"{provider}/documents/{paper['document']}/decision", {"decision": "verify", "expiresOn": day})
    driver.page.reload()
    driver.see("Holds until 31 December 2099")
    driver.see("Send the new one in time")
    driver.see("White")
    driver.shot("papers-expire")


def test_a_photo_of_oneself_and_its_removal_with_undo(people):
    person = people("carrepsa")
    person.register(kind="Sender")
    person.go("me/profile")
    person.page.locator("input[type=file]").set_input_files({"name": "me.png", "mimeType": "image/png", "buffer": picture(900)})
    expect(person.page.locator("img.avatar")).to_be_visible()
    person.page.wait_for_function("document.querySelector('img.avatar').naturalWidth > 0")
    person.shot("me-photo", [360])
    person.tap("Remove the photo")
    expect(person.page.locator("img.avatar")).to_have_count(0)
    person.tap("Undo")
    expect(person.page.locator("img.avatar")).to_be_visible()


def test_a_sender_becomes_a_carrier_too_and_switches(people):
    person = people("carrepsa")
    person.register(kind="Sender")
    person.tab("Me")
    person.tap("Add another role")
    person.choose("Carrier")
    person.page.get_by_role("button", name="Add another role").click()
    person.tab("Me")
    person.tap("Carrier")
    person.page.get_by_role("dialog").get_by_role("button", name="Sender").click()
    expect(person.page.get_by_role("navigation").get_by_role("link", name="Home")).to_be_visible()


@BOTH
def test_B2_a_driver_has_a_restaurant_too_each_with_its_papers(people, language):
    person = people("btnc", language=language, name="Dan Hill")
    person.register(DRIVER, CAR, lambda: choose_car(person))
    person.tab(("Me", "حسابي"))
    person.tap(("Add another role", "إضافة دور آخر"))
    person.choose(RESTAURANT)
    person.page.locator("button[type=submit]").click()
    expect(person.page.get_by_role("alert")).to_be_visible()
    person.shot("me-role-wrong")
    for label, value in BUSINESS.items():
        person.fill(label, value)
    # Where the bills go is known since the registration, and the terms are accepted.
    expect(person.page.get_by_label(person.word(("Postcode", "الرمز البريدي")), exact=True)).to_have_count(0)
    expect(person.page.locator("input[name=terms]")).to_have_count(0)
    person.page.locator("button[type=submit]").click()
    person.at(("Papers and details", "الأوراق والبيانات"))
    person.see("lina@example.org")
    person.see(("Food licence", "ترخيص الأغذية"))
    expect(person.page.get_by_text("1ABC234")).to_have_count(0)
    person.shot("papers-restaurant")
    person.go("me")
    papers = person.page.get_by_role("link", name=person.text(("Papers and details", "الأوراق والبيانات")))
    expect(papers).to_have_count(2)
    person.shot("me-two-titles")
    papers.filter(has_text=person.word(DRIVER)).click()
    person.see("1ABC234")
    person.go("me")
    person.tap(RESTAURANT, "button")
    person.page.get_by_role("dialog").get_by_role("button", name=person.word(DRIVER)).click()
    expect(person.page.get_by_role("navigation").get_by_role("link", name=person.word(("Requests", "الطلبات")))).to_be_visible()


def test_an_account_is_deleted_after_a_question(people):
    person = people("btnc")
    person.register()
    person.go("me/data")
    person.page.get_by_label("Your password").nth(1).fill(person.password)
    person.page.get_by_role("button", name="Delete the account").click()
    dialog = person.page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    person.shot("delete-ask", [360])
    dialog.get_by_role("button", name="Delete the account").click()
    person.see("It is under way")
