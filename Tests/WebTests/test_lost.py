"""Q8, Q12: answers that are lost on the way, what waits and is refused then, and sheets that nothing closes by accident."""

import re
import urllib.request

from playwright.sync_api import expect

from person import ROOT, deployment
from test_chat import bubble, hears, open_talk, parcel_in_two_browsers, write


def in_use(route) -> None:
    route.fulfill(
        status=409, content_type="application/problem+json",
        json={"type": "urn:serai:problem:idempotency-key-in-use", "title": "The same request is still running", "status": 409})


def ask(person, title: str) -> None:
    person.go("help")
    person.at("Contact us")
    person.fill("Title", title)
    person.fill("What do you want to ask or tell us?", "Where is my meal?")


def test_Q8_a_repeat_waits_for_the_first_try_and_has_its_key(people):
    person = people("btnc")
    person.register()
    keys = []

    def answer(route):
        if route.request.method != "POST":
            return route.continue_()
        keys.append(route.request.headers["idempotency-key"])
        # The first try goes on for longer than the page waits; the person taps again then.
        return in_use(route) if len(keys) <= 5 else route.continue_()

    person.context.route("**/notifications/v1/inquiries", answer)
    ask(person, "Lost between two networks")
    person.tap("Send", "button", exact=True)
    person.see("still running")
    assert len(keys) == 4
    person.tap("Send", "button", exact=True)
    person.at("Support")
    assert len(keys) == 6 and len(set(keys)) == 1


def test_Q8_who_changes_a_form_whose_answer_was_lost_learns_that_it_has_come(people):
    person = people("btnc")
    person.register()
    lost = []

    def answer(route):
        if route.request.method != "POST" or lost:
            return route.continue_()
        lost.append(route.fetch().status)
        return route.abort("connectionreset")

    # The services have it; the phone never learns so.
    person.context.route("**/notifications/v1/inquiries", answer)
    ask(person, "Sent once")
    person.page.evaluate("Object.defineProperty(navigator, 'onLine', { get: () => window.gone !== true, configurable: true }); window.gone = true")
    person.tap("Send", "button", exact=True)
    person.see("What you typed is kept")
    person.page.evaluate("window.gone = false")
    person.fill("What do you want to ask or tell us?", "Where is my meal? I am hungry.")
    person.tap("Send", "button", exact=True)
    person.see("What you sent before did arrive")
    assert lost == [201]


def test_Q12_N4_what_waited_and_is_refused_stays_with_the_reason_until_it_is_sent_in_other_words(people, tmp_path):
    owner, carrier = parcel_in_two_browsers(people, tmp_path)
    open_talk(owner, "Karin Lund")
    open_talk(carrier, "Olof Berg")

    def answer(route):
        if route.request.method != "PUT" or route.request.post_data_json.get("anyway"):
            return route.continue_()
        return route.fulfill(
            status=409, content_type="application/problem+json",
            json={"type": "urn:serai:problem:contact-in-message", "title": "It looks like a phone number", "status": 409})

    carrier.offline()
    write(carrier, "call me on +46 70 123 45 67")
    expect(carrier.page.locator(".bubble", has_text="Waits for a connection")).to_have_count(1)
    # As in a market that asks before a number is sent.
    carrier.context.route(re.compile(r"/conversations/[^/]+/messages/[^/]+$"), answer)
    carrier.offline(False)
    refused = bubble(carrier, "call me on")
    expect(refused).to_contain_text("Not sent", timeout=20_000)
    carrier.shot("talk-refused", [360])
    # Also after the page was left.
    carrier.page.reload()
    expect(bubble(carrier, "call me on")).to_contain_text("Not sent")
    bubble(carrier, "call me on").get_by_role("button", name=re.compile("again", re.IGNORECASE)).click()
    carrier.page.get_by_role("dialog").get_by_role("button", name="Send anyway").click()
    hears(owner, "call me on")


def test_Q12_a_secret_that_is_shown_once_stays_until_it_is_done_with(people):
    person = people("btnc")
    person.register()
    person.go("keys")
    person.tap("Make a key", "button", exact=True)
    dialog = person.page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Shop")
    dialog.get_by_role("button", name="Make a key").click()
    secret = dialog.locator(".secret")
    expect(secret).to_contain_text("serai_live_")
    for _ in range(3):
        person.page.keyboard.press("Escape")
    expect(secret).to_be_visible()
    # What happens is told inside of the sheet, where it is seen and read out.
    person.context.grant_permissions(["clipboard-write"])
    dialog.get_by_role("button", name="Copy").click()
    expect(dialog.get_by_role("status").get_by_text("Copied")).to_be_visible()
    person.shot("key-secret", [360])
    dialog.get_by_role("button", name="I have it").click()
    expect(dialog).to_have_count(0)


def test_Q12_a_text_that_is_marked_beyond_its_sheet_is_kept(people):
    person = people("btnc", width=1280)
    person.register()
    person.go("keys")
    person.tap("Make a key", "button", exact=True)
    field = person.page.get_by_role("dialog").get_by_label("Name")
    field.fill("The shop at the corner")
    box = field.bounding_box()
    person.page.mouse.move(box["x"] + 20, box["y"] + 10)
    person.page.mouse.down()
    person.page.mouse.move(20, 20)
    person.page.mouse.up()
    expect(field).to_have_value("The shop at the corner")


def test_N1_each_page_that_a_mail_leads_to_is_there():
    source = (ROOT / "Services/Identity/Accounts/RequestDelivery.swift").read_text()
    pages = set(re.findall(r"webURL\)/([a-z]+)", source))
    assert {"password", "login", "me"} <= pages
    url, _ = deployment()
    for page in sorted(pages):
        with urllib.request.urlopen(f"{url}/{page}") as answer:
            assert answer.status == 200 and "text/html" in answer.headers["Content-Type"], page
