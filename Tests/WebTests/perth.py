"""People of the tests in Perth: riders with money, drivers and restaurants whom an admin has verified."""

import base64

from playwright.sync_api import expect

from desk import Desk
from paying import top_up
from person import Person

PDF = b"%PDF-1.4\n1 0 obj <</Type /Catalog>> endobj\ntrailer <</Root 1 0 R>>\n%%EOF\n"
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")

RIDER, DRIVER, RESTAURANT = ("Rider", "راكب"), ("Driver", "سائق"), ("Restaurant", "مطعم")
# The names of the fields are the API's own.
CAR = {
    ("Number of the driving licence", "رقم رخصة القيادة"): "WA 123456", ("Licence held since", "تاريخ الحصول على الرخصة"): "2012-01-01",
    ("Make of the vehicle", "الشركة المصنّعة للمركبة"): "Toyota", ("Model", "الطراز"): "Camry", ("Year of the model", "سنة الصنع"): "2022",
    ("Number plate", "رقم اللوحة"): "1ABC234",
}
COLOUR, SIZE = ("Colour of the vehicle", "لون المركبة"), ("Regular", "عادية")
BUSINESS = {
    ("Business number", "رقم السجل التجاري"): "ABN 51 824 753 556", ("Contact person", "الشخص المسؤول"): "Lina Aziz",
    ("Mobile of the contact person", "جوال الشخص المسؤول"): "+61412345678",
    ("E-mail of the contact person", "البريد الإلكتروني للشخص المسؤول"): "lina@example.org", ("Address of the business", "عنوان النشاط التجاري"): "1 Hay Street, Perth",
}


def place_of(number: int, language: str) -> tuple[float, float]:
    """One of ten places that are 13 km or more from each other: a driver is offered orders within 10 km, and tests run at once."""
    return (-31.51 - 0.12 * (2 * number + (language == "ar")), 115.80)


# Nearer to the hills, and more than 20 km from each of those.
HILLS = (-32.05, 116.05)


def north_of(place: tuple[float, float], degrees: float = 0.01) -> tuple[float, float]:
    return (place[0] + degrees, place[1])


def register_rider(person: Person) -> None:
    """With a card and money in the wallet, on the start."""
    person.register(RIDER)
    top_up(person, "100")
    person.go()
    person.at(("BTNC", "بي تي إن سي"))


def choose_car(person: Person) -> None:
    """What a driver's form has to choose from."""
    person.page.get_by_label(person.word(COLOUR), exact=True).select_option(person.word(("White", "أبيض")))
    person.choose(SIZE)


def register_driver(person: Person, desk: Desk) -> None:
    person.register(DRIVER, CAR, lambda: choose_car(person))
    be_verified(person, "driver", desk)
    expect(person.page.get_by_role("switch", name=person.word(("Waiting for orders", "بانتظار الطلبات")))).to_be_visible()


def register_restaurant(person: Person, desk: Desk) -> None:
    person.register(RESTAURANT, BUSINESS)
    be_verified(person, "restaurant", desk)


def be_verified(person: Person, title: str, desk: Desk) -> None:
    """Brings every paper that is asked for; an admin looks at them."""
    person.go(f"papers/{title}")
    person.at(("Papers and details", "الأوراق والبيانات"))
    person.page.locator("input[type=file]").first.wait_for(state="attached")
    being_checked = person.page.get_by_text(person.word(("Being checked", "قيد التحقق")), exact=True)
    for index in range(person.page.locator("input[type=file]").count()):
        person.page.locator("input[type=file]").nth(index).set_input_files(files=[{"name": "paper.pdf", "mimeType": "application/pdf", "buffer": PDF}])
        expect(being_checked).to_have_count(index + 1)
    desk.verify("btnc", person.account(), title)
    # The role is in tokens from the next one on: a page that opens asks for one.
    person.go()


def wait_for_orders(driver: Person) -> None:
    driver.page.get_by_role("switch", name=driver.word(("Waiting for orders", "بانتظار الطلبات"))).click()
    driver.see(("are offered to you", "تُعرض عليك المشاوير"))
