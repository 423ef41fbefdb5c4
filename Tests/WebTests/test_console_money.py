"""W5, W8, C7, A1: an operations team at work with money in the console: refunds, pay-outs by two admins, promo codes."""

import re
import uuid

from playwright.sync_api import expect

from console import Operator
from ordering import choose_way, order_id, status
from paying import press_next, top_up
from perth import HILLS, north_of, place_of, register_rider
from desk import Rack
from test_bikes import shown_code
from test_care import choose_care
from test_rides import move_pin

LATE = 60_000


def cash_out(client, desk, amount: str) -> str:
    """Money that came to the desk in cash for a visit that was cancelled then: it is the client's own at once, and leaves by a
    cash-out, whose id is returned."""
    desk.do("PUT", "/admin/v1/markets/edencare/settings/openingHours", {"value": "always"})
    client.register()
    choose_care(client)
    client.choose("As soon as possible")
    client.tap("Go on")
    client.at("Your visit")
    client.tap("Order, ")
    order = order_id(client)
    price = desk.price("edencare", "companionship")
    desk.until(lambda: desk.do("POST", f"/wallet/v1/markets/edencare/payments/{order}/cash", {"amount": price}))
    desk.until(lambda: desk.do("POST", f"/dispatch/v1/orders/{order}/cancellation", {"reason": "The client has called"}))
    client.go("wallet/cash-out")
    field = client.page.locator("input[name=amount]")
    for _ in range(60):
        expect(field.or_(client.page.locator(".empty")).first).to_be_visible()
        if field.count():
            break
        client.page.wait_for_timeout(500)  # the wallet hears of the cancellation in a moment
        client.page.reload()
    field.fill(amount)
    for name, value in {"transit": "00012", "institution": "003", "accountNumber": "1234567", "holder": client.name, "bankName": "RBC"}.items():
        client.page.locator(f"input[name={name}]").fill(value)
    press_next(client)
    client.page.wait_for_url(re.compile(r"/wallet/cash-outs/[0-9a-f-]{36}"))
    return client.page.url.rsplit("/", 1)[1]


def make_code(one: Operator, code: str, most: str, uses: str) -> None:
    one.go("promos")
    one.act("New code", {"Code": code, "Per cent": "10", "At most": most, "How often altogether": uses})
    expect(one.row(code)).to_contain_text("Running")


def test_W8_money_of_a_finished_order_is_given_back(people, operator, perth):
    town = north_of(HILLS, 0.04)
    rack = Rack(perth, f"Quay {uuid.uuid4().hex[:6]}", town, 2)
    other = Rack(perth, f"Quay {uuid.uuid4().hex[:6]}", north_of(town), 0)
    rider = people("btnc", name=f"Ruby T{uuid.uuid4().hex[:6]}", place=town)
    register_rider(rider)
    rider.tap("Bikes")
    rider.choose(rack.name)
    rider.tap("Reserve and hold")
    rider.at("Pay")
    choose_way(rider, "Wallet")
    status(rider, "Your bike is ready at the rack")
    order = order_id(rider)
    other.bring_back(rack.take(shown_code(rider)))
    status(rider, "The bike is back")

    one = operator("btnc")
    one.go(f"orders/{order}")
    refund = one.page.get_by_role("main").get_by_role("button", name="Refund", exact=True)
    for _ in range(30):
        expect(one.page.locator("aside.detail")).to_be_visible()
        if refund.count():
            break
        one.page.wait_for_timeout(1000)  # the console's list hears of the payment in a moment
        one.page.reload()
    one.act("Refund", {"Amount": "0.50", "Reason": "The chain came off"})
    one.go(f"refunds?order={order}")
    # The wallet tells an id; admin has the name.
    expect(one.row(order[-8:])).to_contain_text(rider.name)
    expect(one.row(order[-8:])).to_contain_text("0.50")
    one.shot("refunds")
    rider.go("wallet/statement")
    rider.see("0.50")


def test_A1_W5_a_cash_out_is_paid_by_two_admins_and_the_first_cannot_be_both(people, operator, desk):
    client = people("edencare", name=f"Ada T{uuid.uuid4().hex[:6]}")
    id_ = cash_out(client, desk, "20.00")
    first, second = operator("edencare"), operator("edencare")
    # What one admin may give away alone in a day is all but used up by a code.
    make_code(first, f"DAY{uuid.uuid4().hex[:6].upper()}", "19.90", "100")
    first.go(f"cashouts/{id_}")
    first.act("Pay out")
    first.person.see("It waits for a second admin")
    detail = first.page.locator("aside.detail")
    expect(detail.get_by_text(first.person.name)).to_be_visible()
    expect(detail.get_by_text(client.name).first).to_be_visible()
    first.shot("cash-out-first")
    first.go("approvals")
    mine = first.open(id_[-8:])
    expect(mine).to_contain_text("You began this")
    expect(mine.get_by_role("button", name="Approve", exact=True)).to_have_count(0)

    second.page.goto(first.page.url)
    expect(second.page.locator("aside.detail")).to_contain_text(first.person.name)
    second.act("Approve")
    second.go(f"cashouts/{id_}")
    expect(second.page.locator("aside.detail")).to_contain_text(second.person.name)
    client.page.reload()
    client.see(re.compile("The bank has it|Paid out"))


def test_A1_W5_of_two_admins_at_one_cash_out_the_second_is_told(people, operator, desk):
    client = people("edencare", name=f"Ada T{uuid.uuid4().hex[:6]}")
    id_ = cash_out(client, desk, "10.00")
    first, second = operator("edencare"), operator("edencare")
    for one in (first, second):
        one.go(f"cashouts/{id_}")
        expect(one.page.locator("aside.detail")).to_contain_text("Waiting for a decision")
    second.page.get_by_role("main").get_by_role("button", name="Reject", exact=True).click()
    dialog = second.page.get_by_role("dialog")
    dialog.get_by_label(re.compile("^Reason")).fill("The account is not the client's")
    first.act("Pay out")
    expect(first.page.locator("aside.detail")).to_contain_text(first.person.name)
    dialog.get_by_role("button", name="Reject", exact=True).click()
    expect(dialog).to_contain_text("Another admin has changed this meanwhile")
    second.shot("cash-out-decided")
    dialog.get_by_role("button", name="Close", exact=True).last.click()
    expect(second.page.locator("aside.detail")).to_contain_text(first.person.name)


def test_C7_a_promo_code_is_made_in_the_console_and_used_in_the_app(people, operator):
    one = operator("btnc")
    code = f"RIDE{uuid.uuid4().hex[:6].upper()}"
    make_code(one, code, "5.00", "5")
    rider = people("btnc", name="Ruby Shaw", place=place_of(1, "en"))
    register_rider(rider)
    rider.tap("Where to?")
    move_pin(rider, 6)
    rider.see("Which car?")
    rider.tap("Add a promo code")
    rider.fill("Promo code", code)
    rider.tap("Apply")
    expect(rider.page.locator(".note.good").first).to_be_visible()
    rider.tap("Order for")
    rider.at("Pay")
    choose_way(rider, "Wallet")
    rider.see("Looking for a driver")
    one.go("promos")
    expect(one.row(code)).to_contain_text("1 / 5")
    one.shot("promos-used")


def test_C8_a_plan_of_ten_days_is_made_changed_and_ended(operator):
    one = operator("carrepsa")
    name = f"Ten {uuid.uuid4().hex[:6]}"
    one.go("plans/figures")
    fields = {"Period": "10", "Price": "12.00", "Name in English": name, "Name in Arabic": f"عشرة {name}",
              "Description in English": "Ten days of requests", "Description in Arabic": "عشرة أيام من الطلبات"}
    one.act("New plan", fields, choose="Days")
    expect(one.row(name)).to_contain_text("10 days")
    one.row(name).get_by_role("button", name="Change", exact=True).click()
    dialog = one.page.get_by_role("dialog")
    expect(dialog.get_by_label(re.compile("^Period"))).to_have_value("10")
    dialog.get_by_role("radio", name="Weeks").check()
    dialog.get_by_role("button", name="Change", exact=True).last.click()
    expect(dialog).to_have_count(0)
    expect(one.row(name)).to_contain_text("10 weeks")
    one.shot("plans")
    one.row(name).get_by_role("button", name="End", exact=True).click()
    dialog.get_by_role("button", name="End", exact=True).last.click()
    expect(one.row(name)).to_contain_text("Ended")
