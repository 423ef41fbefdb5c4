"""Q3, Q8, Q12: what goes wrong on the way: sessions that end, two tabs, a database that was set back, markup in names, large
text, no mouse."""

import pytest
from playwright.sync_api import expect

XSS = "<img src=x onerror=alert(1)>"


def end_session(person) -> None:
    """As if somebody had ended it at the services: the cookie is gone, and the page has no token any more."""
    person.context.clear_cookies()
    person.page.reload()


def test_a_session_that_has_ended_asks_over_the_form_and_nothing_is_lost(people):
    person = people("btnc")
    person.register()
    person.tab("Me")
    person.see(person.name)
    end_session(person)
    person.see("Please log in again")
    person.shot("log-in-again")
    dialog = person.page.get_by_role("dialog")
    dialog.get_by_label("E-mail or mobile number").fill(person.email)
    dialog.get_by_label("Password", exact=True).fill(person.password)
    dialog.get_by_role("button", name="Log in").click()
    expect(dialog).to_have_count(0)
    person.at("Me")
    person.see(person.name)


def test_two_tabs_share_a_session_and_end_it_together(people):
    person = people("btnc")
    person.register()
    other = person.context.new_page()
    other.goto("/btnc/me")
    expect(other.get_by_role("heading", level=1, name="Me")).to_be_visible()
    other.get_by_role("link", name="Language and look").click()
    other.get_by_role("radio", name="العربية").check()
    expect(other.get_by_role("heading", level=1, name="اللغة والمظهر")).to_be_visible()
    person.tab("Me")
    person.tap("Log out")
    person.page.get_by_role("dialog").get_by_role("button", name="Log out").click()
    person.see("How it works")
    expect(other.get_by_role("navigation")).to_have_count(0)


def test_q3_what_was_set_back_is_shown_as_it_is_now(people):
    """After a restore versions are lower again, and the stream says that something was missed."""
    person = people("btnc")
    person.register()
    now = {"name": "Ruby Shaw", "version": 9, "missed": "false"}

    def me(route):
        if route.request.method != "GET":
            return route.continue_()
        answer = route.fetch()
        return route.fulfill(response=answer, json={**answer.json(), "name": now["name"], "version": now["version"]})

    def stream(route):
        ready = f'id: 1\nevent: ready\ndata: {{"id":1,"missed":{now["missed"]}}}\n\n'
        route.fulfill(content_type="text/event-stream", body=ready)

    person.context.route("**/identity/v1/accounts/me", me)
    person.context.route("**/notifications/v1/stream", stream)
    person.page.reload()
    person.tab("Me")
    person.see("Ruby Shaw")
    now.update(name="Ruby Hill", version=4, missed="true")
    person.see("Ruby Hill")


def test_markup_in_a_name_is_text(people):
    person = people("btnc", name=f"{XSS} Salem")
    person.register()
    person.tab("Me")
    person.see("<img src=x")
    person.go("me/profile")
    expect(person.page.get_by_label("Name")).to_have_value(f"{XSS} Salem")
    assert person.page.locator("img[src=x]").count() == 0
    person.check("me-markup")


@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_screens_hold_at_200_per_cent_and_at_320_pixels(people, language):
    person = people("btnc", language=language)
    person.go()
    person.page.evaluate("localStorage.setItem('serai-text', '200')")
    person.page.set_viewport_size({"width": 320, "height": 640})
    for path in ["welcome", "login", "register", "forgot", "tour"]:
        person.go(path)
        expect(person.page.get_by_role("heading", level=1).first).to_be_attached()
        expect(person.page.locator("[aria-busy]")).to_have_count(0)
        wide = person.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{path} is {wide} pixels too wide"
        person.page.screenshot(path=str(person.pictures() / f"large-{path}-{language}-320.png"))


def test_one_registers_by_keyboard_alone(people):
    person = people("carrepsa")
    person.go()
    person.see("How it works")
    keys = person.page.keyboard

    def reach(name: str) -> None:
        for _ in range(30):
            keys.press("Tab")
            if person.page.evaluate("document.activeElement.getAttribute('aria-label') || document.activeElement.labels?.[0]?.innerText || document.activeElement.innerText") == name:
                return
        raise AssertionError(f"{name} is not reached by Tab")

    reach("Create account")
    keys.press("Enter")
    person.at("Create account")
    for label, value in [("First name", "Elin"), ("Last name", "Berg"), ("Email", person.email), ("Mobile number", person.mobile),
                         ("Password", person.password), ("Confirm password", person.password)]:
        reach(label)
        keys.type(value)
    if person.page.locator("input[name=terms]").count():
        reach("I accept the terms and the privacy policy")
        keys.press("Space")
        reach("Create")
    keys.press("Enter")
    person.at("Confirm your account")
    code = person.sandbox.code(person.page, person.mobile)
    reach("Code of the SMS")
    keys.type(code)
    person.skip_tour()


def test_digits_of_other_scripts_are_taken(people):
    person = people("carrepsa", language="ar")
    person.go("register")
    person.fill_registration(kind="مرسل")
    eastern = person.mobile.translate(str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩"))
    person.fill("رقم الجوال", eastern)
    person.tap("إنشاء الحساب", exact=True)
    person.at("تأكيد حسابك")
    code = person.sandbox.code(person.page, person.mobile).translate(str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩"))
    person.page.get_by_label("رمز الرسالة النصية").fill(code)
    person.skip_tour()


def test_an_unknown_address_leads_home(people):
    person = people("btnc")
    person.register()
    person.go("no/such/screen")
    person.at("There is nothing at this address")
    person.tap("Go to the start")
    person.at("BTNC")


def test_back_and_reload_keep_what_was_typed(people):
    person = people("btnc")
    person.go()
    person.tap("Create account")
    person.fill("First name", "Noor")
    person.page.reload()
    expect(person.page.get_by_label("First name")).to_have_value("Noor")
    person.page.go_back()
    person.see("How it works")
    person.page.go_forward()
    expect(person.page.get_by_label("First name")).to_have_value("Noor")
    assert person.page.evaluate("Object.values(sessionStorage).join().includes('Horse')") is False
