"""O10: bikes by clicks alone: hired at a rack and brought back, and brought by a driver. The racks tell of their bikes."""

import re
import uuid

import pytest
from playwright.sync_api import expect

from desk import Rack
from ordering import be_there, choose_way, rate, status
from perth import north_of, place_of, register_driver, register_rider, wait_for_orders

BOTH = pytest.mark.parametrize("language", ["en", "ar"])


def shown_code(person) -> str:
    """The code on the order's page, for the rack."""
    person.tap(("I am at the rack: show the code", "أنا عند الموقف: عرض الرمز"))
    return person.page.locator(".shown-code > bdi").inner_text().replace(" ", "")


@BOTH
def test_O10_a_bike_is_hired_at_a_rack_and_brought_back(people, language, perth):
    town = place_of(4, language)
    rack = Rack(perth, f"Quay {uuid.uuid4().hex[:6]}", town, 2)
    other = Rack(perth, f"Quay {uuid.uuid4().hex[:6]}", north_of(town), 0)
    rider = people("btnc", language=language, name="Ruby Shaw", place=town)
    register_rider(rider)
    rider.tap(("Bikes", "دراجات"))
    rider.at(("Bikes", "دراجات"))
    rider.choose(rack.name)
    rider.shot("bikes-racks")
    rider.tap(("Reserve and hold", "احجز بمبلغ محجوز"))
    rider.at(("Pay", "الدفع"))
    choose_way(rider, ("Wallet", "المحفظة"))
    status(rider, ("Your bike is ready at the rack", "دراجتك جاهزة في الموقف"))
    code = shown_code(rider)
    rider.shot("bike-code")
    bike = rack.take(code)
    status(rider, ("You have the bike", "الدراجة معك"))
    rider.shot("bike-hired")
    other.bring_back(bike)
    status(rider, ("The bike is back", "أُعيدت الدراجة"))
    rider.see(("the rest of what was held is given back", "ويُعاد باقي المبلغ المحجوز"))
    rider.see(("How were the racks?", "كيف كانت المواقف؟"))
    rider.shot("bike-back")
    rate(rider, 4, service=5)


@BOTH
def test_O10_a_bike_is_brought_by_a_driver(people, language, perth):
    town = place_of(3, language)
    home = north_of(town)
    rack = Rack(perth, f"Quay {uuid.uuid4().hex[:6]}", town, 1)
    driver = people("btnc", language=language, name="Dan Hill", place=town)
    register_driver(driver, perth)
    wait_for_orders(driver)
    rider = people("btnc", language=language, name="Ruby Shaw", place=home)
    register_rider(rider)
    rider.tap(("Bikes", "دراجات"))
    rider.tap(("Brought to me", "توصيل إليّ"))
    rider.see(rack.name)
    rider.shot("bikes-brought")
    rider.tap(("Order for", "اطلب مقابل"))
    rider.at(("Pay", "الدفع"))
    choose_way(rider, ("Wallet", "المحفظة"))
    offer = driver.page.get_by_role("dialog")
    expect(offer).to_be_visible(timeout=60_000)
    driver.shot("bike-offer")
    offer.get_by_role("button", name=re.compile("Accept|قبول")).click()
    status(driver, ("Go to the rack", "توجّه إلى موقف"))
    status(rider, ("fetches your bike", "لاستلام دراجتك"))
    rider.shot("bike-fetched")
    be_there(driver, ("I am at the rack", "أنا عند الموقف"), ("Take the bike out of the rack", "أخرج الدراجة من الموقف"))
    code = shown_code(driver)
    driver.shot("bike-driver-code")
    rack.take(code)
    status(rider, ("brings your bike", "في الطريق إليك بالدراجة"))
    status(driver, ("Bring it to", "أوصلها إلى"))
    driver.context.set_geolocation({"latitude": home[0], "longitude": home[1]})
    driver.shot("bike-under-way")
    be_there(driver, ("Dropped off", "تم التسليم"), ("Dropped off", "تم التسليم"), asks=True)
    status(rider, ("says that the bike is there", "أكّد Dan Hill تسليم الدراجة"))
    rider.tap(("I have the bike", "استلمت الدراجة"))
    status(rider, ("The bike was delivered", "تم تسليم الدراجة"))
    rider.shot("bike-delivered")
    rate(rider, 5)
