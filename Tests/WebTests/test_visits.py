"""O1-O6, C1: home visits in Riyadh, from the registration to the rating, by clicks of customer and nurse."""

import re
import uuid

import pytest
from playwright.sync_api import expect

from desk import Desk
from nafath import sign_in_with_nafath
from ordering import answer, be_there, order_id, pay_by, rate, status
from paying import fill_card, press_next
from person import Person

BOTH = pytest.mark.parametrize("language", ["en", "ar"])
RIYADH = (24.7136, 46.6753)
CLINIC = (24.7168, 46.6774)


def subscribe(nurse: Person, desk: Desk) -> None:
    """From the work that nobody sees to the subscription, paid from a wallet that is filled on the way."""
    desk.plan("assef")
    nurse.at(("Work", "العمل"))
    nurse.see(("Nobody sees you yet", "لا يراك أحد بعد"))
    nurse.shot("work-unsubscribed")
    nurse.tap(("Subscribe", "اشترك"), "link", exact=True)
    nurse.see(("Nobody sees you without a subscription", "لا يراك أحد دون اشتراك"))
    nurse.shot("subscription-none")
    nurse.page.get_by_role("listitem").get_by_role("link", name=nurse.text(("Month", "شهر"))).first.click()
    nurse.choose(("Wallet", "المحفظة"))
    nurse.see(("too little for it", "ينقص محفظتك"))
    nurse.shot("subscription-short")
    nurse.tap(("Add money to the wallet", "شحن المحفظة"), "link")
    nurse.at(("Top up", "شحن المحفظة"))
    fill_card(nurse)
    press_next(nurse)
    nurse.tap(("Go on", "متابعة"), "link")
    nurse.choose(("Wallet", "المحفظة"))
    nurse.shot("subscription-buy")
    press_next(nurse)
    nurse.see(("Subscribed until", "مشترك حتى"))
    nurse.shot("subscription")


def open_practice(nurse: Person, desk: Desk) -> None:
    """A nurse whom the register knows, with a subscription and a price, waits for visits."""
    sign_in_with_nafath(nurse, job="Registered Nurse")
    subscribe(nurse, desk)
    nurse.go("services")
    nurse.at(("My services", "خدماتي"))
    nurse.page.get_by_role("checkbox", name=nurse.word(("Wound care", "العناية بالجروح"))).check()
    nurse.fill(("Price of Wound care", "سعر العناية بالجروح"), "150.00")
    nurse.shot("services-provider")
    nurse.tap(("Save", "حفظ"), exact=True)
    nurse.at(("Work", "العمل"))
    nurse.page.get_by_role("switch", name=nurse.word(("Available", "متاح"))).click(force=True)
    expect(nurse.page.get_by_text(nurse.word(("Keep this page open", "أبقِ هذه الصفحة مفتوحة"))).first).to_be_visible()
    expect(nurse.page.get_by_text(nurse.word(("Nobody sees you", "لا يراك أحد")))).to_have_count(0)
    nurse.shot("work-available")


def find_nurse(customer: Person, nurse: Person) -> None:
    """From the sign-in to the list in which the nurse alone stands."""
    sign_in_with_nafath(customer, gender="male")
    customer.at(("Assef", "أسعف"))
    customer.see(("What do you need", "ما الخدمة"))
    customer.shot("home-assef")
    customer.page.get_by_role("checkbox", name=re.compile(customer.word(("Wound care", "العناية بالجروح")))).check()
    customer.tap(("Next", "التالي"))
    customer.at(("Who should come", "من تختار"))
    customer.tap(("Choose the place", "اختيار المكان"))
    customer.tap(("Select my current location", "تحديد موقعي الحالي"))
    customer.tap(("Select location", "تحديد الموقع"), exact=True)
    customer.fill(("Search by name", "البحث بالاسم"), nurse.name)
    expect(customer.page.locator(".provider")).to_have_count(1)
    customer.shot("providers")


@BOTH
def test_O2_O6_a_whole_visit_in_assef_by_clicks_of_customer_and_nurse(people, language, desk):
    nurse = people("assef", language=language, name=f"Huda T{uuid.uuid4().hex[:6]}", place=CLINIC)
    open_practice(nurse, desk)
    customer = people("assef", language=language, name=f"Omar T{uuid.uuid4().hex[:6]}", place=RIYADH)
    find_nurse(customer, nurse)
    # The price changes meanwhile: it is said before anything is ordered.
    nurse.go("services")
    nurse.fill(("Price of Wound care", "سعر العناية بالجروح"), "160.00")
    nurse.tap(("Save", "حفظ"), exact=True)
    nurse.at(("Work", "العمل"))
    customer.page.get_by_role("button", name=nurse.name).click()
    customer.see(("It costs 160.00 SAR now", "أصبح السعر 160.00 SAR"))
    customer.shot("providers-price-changed", [360])
    customer.page.get_by_role("dialog").get_by_role("button", name=re.compile("160.00")).click()
    order_id(customer)
    status(customer, ("has your request", "بانتظار الرد"))
    customer.shot("order-visit-waiting")

    expect(nurse.page.get_by_role("dialog", name=nurse.word(("New request", "طلب جديد")))).to_be_visible(timeout=30_000)
    nurse.shot("offer-visit", widths=[360, 1280])
    nurse.page.get_by_role("checkbox", name=nurse.word(("Somebody comes with me", "يرافقني شخص"))).check()
    nurse.fill(("Companion's full name", "الاسم الكامل للمرافق"), "Salem Nasser")
    nurse.tap(("Accept", "قبول"))
    status(nurse, ("Waiting for the payment", "بانتظار دفع"))
    nurse.shot("order-visit-unpaid-nurse")
    status(customer, ("has accepted", "وافق"))
    customer.shot("order-visit-accepted")
    pay_by(customer, ("Cash", "نقد"))
    status(customer, ("is on the way", "في الطريق"))
    status(nurse, ("Go to", "توجّه"))
    nurse.context.set_geolocation({"latitude": RIYADH[0], "longitude": RIYADH[1]})
    expect(customer.page.locator(".map-moving")).to_be_visible()
    customer.shot("order-visit-coming")
    nurse.shot("order-visit-coming-nurse")
    be_there(nurse, ("I have arrived", "لقد وصلت"), ("You are with", "أنت الآن مع"))
    status(customer, ("is with you", "عندك الآن"))
    for person in (nurse, customer):
        person.tap(("Service completed", "اكتملت الخدمة"))
        answer(person, ("Service completed", "اكتملت الخدمة"))
    status(customer, ("is done", "انتهت"))
    status(nurse, ("is done", "انتهت"))
    customer.shot("order-visit-done")
    rate(customer, 5, service=4)
    rate(nurse, 4)
    customer.see(("What happened when", "سير الطلب"))
    customer.shot("order-visit-rated")
    nurse.go("earnings")
    nurse.at(("Earnings", "الأرباح"))
    nurse.see(("By day and week", "حسب اليوم والأسبوع"))
    nurse.shot("earnings-assef")
    customer.go("orders?section=past")
    customer.at(("Orders", "الطلبات"))
    customer.see(("Wound care", "العناية بالجروح"))
    customer.shot("orders-past")
