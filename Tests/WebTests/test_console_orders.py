"""O3, O7, P6, W2, A1: what the console decides and orders, as the people whom it is about see it in the app."""

import re
import uuid
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

import evil
from console import Operator
from ordering import answer, choose_way, status
from paying import top_up
from person import Person
from perth import HILLS, register_driver, register_rider, wait_for_orders
from test_care import become_partner
from test_parcels import confirm, post_parcel
from test_rides import move_pin

BOTH = pytest.mark.parametrize("language", ["en", "ar"])
LATE = 60_000


def balance(person: Person, amount: str) -> None:
    """What the wallet says at last; it hears of a decision in a moment."""
    person.go("wallet")
    expect(person.page.get_by_role("main")).to_contain_text(amount, timeout=LATE)


def stopped_parcel(people, tmp_path, note: str) -> tuple[Person, Person, str]:
    """A parcel paid from the wallet that somebody has taken, and whose owner has stopped it by a report."""
    owner = people("carrepsa", name=f"Olof T{uuid.uuid4().hex[:6]}")
    owner.register(kind="Sender")
    top_up(owner, "100")
    owner.go()
    post_parcel(owner, tmp_path, "40", "")
    owner.at("Pay")
    choose_way(owner, "Wallet")
    status(owner, "Your parcel is on the board")
    order = owner.page.url.rsplit("/", 1)[1]
    carrier = people("carrepsa", name=f"Karin T{uuid.uuid4().hex[:6]}")
    carrier.register(kind="Carrier")
    carrier.go(f"o/{order}")
    carrier.tap("Accept delivery")
    confirm(carrier)
    status(carrier, "Fetch the parcel")
    evil.listen(owner, carrier)
    owner.tap("Report a problem")
    dialog = owner.page.get_by_role("dialog")
    dialog.get_by_role("radio").first.check()
    dialog.get_by_role("radio", name="Stop the order").check()
    owner.page.get_by_label(re.compile("In your words")).fill(note)
    answer(owner, "Send")
    status(owner, "under review")
    return owner, carrier, order


@pytest.mark.parametrize("decision,owners,carriers", [("Pay the provider", "60.00", "40.00"), ("Return it to the customer", "100.00", "0.00")])
def test_O3_W2_A1_a_report_is_decided_for_either_side_and_both_wallets_show_it(people, operator, tmp_path, decision, owners, carriers):
    note, reason = f"Broken {evil.ALL}", f"Seen {evil.ALL}"
    owner, carrier, order = stopped_parcel(people, tmp_path, note)
    balance(owner, "60.00")
    one = operator("carrepsa")
    evil.listen(one.person)
    one.go("reports")
    detail = one.open(owner.name)
    for text in (evil.IMAGE, evil.SCRIPT):
        expect(detail).to_contain_text(text)
    evil.is_text(one.person)
    one.act("Decide", {"Reason": reason}, choose=decision)
    expect(detail.get_by_role("region", name="Outcome").or_(detail.get_by_text("Outcome")).first).to_be_visible()
    one.go(f"orders/{order}")
    expect(detail).to_contain_text(evil.IMAGE)
    evil.is_text(one.person)
    balance(owner, owners)
    balance(carrier, carriers)
    for person in (owner, carrier):
        person.go(f"o/{order}")
        for text in (evil.IMAGE, evil.SCRIPT):
            person.see(text)
        evil.is_text(person)


def press_until(one: Operator, key: str, holds: str, most: int = 60) -> None:
    """Presses a key until the script says of what has the focus that it is that."""
    for _ in range(most):
        if one.page.evaluate(f"(() => {{ const at = document.activeElement; return Boolean({holds}); }})()"):
            return
        one.page.keyboard.press(key)
    raise AssertionError(f"{key} does not lead there: {holds}")


@BOTH
def test_O7_a_visit_of_a_caller_is_assigned_by_keys_at_the_desk_and_stands_in_the_partners_calendar(people, operator, desk, language):
    desk.do("PUT", "/admin/v1/markets/edencare/settings/openingHours", {"value": "always"})
    partner = people("edencare", language=language, name=f"Paul T{uuid.uuid4().hex[:6]}")
    become_partner(partner, desk)
    caller = people("edencare", name=f"Cora T{uuid.uuid4().hex[:6]}")
    desk.do("POST", "/identity/v1/markets/edencare/people", {"role": "customer", "name": caller.name, "email": caller.email, "mobile": caller.mobile})
    one = operator("edencare", language)
    one.go("caller")
    one.person.fill(("Find the customer by name", "البحث عن العميل بالاسم"), caller.name)
    one.person.tap(caller.name)
    one.page.get_by_role("checkbox", name=re.compile("Companionship|المرافقة")).check()
    one.person.fill(("Street, number, and how to find it", "الشارع والرقم وكيفية الوصول"), "12 Elm Street")
    one.page.get_by_label(one.person.word(("Preferred partner", "الشريك المفضل"))).select_option(label=partner.name)
    one.person.tap(("Order for", "طلب بمبلغ"), "button")
    expect(one.page.locator("aside.detail")).to_contain_text("12 Elm Street")
    one.act(("Cash taken", "قُبض نقدًا"))

    day = (datetime.now(ZoneInfo("America/Regina")) + timedelta(days=1)).date().isoformat()
    one.go(f"desk?day={day}")
    one.at(("Desk of the day", "مكتب اليوم"))
    expect(one.page.locator(".visits [data-row]").filter(has_text=caller.name)).to_be_visible(timeout=LATE)
    press_until(one, "j", f"at.matches('[data-row]') && at.innerText.includes('{caller.name}')")
    one.page.keyboard.press("a")
    dialog = one.page.get_by_role("dialog")
    # Whoever is free and preferred comes first, and is chosen.
    expect(dialog.get_by_role("radio", name=re.compile(re.escape(partner.name)))).to_be_checked()
    press_until(one, "Tab", "at.matches('dialog [type=submit]')")
    one.page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)

    partner.tap(("Accept", "قبول"))
    status(partner, ("You visit", "زيارتك إلى"))
    partner.go("calendar")
    partner.at(("Calendar", "التقويم"))
    partner.tap(("The day after", "اليوم التالي"))
    partner.see(caller.name)
    one.page.reload()
    calendar = one.page.get_by_role("region", name=partner.name).or_(one.page.locator(f".calendar[aria-label='{partner.name}']")).first
    expect(calendar).to_contain_text(caller.name)
    one.shot("desk-assigned")


def test_P6_A1_a_running_ride_and_its_driver_are_on_the_live_map_of_today(people, operator, perth):
    driver = people("btnc", name=f"Dan T{uuid.uuid4().hex[:6]}", place=HILLS)
    register_driver(driver, perth)
    wait_for_orders(driver)
    one = operator("btnc")
    one.go("today")
    available = one.page.get_by_role("region", name="Available providers")
    expect(available.get_by_role("row").filter(has_text=driver.name)).to_contain_text("Free", timeout=LATE)
    rider = people("btnc", name=f"Ruby T{uuid.uuid4().hex[:6]}", place=HILLS)
    register_rider(rider)
    rider.tap("Where to?")
    move_pin(rider, 6)
    rider.tap("Order for")
    rider.at("Pay")
    choose_way(rider, "Wallet")
    driver.page.get_by_role("dialog").get_by_role("button", name="Accept").click(timeout=LATE)
    rider.see(f"{driver.name} is on the way")
    # The page looks again by itself.
    running = one.page.get_by_role("region", name="Running orders").get_by_role("row").filter(has_text=driver.name)
    expect(running).to_be_visible(timeout=LATE)
    expect(available.get_by_role("row").filter(has_text=driver.name)).to_contain_text("Has an order", timeout=LATE)
    one.shot("today-running")
    running.get_by_role("link").first.click()
    one.at("Orders")
    expect(one.page.locator("aside.detail")).to_contain_text(rider.name)
