"""P9, Q2: whoever runs the services sees how each stands, and puts dead messages back or drops them, in both languages."""

import base64
import json
import time
import urllib.parse
import urllib.request
import uuid
from pathlib import Path

import pytest
from playwright.sync_api import expect

BOTH = pytest.mark.parametrize("language", ["en", "ar"])
ROOT = Path(__file__).resolve().parents[2]


def poison(queue: str) -> str:
    """A message of a known name that nobody can read, as an operator of the broker would put it there; its id."""
    address = urllib.parse.urlsplit((ROOT / ".local/run/rabbitmq/management-url").read_text().strip())
    login = base64.b64encode(f"{address.username}:{urllib.parse.unquote(address.password or '')}".encode()).decode()
    message = str(uuid.uuid4())
    body = {
        "properties": {"message_id": message, "type": "dispatch.order.accepted.v1", "app_id": "dispatch", "delivery_mode": 2},
        "routing_key": queue, "payload": json.dumps({"note": "not an order", "sealed": "hidden"}), "payload_encoding": "string"}
    request = urllib.request.Request(
        f"http://{address.hostname}:{address.port}/api/exchanges/%2F/amq.default/publish", json.dumps(body).encode(),
        {"Authorization": f"Basic {login}", "Content-Type": "application/json"}, method="POST")
    with urllib.request.urlopen(request, timeout=60) as answer:
        assert json.loads(answer.read())["routed"]
    return message


def dead(desk, message: str, state: str, seconds: float = 60) -> dict:
    """The dead message, when it is in the state."""
    end = time.time() + seconds
    while True:
        found = desk.do("GET", "/notifications/v1/dead-messages?state=all&limit=100")["items"]
        for one in found:
            if one.get("message") == message and one["state"] == state:
                return one
        assert time.time() < end, f"{message} is not {state}: {found}"
        time.sleep(0.2)


@BOTH
def test_Q2_a_dead_message_is_looked_at_put_back_and_dropped(operator, desk, language):
    message = poison("notifications.events")
    found = dead(desk, message, "waiting")
    one = operator("btnc", language, rights="*")
    one.go("system")
    for service in (("Identity", "الهوية"), ("Dispatch", "التوزيع"), ("Wallet", "المحفظة"), ("Notifications", "الإشعارات"), ("Admin", "الإدارة")):
        expect(one.row(one.person.word(service))).not_to_contain_text(one.person.word(("Does not answer", "لا تجيب")))
    one.shot("system")
    one.go("dead?service=notifications")
    expect(one.row("dispatch.order.accepted.v1")).to_be_visible()
    one.go(f"dead/{found['id']}?service=notifications")
    detail = one.page.locator("aside.detail")
    expect(detail).to_contain_text("not an order")
    expect(detail).not_to_contain_text('"hidden"')
    one.shot("dead")
    one.act(("Put back", "أعدها"))
    # Nobody has mended the cause, so it is back.
    again = dead(desk, message, "waiting")
    assert again["id"] == found["id"]
    one.go(f"dead/{found['id']}?service=notifications")
    one.act(("Drop", "احذفها"), {("Reason", "السبب"): "Made by a test"})
    expect(detail).to_contain_text(one.person.word(("Dropped", "حُذفت")))
    dead(desk, message, "dropped")
    one.go(f"audit?market=all&subject={found['id']}")
    for words in (("Dropped a dead message", "حذف رسالة فاشلة"), ("Put a dead message back", "أعاد رسالة فاشلة")):
        expect(one.row(one.person.word(words))).to_contain_text(one.person.name)


def test_A1_what_is_sought_in_the_audit_log_stands_in_the_address(operator, desk):
    one = operator("btnc")
    path = "/admin/v1/markets/btnc/settings"
    known = next(one["value"] for one in desk.do("GET", path)["items"] if one["key"] == "decisionWindowSeconds")
    for value in (str(int(known) + 1), known):
        desk.do("PUT", f"{path}/decisionWindowSeconds", {"value": value})
    one.go("audit")
    one.filter("What", "setting.changed")
    expect(one.row("Changed a setting").first).to_be_visible()
    one.page.wait_for_url("**action=setting.changed**")
    one.page.reload()
    expect(one.row("Changed a setting").first).to_be_visible()
    expect(one.row("Looked at a list")).to_have_count(0)
    one.go("settings/decisionWindowSeconds")
    expect(one.page.locator("aside.detail").get_by_role("region", name="History")).to_be_visible()
    with one.page.expect_download() as download:
        one.go("audit?action=setting.changed")
        one.page.get_by_role("button", name="Download").click()
    assert "setting.changed" in Path(download.value.path()).read_text(encoding="utf-8-sig")
