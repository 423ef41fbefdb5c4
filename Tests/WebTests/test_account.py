"""I1, I2, I3, I8, X1, Q8: an account from its registration to its end, by clicks, in both languages."""

import urllib.parse

import pytest
from playwright.sync_api import expect

from paying import fill_card, press_next

BOTH = pytest.mark.parametrize("language", ["en", "ar"])


@BOTH
@pytest.mark.parametrize("market", ["assef", "edencare", "btnc", "carrepsa"])
def test_the_first_screen_has_language_log_in_and_account(people, market, language):
    person = people(market, language=language)
    person.go()
    person.see(("How it works", "كيف يعمل"))
    expect(person.page.locator("html")).to_have_attribute("dir", "rtl" if language == "ar" else "ltr")
    person.shot(f"welcome-{market}")


def test_the_language_is_chosen_before_log_in_and_stays(people):
    person = people("btnc")
    person.go()
    person.tap("العربية")
    person.language = "ar"
    person.see("إنشاء حساب")
    person.page.reload()
    person.see("إنشاء حساب")


@BOTH
def test_a_rider_registers_confirms_by_the_link_logs_in_and_out(people, language):
    rider = people("btnc", language=language)
    rider.go()
    rider.tap(("How it works", "كيف يعمل"))
    rider.shot("tour-btnc")
    rider.tap(("Skip", "تخطٍّ"))
    rider.tap(("Create account", "إنشاء حساب"))
    rider.at(("Create account", "إنشاء حساب"))
    rider.shot("register-btnc")
    rider.tap(("Create", "إنشاء الحساب"), exact=True)
    rider.see(("things are missing or wrong", "ناقص"))
    rider.shot("register-btnc-wrong")
    rider.fill_registration()
    rider.tap(("Create", "إنشاء الحساب"), exact=True)
    rider.at(("Confirm your account", "تأكيد حسابك"))
    rider.shot("confirm-btnc")
    rider.page.goto(rider.sandbox.link(rider.page, rider.email))
    rider.at(("Your account is confirmed", "تم تأكيد حسابك"))
    rider.shot("confirmed-btnc")
    rider.tap(("Log in", "تسجيل الدخول"))
    rider.shot("login-btnc")
    rider.password = "Wrong-Horse-42"
    rider.log_in()
    expect(rider.page.get_by_role("alert")).to_be_visible()
    rider.shot("login-btnc-wrong")
    rider.password = "Correct-Horse-42"
    rider.log_in()
    rider.home()
    rider.shot("home-btnc")
    rider.tab(("Inbox", "الإشعارات"))
    rider.at(("Inbox", "الإشعارات"))
    rider.shot("inbox-empty")
    rider.tab(("Me", "حسابي"))
    rider.at(("Me", "حسابي"))
    rider.see(rider.name)
    rider.shot("me")
    rider.page.reload()
    rider.see(rider.name)
    rider.tap(("Log out", "تسجيل الخروج"))
    rider.page.get_by_role("dialog").get_by_role("button", name=rider.word(("Log out", "تسجيل الخروج"))).click()
    rider.see(("How it works", "كيف يعمل"))
    rider.page.reload()
    rider.see(("How it works", "كيف يعمل"))


@BOTH
def test_a_client_of_home_care_registers_with_an_address(people, language):
    client = people("edencare", language=language)
    client.go()
    client.tap(("Create account", "إنشاء حساب"))
    client.tap(("Where we come to", "المكان الذي نأتي إليه"))
    client.see(("Select my current location", "تحديد موقعي الحالي"))
    expect(client.page.locator(".leaflet-container")).to_be_visible()
    client.shot("place-picker")
    client.page.keyboard.press("Escape")
    client.register()
    client.shot("home-edencare")


def test_a_carrier_registers_and_confirms_by_the_code_of_an_sms(people):
    carrier = people("carrepsa")
    carrier.register(kind="Carrier")


@BOTH
def test_the_screens_of_me(people, language):
    person = people("btnc", language=language)
    person.register()
    for path, title, name in [
        ("me/profile", ("Profile", "الملف الشخصي"), "me-profile"),
        ("me/settings", ("Language and look", "اللغة والمظهر"), "me-settings"),
        ("me/security", ("Password and devices", "كلمة المرور والأجهزة"), "me-security"),
        ("me/notices", ("Notices", "التنبيهات"), "me-notices"),
        ("me/data", ("Your data", "بياناتك"), "me-data"),
        ("me/role", ("Add another role", "إضافة دور آخر"), "me-role"),
    ]:
        person.go(path)
        person.at(title)
        expect(person.page.locator(".skeleton")).to_have_count(0)
        person.shot(name)


@BOTH
def test_B4_a_billing_address_is_changed_and_goes_to_the_payment_provider_alone(people, language):
    person = people("btnc", language=language, name="Ruby Shaw")
    person.register()
    person.go("me/profile")
    person.tap(("Billing address", "عنوان الفواتير"))
    expect(person.page.get_by_label(person.word(("Postcode", "الرمز البريدي")), exact=True)).to_have_value("6000")
    person.fill(("Suburb or city", "الحي أو المدينة"), "")
    person.tap(("Save", "حفظ"), exact=True)
    expect(person.page.get_by_role("alert")).to_be_visible()
    person.shot("me-billing-wrong", [360])
    person.fill(("Suburb or city", "الحي أو المدينة"), "Subiaco")
    person.shot("me-billing")
    person.tap(("Save", "حفظ"), exact=True)
    person.at(("Profile", "الملف الشخصي"))
    person.go("wallet/cards/add")
    fill_card(person)
    with (person.page.expect_request(lambda one: one.url.endswith("/v1/payment_methods")) as asked,
          person.page.expect_request(lambda one: one.method == "POST" and one.url.endswith("/wallet/v1/cards")) as stored):
        press_next(person)
    sent = urllib.parse.parse_qs(asked.value.post_data)
    assert sent["billing_details[address][city]"] == ["Subiaco"] and sent["billing_details[address][country]"] == ["AU"]
    assert "Subiaco" not in stored.value.post_data and "4242" not in stored.value.post_data
    person.see("4242")


def test_a_password_is_forgotten_and_chosen_anew(people):
    person = people("btnc")
    person.register()
    person.tab("Me")
    person.tap("Log out")
    person.page.get_by_role("dialog").get_by_role("button", name="Log out").click()
    person.tap("Log in")
    person.tap("Forget your password")
    person.shot("forgot")
    person.fill("E-mail or mobile number", person.email)
    person.tap("Send the link")
    person.at("Look into your messages")
    link = person.sandbox.find(person.page, "mail", person.email, r"(https?://\S+/password#token=[\w.~-]+)")
    person.page.goto(link)
    person.at("Choose a password")
    person.shot("password-new")
    person.password = "Another-Horse-43"
    person.fill("New password", person.password)
    person.tap("Save the password")
    person.at("Your new password counts")
    person.tap("Log in")
    person.log_in()
    person.home()


def test_without_a_network_the_app_starts_and_says_so(people):
    person = people("btnc")
    person.register()
    person.tab("Inbox")
    person.at("Inbox")
    person.see("Nothing new")
    person.page.wait_for_function("navigator.serviceWorker.controller !== null")
    person.page.reload()
    person.see("Nothing new")
    person.offline()
    person.page.reload()
    person.see("Please make sure that you are connected to the internet")
    person.see("Nothing new")
    person.shot("offline")
    person.offline(False)
    person.tab("Me")
    person.see(person.name)
