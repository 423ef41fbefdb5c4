"""O11, W2, W5: a parcel between two browsers, from the registration of both to their ratings, by clicks."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from ordering import status
from paying import fill_card, press_next, top_up
from person import Person

BOTH = pytest.mark.parametrize("language", ["en", "ar"])
LATE = 60_000


def photo(folder: Path, person: Person) -> Path:
    """A picture as of a camera: the screen as it is."""
    path = folder / "lamp.jpg"
    person.page.screenshot(path=path, type="jpeg", quality=60)
    return path


def choose_place(person: Person, label, search: str | None = None) -> None:
    person.tap(label, "button")
    if search:
        person.page.get_by_role("searchbox").fill(search)
        person.page.get_by_role("dialog").get_by_role("listitem").get_by_role("button").first.click()
    else:
        person.tap(("Select my current location", "تحديد موقعي الحالي"))
    person.page.get_by_role("dialog").get_by_role("button", name=person.word(("Select location", "تحديد الموقع")), exact=True).click()
    expect(person.page.get_by_role("dialog")).to_have_count(0)


def post_parcel(owner: Person, folder: Path, pay: str, deposit: str, shots: bool = False, repeats: bool = False) -> None:
    """The three questions, up to the payment."""
    shot = owner.shot if shots else lambda name: None
    owner.tap(("Send a parcel", "إرسال طرد"))
    owner.at(("What is it?", "ما الطرد؟"))
    shot("parcel-what")
    owner.fill(("Name", "الاسم"), "Lamp")
    owner.page.locator("input[type=file]").set_input_files(photo(folder, owner))
    owner.page.locator(".choice", has_text="1").first.click()
    owner.page.get_by_label(owner.word(("It is fragile", "قابل للكسر"))).check()
    expect(owner.page.get_by_text(owner.word(("The photo is being sent", "جارٍ إرسال الصورة")))).to_have_count(0)
    press_next(owner)
    owner.at(("From where to where?", "من أين وإلى أين؟"))
    shot("parcel-where")
    choose_place(owner, ("Where it is", "مكان الطرد"))
    choose_place(owner, ("Where it goes", "وجهته"), "Liseberg")
    press_next(owner)
    owner.at(("What do you pay?", "كم تدفع؟"))
    # What others have paid, or the market's usual price; a tap takes the middle.
    owner.see(re.compile("Usual for such a way|like this cost|المعتاد لهذه المسافة|مشابه"))
    owner.tap(("Take", "اعتماد"))
    expect(owner.page.locator("input[name=payment]")).not_to_have_value("")
    owner.page.locator("input[name=payment]").fill(pay)
    owner.page.locator("input[name=deposit]").fill(deposit)
    shot("parcel-price")
    if repeats:
        owner.page.get_by_label(owner.word(("It goes again and again", "يتكرر إرساله"))).check()
        owner.choose(("Each week", "كل أسبوع"))
        shot("parcel-repeats")
    press_next(owner)


def confirm(person: Person) -> None:
    """Yes, in the question over the page."""
    person.page.get_by_role("dialog").get_by_role("button").nth(1).click()


def rate(person: Person) -> None:
    person.page.locator(".stars label").nth(4).click()
    person.page.locator(".stars").locator("xpath=ancestor::form").get_by_role("button").last.click()


@BOTH
def test_o11_a_parcel_is_posted_paid_taken_with_a_deposit_carried_and_rated(people, tmp_path, language):
    owner = people("carrepsa", language=language, name="Olof Berg")
    carrier = people("carrepsa", language=language, name="Karin Lund")
    owner.register(kind=("Sender", "مرسل"))
    owner.shot("home-carrepsa")
    post_parcel(owner, tmp_path, "50", "90", shots=True)
    owner.at(("Pay", "الدفع"))
    fill_card(owner)
    press_next(owner)
    status(owner, ("Your parcel is on the board", "طردك معروض على اللوحة"))
    owner.shot("parcel-on-board")

    carrier.register(kind=("Carrier", "ناقل"))
    top_up(carrier, "200")
    carrier.shot("top-up-done")
    carrier.go("board")
    carrier.at(("Parcels to carry", "طرود للتوصيل"))
    order = owner.page.url.rsplit("/", 1)[1]
    row = carrier.page.locator(f"a[href$='/o/{order}']")
    expect(row).to_be_visible(timeout=LATE)
    carrier.shot("board")
    carrier.tap(("Map", "خريطة"))
    expect(carrier.page.locator(".map-pin").first).to_be_visible()
    carrier.shot("board-map")
    carrier.tap(("Along my way", "على طريقي"))
    carrier.see(("Where are you going?", "إلى أين تتجه؟"))
    choose_place(carrier, ("I go from", "أنطلق من"))
    choose_place(carrier, ("I go to", "أتجه إلى"), "Liseberg")
    expect(row).to_be_visible()
    carrier.shot("board-along")
    carrier.tap(("List", "قائمة"))
    row.click()
    status(carrier, ("wants this carried", "يبحث"))
    carrier.shot("parcel-offered")
    carrier.tap(("Accept delivery", "قبول التوصيل"))
    confirm(carrier)
    status(carrier, ("Fetch the parcel", "استلم الطرد"))
    carrier.shot("parcel-to-fetch")

    status(owner, ("comes for your parcel", "لاستلام طردك"))
    carrier.tap(("I have it", "الطرد معي"))
    confirm(carrier)
    status(owner, ("got your parcel", "هل استلم"))
    owner.shot("parcel-picked-up-asked")
    owner.tap(("Confirm pickup", "تأكيد الاستلام"))
    confirm(owner)
    status(carrier, ("Bring the parcel", "أوصل الطرد"))
    owner.see(("decides whether you can follow", "إن كان بإمكانك متابعة الطريق"))
    carrier.page.get_by_role("switch", name=carrier.text(("Let Olof Berg follow the way", "السماح لـ Olof Berg بمتابعة الطريق"))).click()
    owner.see(("lets you follow the way", "يتيح لك"))
    owner.shot("parcel-followed")
    carrier.shot("parcel-travelling")
    carrier.tap(("Delivered", "سلّمت الطرد"))
    confirm(carrier)
    status(owner, ("says that it is delivered", "بتسليم الطرد"))
    owner.tap(("Confirm delivery", "تأكيد التسليم"))
    confirm(owner)
    status(owner, ("Your parcel is delivered", "تم تسليم طردك"))
    status(carrier, ("You delivered the parcel", "سلّمت الطرد"))
    rate(owner)
    rate(carrier)
    expect(owner.page.locator(".stars")).to_have_count(0)
    expect(carrier.page.locator(".stars")).to_have_count(0)
    owner.shot("parcel-delivered")
    carrier.go("earnings")
    carrier.see("50.00")
    carrier.see(("By day and week", "حسب اليوم والأسبوع"))
    carrier.shot("earnings-carrepsa")
    owner.go()
    owner.see(("1 parcel sent", "طرد واحد"))
    carrier.go("wallet")
    # What a card has paid for a parcel can be spent at once, and cashed out later.
    carrier.see("250.00")
    carrier.see(("cashed out later", "وسحبه لاحقًا"))
    carrier.shot("wallet")


def test_o11_a_carrier_without_money_for_the_deposit_gives_the_parcel_back_to_the_board(people, tmp_path):
    owner = people("carrepsa", name="Olof Berg")
    carrier = people("carrepsa", name="Karin Lund")
    owner.register(kind="Sender")
    post_parcel(owner, tmp_path, "0", "90")
    status(owner, "Your parcel is on the board")
    carrier.register(kind="Carrier")
    carrier.go(f"o/{owner.page.url.rsplit('/', 1)[1]}")
    carrier.tap("Accept delivery")
    confirm(carrier)
    status(carrier, "wants this carried")
    owner.tap("Cancel")
    confirm(owner)
    status(owner, "cancelled")


@BOTH
def test_o11_the_photo_of_a_parcel_is_changed_and_taken_off_until_it_is_picked_up(people, tmp_path, language):
    owner = people("carrepsa", language=language, name="Olof Berg")
    owner.register(kind=("Sender", "مرسل"))
    post_parcel(owner, tmp_path, "0", "")
    status(owner, ("Your parcel is on the board", "طردك معروض على اللوحة"))
    picture = owner.page.locator("img.picture.large")
    expect(picture).to_be_visible()
    first = picture.get_attribute("src")
    owner.shot("parcel-photo")
    owner.page.locator("input[type=file]").set_input_files(photo(tmp_path, owner))
    owner.see(("The new photo is on the parcel", "أُضيفت الصورة الجديدة إلى الطرد"))
    expect(picture).not_to_have_attribute("src", first)
    owner.tap(("Remove the photo", "إزالة الصورة"))
    expect(picture).to_have_count(0)
    owner.tap(("Undo", "تراجع"))
    expect(picture).to_be_visible()
    owner.tap(("Remove the photo", "إزالة الصورة"))
    with owner.page.expect_response(lambda one: one.request.method == "DELETE" and one.url.endswith("/photo")) as gone:
        owner.see(("Add a photo", "إضافة صورة"))
    assert gone.value.ok
    expect(picture).to_have_count(0)
    owner.shot("parcel-photo-none")


@BOTH
def test_x4_a_parcel_that_goes_each_week_is_planned_seen_and_ended(people, tmp_path, language):
    owner = people("carrepsa", language=language, name="Olof Berg")
    owner.register(kind=("Sender", "مرسل"))
    post_parcel(owner, tmp_path, "50", "", shots=True, repeats=True)
    owner.at(("Repeating parcels", "الطرود المتكررة"))
    owner.see("Lamp")
    owner.see(("Planned", "مجدولة"))
    owner.shot("series-parcels-one")
    owner.go("orders")
    owner.tap(("Repeating parcels", "الطرود المتكررة"))
    owner.see(("Goes on", "مستمرة"))
    owner.shot("series-parcels")
    owner.tap("Lamp", "link")
    owner.tap(("End the parcels", "إنهاء الطرود"))
    owner.page.get_by_role("dialog").get_by_role("button", name=owner.word(("End the parcels", "إنهاء الطرود"))).click()
    owner.see(("No more parcels are posted", "لن تُنشر طرود جديدة"))
