"""O9, C5, P6: a meal by clicks alone: customer, driver and restaurant, each in a browser."""

import re
import uuid

import pytest
from playwright.sync_api import expect

from ordering import be_there, choose_way, rate
from perth import PNG, north_of, place_of, register_driver, register_restaurant, register_rider, wait_for_orders

BOTH = pytest.mark.parametrize("language", ["en", "ar"])


# Name, name in Arabic, price.
DISHES = [("Lentil soup", "شوربة عدس", "12.00"), ("Bread", "خبز", "3.50")]


def open_kitchen(kitchen, name: tuple[str, str], dishes: list[tuple[str, str, str]] = DISHES):
    """The restaurant writes its card and its menu, and opens."""
    kitchen.tap(("Begin", "ابدأ"))
    kitchen.at(("Public information", "المعلومات المعروضة"))
    kitchen.fill(("Name of the restaurant", "اسم المطعم"), name[0])
    kitchen.fill(("Name in Arabic (optional)", "الاسم بالعربية (اختياري)"), name[1])
    kitchen.fill(("What you cook (optional)", "ما الذي تقدمونه (اختياري)"), "Soups and bread from the oven")
    kitchen.tap(("Place", "المكان"))
    kitchen.tap(("Select my current location", "تحديد موقعي الحالي"))
    choose = kitchen.page.get_by_role("dialog").get_by_role("button", name=kitchen.word(("Select location", "تحديد الموقع")), exact=True)
    expect(choose).to_be_enabled()
    choose.click()
    kitchen.fill(("Address (optional)", "العنوان (اختياري)"), "1 Hay Street")
    kitchen.fill(("Phone for customers (optional)", "هاتف للعملاء (اختياري)"), "+61 412 345 678")
    kitchen.tap(("Add hours on Monday", "إضافة ساعات الاثنين"))
    kitchen.shot("kitchen-info")
    kitchen.tap(("Save", "حفظ"))
    kitchen.see(("Open for orders", "مفتوح للطلبات"))
    for name, arabic, price in dishes:
        kitchen.tab(("Menu", "القائمة"))
        kitchen.tap(("Add new menu item", "إضافة صنف جديد"))
        kitchen.at(("New menu item", "صنف جديد"))
        kitchen.page.locator("input[type=file]").set_input_files(files=[{"name": "dish.png", "mimeType": "image/png", "buffer": PNG}])
        kitchen.fill(("Name", "الاسم"), name)
        kitchen.fill(("Name in Arabic (optional)", "الاسم بالعربية (اختياري)"), arabic)
        kitchen.fill(("Price in AUD", "السعر (AUD)"), price)
        if price == "12.00":
            kitchen.shot("kitchen-item")
        kitchen.tap(("Add to the menu", "إضافة إلى القائمة"))
        kitchen.at(("Menu", "القائمة"))
    kitchen.see(dishes[-1][:2])
    kitchen.shot("kitchen-menu")
    kitchen.tab(("Orders", "الطلبات"))
    kitchen.page.get_by_role("switch").first.click()
    kitchen.see(("Customers find you", "يجدك العملاء"))
    kitchen.shot("kitchen-open")


@BOTH
def test_a_meal_from_registration_to_rating(people, language, perth):
    town = place_of(0, language)
    home = north_of(town)
    kitchen = people("btnc", language=language, name="Lina Aziz", place=town)
    register_restaurant(kitchen, perth)
    mark = uuid.uuid4().hex[:4]
    levant = (f"Levant {mark}", f"بلاد الشام {mark}")
    open_kitchen(kitchen, levant)
    courier = people("btnc", language=language, name="Dora Hall", place=town)
    register_driver(courier, perth)
    wait_for_orders(courier)
    customer = people("btnc", language=language, name="Mira Khan", place=home)
    register_rider(customer)
    customer.tap(("Food", "طعام"))
    customer.see(levant)
    customer.shot("food-restaurants")
    customer.page.get_by_role("link", name=customer.text(levant)).click()
    customer.see("1 Hay Street")
    customer.page.locator("summary").first.click()
    customer.see(("Monday", "الاثنين"))
    customer.tap(("Add Lentil soup", "إضافة شوربة عدس"))
    customer.tap(("Add Lentil soup", "إضافة شوربة عدس"))
    customer.tap(("Add Bread", "إضافة خبز"))
    customer.shot("food-menu")
    customer.tap(("View order", "عرض الطلب"))
    customer.at(("Your order", "طلبك"))
    customer.see(("With you at about", "يصل إليك نحو الساعة"))
    customer.shot("food-checkout")

    # The price changes meanwhile: both are shown, and the order costs the new one.
    kitchen.tab(("Menu", "القائمة"))
    kitchen.tap(("Bread", "خبز"))
    kitchen.fill(("Price in AUD", "السعر (AUD)"), "4.00")
    kitchen.tap(("Confirm changes", "تأكيد التغييرات"))
    kitchen.at(("Menu", "القائمة"))
    kitchen.tab(("Orders", "الطلبات"))
    customer.tap(("Order for", "اطلب مقابل"))
    customer.see(("The menu has changed", "تغيّرت القائمة"))
    customer.shot("food-changed")
    customer.tap(("Order for", "اطلب مقابل"))
    customer.at(("Pay", "الدفع"))
    choose_way(customer, ("Wallet", "المحفظة"))
    customer.see(("has your order", "وصل طلبك"))
    customer.see(levant)
    customer.shot("meal-asked")

    kitchen.see(("Mira Khan orders", "طلب جديد من"))
    kitchen.shot("kitchen-new")
    kitchen.tap(("Accept", "قبول"), exact=True)
    kitchen.fill(("Minutes until it is ready", "الدقائق حتى يجهز"), "1")
    kitchen.shot("kitchen-accept", [360])
    kitchen.tap(re.compile("Accept, ready in|قبول، يجهز خلال"))
    customer.see(("prepares your food", "يحضّر"))
    customer.shot("meal-cooking")

    offer = courier.page.get_by_role("dialog")
    expect(offer).to_be_visible(timeout=90_000)
    courier.shot("courier-offer")
    offer.get_by_role("button", name=re.compile("Accept|قبول")).click()
    courier.see(("I am at the restaurant", "أنا في المطعم"))
    courier.shot("courier-fetch")
    kitchen.tap(("Cooking", "التحضير"))
    kitchen.tap(("It is ready", "الطلب جاهز"))
    be_there(courier, ("I am at the restaurant", "أنا في المطعم"), ("Tell the restaurant your code", "أخبر المطعم برمزك"))
    courier.shot("courier-code")
    code = courier.page.locator(".shown-code > bdi").inner_text().replace(" ", "")
    kitchen.see(("is here for it", "لاستلامه"))
    expect(kitchen.page.get_by_role("group", name=kitchen.word(("The car", "السيارة")))).to_contain_text("1ABC234")
    kitchen.shot("kitchen-driver-here")
    kitchen.tap(("Hand over", "تسليم"))
    kitchen.page.get_by_role("dialog").get_by_role("textbox").fill(code)
    customer.see(("brings your food", "في الطريق إليك بطعامك"))
    customer.shot("meal-brought")
    courier.context.set_geolocation({"latitude": home[0], "longitude": home[1]})
    customer.tap(re.compile("is here|وصل"))
    be_there(courier, ("Finish delivery", "إنهاء التوصيل"), ("Delivered", "تم التوصيل"), asks=True)
    courier.shot("courier-finished")
    customer.tap(("I have my food", "استلمت الطعام"))
    customer.see(("Enjoy your meal", "بالهناء والشفاء"))
    customer.shot("meal-over")
    rate(customer, 5, 5)
    kitchen.tab(("Sales", "المبيعات"))
    kitchen.see("24.00 AUD")
    kitchen.shot("kitchen-sales")
