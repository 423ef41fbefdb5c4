"""O8, C7, P6: a ride by clicks alone, from registration to rating: the rider and the driver, each in a browser."""

import re

import pytest
from playwright.sync_api import expect

from ordering import be_there, choose_way, rate
from paying import press_next
from perth import place_of, register_driver, register_rider, wait_for_orders

BOTH = pytest.mark.parametrize("language", ["en", "ar"])


def move_pin(person, steps):
    """Moves the map under the pin with the arrow keys, and takes the place."""
    dialog = person.page.get_by_role("dialog")
    map_ = dialog.locator(".leaflet-container")
    expect(map_).to_be_visible()
    choose = dialog.get_by_role("button", name=person.word(("Select location", "تحديد الموقع")), exact=True)
    expect(choose).to_be_enabled()
    map_.focus()
    for _ in range(steps):
        map_.press("ArrowUp")
        person.page.wait_for_timeout(350)  # the map slides
    choose.click()


@BOTH
def test_a_rider_sees_the_price_and_the_way_before_anything_is_ordered(people, language):
    rider = people("btnc", language=language, name="Ruby Shaw", place=place_of(1, language))
    register_rider(rider)
    rider.see(("Where to?", "إلى أين؟"))
    rider.see(("near you", "بالقرب منك"))
    rider.shot("rides-home")
    rider.tap(("Where to?", "إلى أين؟"))
    move_pin(rider, 6)
    rider.see(("Which car?", "أي سيارة؟"))
    rider.see(("This price holds for", "هذا السعر ثابت"))
    rider.shot("rides-quote")
    rider.choose(("XL", "كبيرة"))
    rider.tap(("Add a promo code", "إضافة رمز خصم"))
    rider.fill(("Promo code", "رمز الخصم"), "NOSUCH")
    rider.tap(("Apply", "تطبيق"))
    expect(rider.page.locator(".note.warning").first).to_be_visible()
    rider.shot("rides-quote-promo")
    rider.page.reload()
    rider.see(("Which car?", "أي سيارة؟"))


@BOTH
def test_a_ride_from_registration_to_rating(people, language, perth):
    driver = people("btnc", language=language, name="Dan Hill", place=place_of(2, language))
    register_driver(driver, perth)
    driver.shot("drive-off")
    wait_for_orders(driver)
    driver.shot("drive-waiting")

    rider = people("btnc", language=language, name="Ruby Shaw", place=place_of(2, language))
    register_rider(rider)
    rider.tap(("Where to?", "إلى أين؟"))
    move_pin(rider, 6)
    rider.tap(("Order for", "اطلب مقابل"))
    rider.at(("Pay", "الدفع"))
    rider.shot("rides-pay")
    choose_way(rider, ("Wallet", "المحفظة"))
    rider.see(("Looking for a driver", "نبحث لك عن سائق"))
    rider.shot("ride-looking")

    offer = driver.page.get_by_role("dialog")
    expect(offer).to_be_visible(timeout=60_000)
    driver.shot("drive-offer")
    offer.get_by_role("button", name=re.compile("Accept|قبول")).click()
    driver.see(("I have arrived", "لقد وصلت"))
    driver.shot("drive-fetch")
    rider.see(("Dan Hill is on the way", "Dan Hill في الطريق"))
    car = rider.page.get_by_role("group", name=rider.word(("The car", "السيارة")))
    expect(car).to_contain_text("1ABC234")
    expect(car).to_contain_text(rider.word(("White", "أبيض")))
    rider.shot("ride-coming")
    be_there(driver, ("I have arrived", "لقد وصلت"), ("Wait for", "انتظر"))
    rider.see(("waits for you", "بانتظارك"))
    rider.shot("ride-waits")
    driver.tap(("Picked up", "ركب معي"))
    rider.see(("On the way to", "في الطريق إلى"))
    rider.shot("ride-under-way")
    rider.tap(("I have arrived", "لقد وصلت"))
    be_there(driver, ("Finish trip", "إنهاء المشوار"), ("The trip is finished", "أنهيت المشوار"), asks=True)
    driver.shot("drive-finished")
    rider.see(("says that you have arrived", "أكّد Dan Hill وصولك"))
    rider.tap(("Confirm the arrival", "تأكيد الوصول"))
    rider.see(("The ride with", "انتهى مشوارك"))
    rider.see(("What happened when", "سير الطلب"))
    rider.see(("Rider picked up", "ركوب الراكب"))
    rider.shot("ride-over")
    rate(rider, 5)
    driver.tap(("Back", "رجوع"))
    driver.tab(("Earnings", "الأرباح"))
    driver.see(("By kind", "حسب النوع"))
    driver.see(("Trip", "رحلة"))
    driver.see(("By day and week", "حسب اليوم والأسبوع"))
    driver.tap(("Weeks", "الأسابيع"))
    driver.shot("drive-earnings")

    # What a ride has earned can leave at once, to an account as Australia writes it.
    driver.go("wallet")
    driver.tap(("Cash out", "سحب"), "link", exact=True)
    driver.at(("Cash out", "سحب الرصيد"))
    driver.tap(("All of it", "كامل المبلغ"))
    driver.page.get_by_role("radio", name=driver.text(("A new bank account", "حساب بنكي جديد"))).check()
    press_next(driver)
    expect(driver.page.get_by_role("alert")).to_be_visible()
    driver.shot("cash-out-wrong")
    for field, value in {"bsb": "036-001", "accountNumber": "123456", "holder": "Dan Hill", "bankName": "Westpac"}.items():
        driver.page.locator(f"input[name={field}]").fill(value)
    driver.shot("cash-out")
    press_next(driver)
    driver.see(("An admin looks at it", "بانتظار مراجعة المشرف"))
    driver.shot("cash-out-asked")
