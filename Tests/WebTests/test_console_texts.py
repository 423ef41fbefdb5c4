"""A1, Q8: what people write is a text in the app and in the console, whatever it looks like."""

import re
import uuid

from playwright.sync_api import expect

import evil
from perth import HILLS, RIDER, register_restaurant
from test_meals import open_kitchen


def test_A1_names_dishes_inquiries_and_reasons_that_look_like_programs_are_shown_as_texts(people, operator, perth):
    mark = uuid.uuid4().hex[:6]
    kitchen = people("btnc", name=f"{evil.SCRIPT} {evil.TURNED}", place=HILLS)
    customer = people("btnc", name=f"Mira {evil.TURNED} {mark}", place=HILLS)
    evil.listen(kitchen, customer)
    register_restaurant(kitchen, perth)
    restaurant = f"{evil.IMAGE} {mark}"
    open_kitchen(kitchen, (restaurant, f"{evil.TURNED} {mark}"), [(evil.SCRIPT, f"{evil.TURNED} {mark}", "7.00")])
    evil.is_text(kitchen)

    customer.register(RIDER)
    customer.tap("Food")
    customer.page.get_by_role("link", name=customer.text(restaurant)).click()
    customer.see(evil.SCRIPT)
    evil.is_text(customer)
    customer.go("help")
    customer.at("Contact us")
    customer.fill("Title", f"{evil.SCRIPT} {mark}")
    customer.fill("What do you want to ask or tell us?", evil.ALL)
    customer.tap("Send", "button", exact=True)
    customer.at("Support")
    expect(customer.page.locator(".bubble")).to_contain_text(evil.IMAGE)
    evil.is_text(customer)

    one = operator("btnc")
    evil.listen(one.person)
    detail = one.page.locator("aside.detail")
    one.go("inquiries")
    one.open(mark)
    for text in (evil.IMAGE, evil.SCRIPT):
        expect(detail.locator(".said")).to_contain_text(text)
    evil.is_text(one.person)
    one.go("people")
    one.filter("Name", mark)
    one.open(mark)
    evil.is_text(one.person)
    one.go("restaurants")
    one.filter("Name", mark)
    one.open(mark)
    expect(detail.get_by_role("region", name="Menu")).to_contain_text(evil.SCRIPT)
    one.act("Close the restaurant", {"Reason": f"{evil.ALL} {mark}"})
    expect(detail.locator(".note.danger")).to_contain_text(evil.IMAGE)
    evil.is_text(one.person)
    one.shot("restaurant-texts")
    kitchen.page.reload()
    kitchen.see(evil.IMAGE)
    evil.is_text(kitchen)

    one.go(f"audit?text={mark}")
    row = one.page.get_by_role("row").filter(has_text=one.person.name).first
    row.locator("summary").click()
    expect(row).to_contain_text(evil.IMAGE)
    evil.is_text(one.person)
