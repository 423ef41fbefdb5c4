"""N2, I6: messages while the page is closed, and the choices of them."""

import json

import pytest
from playwright.sync_api import expect

BOTH = pytest.mark.parametrize("language", ["en", "ar"])


@BOTH
def test_the_choices_of_notices_and_quiet_hours_stay(people, language):
    person = people("btnc", language=language)
    person.register()
    person.go("me/notices")
    person.at(("Notices", "التنبيهات"))
    money = person.page.get_by_role("group", name=person.text(("Your money", "أموالك")))
    on_devices = money.get_by_role("checkbox", name=person.text(("On devices", "على الأجهزة")))
    expect(on_devices).to_be_checked()
    with person.page.expect_response(lambda one: one.url.endswith("/notifications/v1/choices/money") and one.status == 200):
        on_devices.uncheck()
    # What is owed is always told.
    dues = person.page.get_by_role("group", name=person.text(("What is owed, ends or is blocked", "المستحق والمنتهي والموقوف")))
    expect(dues.get_by_role("checkbox")).to_have_count(0)
    expect(dues).to_contain_text(person.word(("Always told", "يُبلَّغ دائمًا")))
    quiet = person.page.get_by_role("switch", name=person.text(("Quiet hours", "ساعات الهدوء")))
    with person.page.expect_response(lambda one: one.url.endswith("/notifications/v1/quiet-hours") and one.status == 200):
        quiet.click()
    until = person.page.get_by_label(person.word(("Until", "إلى")), exact=True)
    expect(until).to_have_value("07:00")
    with person.page.expect_response(lambda one: one.url.endswith("/notifications/v1/quiet-hours") and one.status == 200):
        until.fill("06:30")
    person.shot("me-notices-chosen")
    person.page.reload()
    person.at(("Notices", "التنبيهات"))
    expect(on_devices).not_to_be_checked()
    expect(until).to_have_value("06:30")
    quiet.click()
    expect(until).to_have_count(0)


def deliver(person, message: dict) -> None:
    """Hands a message to the page's service worker, as the browser does when a push service has sent one."""
    tools = person.context.new_cdp_session(person.page)
    found: list[str] = []
    tools.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(
        one["registrationId"] for one in event["registrations"] if one["scopeURL"].startswith(person.url)))
    tools.send("ServiceWorker.enable")
    person.page.wait_for_function("navigator.serviceWorker.controller !== null")
    assert found
    tools.send("ServiceWorker.deliverPushMessage", {"origin": person.url, "registrationId": found[0], "data": json.dumps(message)})


# Chromium without windows shows no notifications: what the worker has shown is kept here, one of each tag, as a phone does.
KEEP = """() => {
    self.shown = [];
    self.registration.showNotification = async (title, options) => {
        const tag = options.tag;
        const close = () => { self.shown = self.shown.filter((one) => one.tag !== tag); };
        close();
        self.shown.push({ title, ...options, close });
    };
    self.registration.getNotifications = async () => self.shown;
}"""
SHOWN = "() => self.shown.map(({ title, body, dir, lang, tag, data }) => ({ title, body, dir, lang, tag, data }))"
# A tap, which only a person at the machine could make.
TAP = """async () => {
    const event = new Event("notificationclick");
    event.notification = self.shown[0];
    let work;
    event.waitUntil = (promise) => { work = promise; };
    self.dispatchEvent(event);
    // The worker may give the tab its focus only at a true tap; by then the page has moved.
    await work.catch(() => undefined);
}"""


def test_a_message_is_shown_once_and_opens_its_page_in_the_tab_that_is_open(people):
    person = people("btnc")
    person.context.grant_permissions(["notifications", "geolocation"], origin=person.url)
    person.register()
    person.page.wait_for_function("navigator.serviceWorker.controller !== null")
    worker = person.context.service_workers[0]
    worker.evaluate(KEEP)

    def shown() -> list[dict]:
        return worker.evaluate(SHOWN)

    def until(body: str) -> None:
        for _ in range(300):
            if [one["body"] for one in shown()] == [body]:
                return
            person.page.wait_for_timeout(100)  # the worker is outside of the page
        raise AssertionError(shown())

    message = {"title": "طلب جديد من سالم", "body": "يرجى الرد", "url": "/btnc/inbox", "lang": "ar", "dir": "rtl", "tag": "one", "kind": "offers", "urgent": True}
    deliver(person, message)
    until(message["body"])
    # The same again, as after a server that died: it takes the place of the first.
    deliver(person, {**message, "body": "يرجى الرد الآن"})
    until("يرجى الرد الآن")
    assert shown() == [
        {"title": message["title"], "body": "يرجى الرد الآن", "dir": "rtl", "lang": "ar", "tag": "one", "data": "/btnc/inbox"}]
    worker.evaluate(TAP)
    person.at("Inbox")
    assert shown() == []
