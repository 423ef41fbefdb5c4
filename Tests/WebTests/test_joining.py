"""C1, I1, I2, I6, I7: what a visitor sees before there is an account, and what an account does that is used in one more market."""

import pytest
from playwright.sync_api import expect

BOTH = pytest.mark.parametrize("language", ["en", "ar"])


@BOTH
@pytest.mark.parametrize("market", ["assef", "edencare"])
def test_C1_a_visitor_looks_at_the_services(people, market, language):
    person = people(market, language=language)
    person.go()
    person.tap(("See the services", "عرض الخدمات"))
    person.at(("Services", "الخدمات"))
    service = person.page.get_by_role("main").get_by_role("listitem").first.get_by_role("button")
    expect(service).to_be_visible()
    person.shot(f"browse-{market}")
    service.click()
    expect(person.page.get_by_role("dialog")).to_be_visible()
    person.shot(f"browse-{market}-about", [360])


@BOTH
def test_I2_an_account_of_one_market_joins_another_with_what_that_asks_for(people, language):
    person = people("btnc", language=language, place=(50.4452, -104.6189))
    person.register()
    person.page.goto("/edencare/")
    person.see(("Your account is not used here yet", "حسابك غير مفعّل هنا بعد"))
    person.tap(("Join", "انضمام"))
    person.at(("Add another role", "إضافة دور آخر"))
    person.page.locator("button[type=submit]").click()
    expect(person.page.get_by_role("alert")).to_be_visible()
    person.shot("join-edencare-wrong", [360])
    person.page.get_by_role("button", name=person.word(("Where we come to", "المكان الذي نأتي إليه"))).click()
    person.tap(("Select my current location", "تحديد موقعي الحالي"))
    person.tap(("Select location", "تحديد الموقع"), exact=True)
    person.fill(("Street and number, apartment", "الشارع والرقم والشقة"), "12 Elm Street")
    person.page.locator("input[name=terms]").check()
    person.page.locator("button[type=submit]").click()
    person.see(("What do you need?", "ما الخدمة التي تحتاج إليها؟"))
    expect(person.page.get_by_text(person.word(("Your account is not used here yet", "حسابك غير مفعّل هنا بعد")))).to_have_count(0)


@BOTH
def test_I6_one_sees_what_others_see_of_oneself(people, language):
    person = people("btnc", language=language)
    person.register()
    person.tab(("Me", "حسابي"))
    person.tap(("How others see you", "كيف يراك الآخرون"))
    person.see(("This is what others see of you", "هذا ما يراه الآخرون عنك"))
    expect(person.page.get_by_text(person.mobile)).to_have_count(0)
    person.shot("own-page")
    # This market shows nobody's contacts to all: there is nothing to choose.
    person.tap(("Change the profile", "تعديل الملف الشخصي"))
    person.see(("Billing address", "عنوان الفواتير"))
    expect(person.page.get_by_text(person.word(("What others can reach you by", "وسائل التواصل الظاهرة للآخرين")))).to_have_count(0)


@BOTH
def test_P8_contacts_are_shown_to_the_market_and_hidden_again(people, language):
    person = people("carrepsa", language=language)
    person.register(kind=("Sender", "مرسل"))
    person.go("me/profile")
    person.tap(("What others can reach you by", "وسائل التواصل الظاهرة للآخرين"))
    person.at(("What others can reach you by", "وسائل التواصل الظاهرة للآخرين"))
    switch = person.page.get_by_role("switch", name=person.text(("Show my mobile number", "إظهار رقم جوالي")))
    expect(switch).not_to_be_checked()
    switch.click()
    expect(switch).to_be_checked()
    person.shot("me-published")
    person.go(f"people/{person.account()}")
    expect(person.page.get_by_role("link", name=person.mobile)).to_be_visible()
    person.shot("own-page-shown")
    person.tap(("Choose what others can reach you by", "اختر ما يظهر للآخرين"))
    switch.click()
    expect(switch).not_to_be_checked()
