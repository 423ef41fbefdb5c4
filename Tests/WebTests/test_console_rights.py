"""I13, A1: what the console's pages read and do is refused by the services to whoever may not, whatever a page shows or hides."""

import re
import uuid
from pathlib import Path

from playwright.sync_api import expect

from console import Operator, invite
from desk import Desk, Refused, call
from person import Person
from test_parcels import post_parcel
from ordering import status

PAGES = Path(__file__).resolve().parents[2] / "Web/console/pages"
SERVICES = "identity|dispatch|wallet|notifications|admin"
# What everybody may ask: a market's services, places by their names, and somebody's public page.
OPEN = {"/dispatch/v1/markets/{market}/services", "/dispatch/v1/markets/{market}/places", "/identity/v1/markets/{market}/people/{account}"}
# Those of master admins are refused to every other admin, too, by the same words.
MASTER = {"/identity/v1/markets/{market}/admins", "/identity/v1/markets/{market}/admins/{account}", "/admin/v1/rebuild"}
# Where a service reads the body before it looks whose the order is, or knows by the body alone that an admin acts.
SOMEBODY = str(uuid.uuid4())
BODIES = {
    "/assignment": {"provider": SOMEBODY}, "/schedule": {"time": "2099-01-01T10:00:00Z"}, "/visits": {"customer": SOMEBODY},
    "/payment": {"payment": "wallet"}, "/visits/{day}": {"day": "2099-01-12", "time": "10:00"},
    "/v1/series": {"market": "edencare", "customer": SOMEBODY, "services": ["companionship"], "payment": "wallet", "latitude": 50.44, "longitude": -104.61,
                   "description": "12 Elm Street", "rule": "FREQ=WEEKLY;BYDAY=MO", "firstDay": "2099-01-05", "time": "10:00", "total": 3000},
}
# Where a market has something that others have not.
MARKETS = {"racks": "btnc", "bikes": "btnc", "merchants": "btnc", "visits": "edencare", "links": "edencare", "title-questions": "assef"}


def sources() -> list[str]:
    """The pages' files, with the paths that a file writes once put where it uses them."""
    found = []
    for file in sorted(PAGES.rglob("*.ts*")):
        text = file.read_text()
        for name, path in re.findall(r'const (\w+) = "(/[^"]+)";', text):
            text = text.replace(f"`${{{name}}}", f"`{path}").replace(f"({name},", f'("{path}",')
        found.append(text)
    return found


def reads() -> list[str]:
    """The paths of a market that pages name; among them are those of acts alone, which nobody can read."""
    found = {path for text in sources() for path in re.findall(rf'["`](/(?:{SERVICES})/v1/markets/{{market}}/[^"`]*)["`]', text)}
    return sorted(found - OPEN)


def acts() -> list[tuple[str, str]]:
    found = {(method.upper(), path) for text in sources()
             for method, path in re.findall(rf'api\.(post|put|patch|delete)\(["`](/(?:{SERVICES})/v1/[^"`]+)["`]', text)}
    return sorted(found)


def filled(path: str, market: str, known: dict[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda hole: market if hole[1] == "market" else known.get(hole[1], str(uuid.uuid4())), path)


def token_of(someone: Person) -> str:
    """The token that somebody's page has in its memory: it is in the next request that the page sends."""
    with someone.page.expect_request(lambda one: "authorization" in one.headers) as sent:
        someone.page.reload()
    return sent.value.headers["authorization"]


def refused(method: str, path: str, token: str | None, body: dict | None = None) -> tuple[int, str]:
    """How the services refuse it; 200 where they do not."""
    try:
        call(method, path, body, {"Authorization": token} if token else {})
    except Refused as no:
        return no.status, no.slug
    return 200, ""


def test_A1_what_pages_read_is_refused_to_a_customer_to_another_markets_admin_and_without_a_login(people, operator):
    customer = people("btnc")
    customer.register()
    strangers = {"a customer": token_of(customer), "another market's admin": token_of(operator("carrepsa").person)}
    checked = 0
    for path in reads():
        address = filled(path, "btnc", {})
        found = refused("GET", address, None)
        if found == (405, "method-not-allowed"):
            continue
        assert found == (401, "unauthenticated"), path
        for who, token in strangers.items():
            assert refused("GET", address, token) == (403, "forbidden"), f"{path} for {who}"
        checked += 1
    assert checked > 60


def test_I13_support_sees_pages_and_every_act_that_it_sends_itself_is_refused(people, desk: Desk, tmp_path):
    owner = people("carrepsa", name=f"Olof T{uuid.uuid4().hex[:6]}")
    owner.register(kind="Sender")
    post_parcel(owner, tmp_path, "0", "")
    status(owner, "Your parcel is on the board")
    order = owner.page.url.rsplit("/", 1)[1]
    report = call("POST", f"/dispatch/v1/orders/{order}/reports", {"reason": "other", "note": "It rains", "cancels": False},
                  {"Authorization": token_of(owner)})["report"]
    owner.go()
    post_parcel(owner, tmp_path, "50", "", repeats=True)
    owner.at("Repeating parcels")
    series = owner.page.url.rsplit("/", 1)[1]
    known = {"day": "2099-01-05", "order": order, "report": report, "account": owner.account(), "section": "report-reasons"}

    someone = people("carrepsa", name=f"Su T{uuid.uuid4().hex[:6]}", width=1440)
    account = invite(someone, desk)
    for market in ("carrepsa", "btnc", "edencare", "assef"):
        desk.do("POST", f"/identity/v1/markets/{market}/admins", {"account": account, "rank": "support"})
    support = Operator(someone)
    support.log_in()
    support.go(f"orders/{order}")
    detail = support.page.locator("aside.detail")
    expect(detail).to_contain_text(owner.name)
    for act in ("Cancel", "Refund"):
        expect(detail.get_by_role("button", name=act, exact=True)).to_have_count(0)
    support.go(f"reports/{report}")
    expect(detail).to_contain_text("It rains")
    expect(detail.get_by_role("button", name="Answer", exact=True)).to_have_count(0)

    token = token_of(someone)
    bad = []
    for method, path in acts():
        market = next((one for part, one in MARKETS.items() if f"/{part}" in path), "carrepsa")
        body = next((body for end, body in BODIES.items() if path.endswith(end)), {})
        known["id"] = series if "/series/" in path else order
        found = refused(method, filled(path, market, known), token, body)
        if path in MASTER:
            assert found == (403, "forbidden"), path
        elif found != (403, "support-reads-only"):
            bad.append(f"{method} {path}: {found}")
    assert bad == []
    support.go(f"orders/{order}")
    expect(detail).to_contain_text(owner.name)
    assert someone.faults == []
