"""Q7: nobody reads or changes what is not theirs. Each operation, asked about things that are there, by each wrong caller."""

import json

import pytest

import operations
import tokens
from asking import Answer, ask
from cast import Person
from town import ABSENT, HOME, picture

ALL = operations.all_operations()
KINDS = operations.reviewed()
REFUSED = {401, 403, 404, 409, 422, 429}
# Where an API key may do something for its owner (KeyScope).
KEYS = ("/dispatch/v1/", "/wallet/v1/orders/", "/notifications/v1/webhooks")


def named(kinds: set[str]):
    return pytest.mark.parametrize("operation", [one for one in ALL if KINDS.get(one.key) in kinds], ids=lambda one: f"{one.service}-{one.id}")


def send(operation, town, token: str | None) -> Answer:
    """About the owner's own thing, where the path names one."""
    request = operations.request(operation, town.ids, HOME, picture())
    headers = dict(request.headers)
    if request.body == picture():
        headers["Content-Type"] = "image/png"
    return ask(request.method, request.path, token, request.body, headers)


def is_problem(answer: Answer) -> bool:
    """RFC 9457, in the form that all services have."""
    if not answer.headers.get("content-type", "").startswith("application/problem+json"):
        return False
    body = answer.json()
    return body["status"] == answer.status and body["type"].startswith("urn:serai:problem:") and bool(body["title"])


def faults_of(answer: Answer, who: str, town, allowed: set[int]) -> list[str]:
    found = []
    if answer.status not in allowed:
        found.append(f"{who}: {answer.status} {answer.text[:200]}")
    elif answer.status >= 400 and not is_problem(answer):
        found.append(f"{who}: {answer.status} is no problem+json: {answer.text[:200]}")
    found += [f"{who}: the answer has {text!r}" for text in town.private() if text in answer.text]
    return found


def test_the_town_has_one_of_everything(town):
    assert town.faults == []
    asked = {f"{one.service}: {name}" for one in ALL for name in one.names() if not name.endswith("{market}")}
    # A kind of choice is no thing, and what a person sets up for herself is named by her.
    assert asked - set(town.ids) - ABSENT - {"notifications: choices/{kind}"} == set()


def test_the_owner_is_answered(town):
    """Else all of the refusals below would say nothing."""
    for one in ALL:
        if KINDS[one.key] == "party" and one.reads and one.id in {"readPlace", "findOrder", "getTopUp", "getCashOut", "readInquiry", "readWebhook", "listMessages"}:
            answer = send(one, town, town.owner.token)
            assert answer.status == 200, f"{one.key}: {answer.status} {answer.text[:300]}"


def test_a_token_that_is_signed_here_is_good(town):
    assert ask("GET", "/identity/v1/accounts/me", tokens.good(town.stranger.token)).status == 200


@named({"own", "party", "desk", "staff", "master", "device"})
def test_without_a_good_token_nothing_is_answered(operation, town):
    faults = []
    for what, token in tokens.wrong(town.stranger.token).items():
        answer = send(operation, town, token)
        faults += faults_of(answer, what, town, {401})
        if KINDS[operation.key] != "device" and "www-authenticate" not in answer.headers:
            faults.append(f"{what}: nothing says how to authenticate")
    assert faults == []


@pytest.fixture(scope="session")
def ended(town) -> str:
    """The token of a session that its owner has ended."""
    gone = Person("Gone Person", HOME).register()
    token = gone.token
    gone.do("DELETE", "/identity/v1/sessions/current", status=204)
    for path in ("identity/v1/sessions", "dispatch/v1/orders", "wallet/v1/wallets", "notifications/v1/inbox", "admin/v1/markets/carrepsa/settings"):
        town.until(lambda path=path: ask("GET", f"/{path}", token).status == 401)
    return token


@named({"own", "party", "desk", "staff", "master"})
def test_the_token_of_an_ended_session_is_none(operation, town, ended):
    assert faults_of(send(operation, town, ended), "ended", town, {401}) == []


@named({"party", "desk", "master"})
def test_a_stranger_is_refused(operation, town):
    callers = {"a customer": town.stranger, "a carrier": town.provider, "another market's admin": town.other}
    kind = KINDS[operation.key]
    if kind == "master":
        callers |= {"the market's admin": town.steward}
    if kind == "master" or not operation.reads:
        callers |= {"the market's support": town.support}
    assert [fault for who, person in callers.items() for fault in faults_of(send(operation, town, person.token), who, town, REFUSED)] == []


@named({"staff"})
def test_who_is_no_admin_anywhere_is_refused(operation, town):
    for who, person in {"a customer": town.stranger, "a carrier": town.provider}.items():
        assert faults_of(send(operation, town, person.token), who, town, REFUSED) == []
    answer = send(operation, town, town.other.token)
    assert answer.status < 500 and not [text for text in town.private() if text in answer.text]


@named({"own"})
def test_what_everybody_has_is_their_own(operation, town):
    """Acts are left out: people may do what they like with what is theirs."""
    if not operation.reads:
        pytest.skip("an act on what is one's own")
    for who, person in {"a customer": town.stranger, "a carrier": town.provider, "another market's admin": town.other}.items():
        answer = send(operation, town, person.token)
        assert answer.status < 500, f"{who}: {answer.status} {answer.text[:200]}"
        assert [text for text in town.private() if text in answer.text] == [], who


@named({"desk"})
def test_the_support_reads_and_does_not_see_how_people_are_reached(operation, town):
    if not operation.reads:
        pytest.skip("an act, which a stranger's test has")
    answer = send(operation, town, town.support.token)
    assert answer.status < 500, answer.text[:200]
    contacts = [text for victim in town.victims for text in (victim.email, victim.mobile)]
    assert [text for text in contacts if text in answer.text] == []


@named({"own", "party", "desk", "staff", "master"})
def test_an_api_key_opens_orders_and_webhooks_alone(operation, town):
    if operation.path.startswith(KEYS):
        pytest.skip("a path of keys; its things are held by the other tests")
    key = ask("POST", "/identity/v1/api-tokens", body={"key": town.secret}).json()
    assert faults_of(send(operation, town, key["accessToken"]), "a key", town, {403}) == []


@named({"open"})
def test_what_is_open_tells_nothing_of_anybody(operation, town):
    if operation.service == "identity" and operation.method == "post":
        # They make accounts and send messages; their bodies here are nobody's.
        answer = ask("POST", operation.path, body={})
        assert answer.status in (400, 401, 403, 404, 422, 429), answer.text[:200]
        return
    answer = send(operation, town, None)
    assert answer.status < 500, answer.text[:200]
    assert [text for text in town.private() if text in answer.text] == []


def test_nothing_of_the_owner_has_changed(town):
    """The last one of this file: after all these attempts everything is as it was made."""
    me, owner = "/identity/v1/accounts/me", town.owner
    profile = owner.do("GET", me)
    assert (profile["email"], profile["mobile"], profile["name"]) == (owner.email, owner.mobile, owner.name)

    def thing(name: str) -> str:
        return town.ids[name][1]

    for path, name in {
        f"{me}/places?market={HOME}": "identity: places/{place}", "/wallet/v1/cards": "wallet: cards/{card}",
        "/wallet/v1/bank-accounts": "wallet: bank-accounts/{bankAccount}", "/notifications/v1/webhooks": "notifications: webhooks/{id}",
        f"{me}/groups": "identity: groups/{group}", f"{me}/links": "identity: links/{link}",
        f"{me}/api-keys": "identity: api-keys/{key}", "/notifications/v1/inquiries": "notifications: inquiries/{id}",
    }.items():
        assert thing(name) in json.dumps(owner.do("GET", path)), path
    order = owner.do("GET", f"/dispatch/v1/orders/{thing('dispatch: orders/{id}')}")
    assert order["state"] == "accepted" and town.carrier.account in json.dumps(order)
