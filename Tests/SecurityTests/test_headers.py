"""Q6, Q7: what browsers are told with each page and each answer, and what the way in keeps to itself."""

import pytest

from asking import ask, doors, once, ports

PAGES = ["/", "/carrepsa/", "/btnc/orders", "/console/carrepsa/today", "/confirm", "/password", "/site/carrepsa/en", "/site/btnc/ar"]


@pytest.mark.parametrize("path", PAGES)
def test_each_page_has_a_policy(path):
    answer = ask("GET", path)
    assert answer.status == 200 and answer.headers["content-type"].startswith("text/html"), answer.status
    policy = {part.split()[0]: part.split()[1:] for part in answer.headers["content-security-policy"].split(";") if part.strip()}
    assert policy["default-src"] == ["'none'"] and policy["frame-ancestors"] == ["'none'"] and policy["base-uri"] == ["'none'"]
    assert not {"'unsafe-inline'", "'unsafe-eval'", "*", "http:", "https:"} & {word for words in policy.values() for word in words}
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] in ("no-referrer", "same-origin", "strict-origin", "strict-origin-when-cross-origin")


@pytest.mark.parametrize("path", [
    "/identity/v1/accounts/me", "/dispatch/v1/markets/btnc", "/wallet/v1/wallets", "/notifications/v1/inbox", "/admin/v1/guide/cities", "/identity/openapi.yaml"])
def test_each_answer_is_read_as_what_it_is(path):
    answer = ask("GET", path)
    assert answer.headers["x-content-type-options"] == "nosniff"
    # No page of another site reads an answer with somebody's session.
    assert "access-control-allow-origin" not in answer.headers and "access-control-allow-credentials" not in answer.headers
    assert "x-powered-by" not in answer.headers


@pytest.mark.parametrize("path", ["/metrics", "/health/ready", "/health/live", "/identity/metrics", "/wallet/health/ready", "/.env", "/.git/config",
                                  "/Caddyfile", "/debug/pprof/", "/config/", "/api/overview"])
def test_what_is_for_operators_is_not_on_the_way_in(path):
    assert ask("GET", path).status == 404


@pytest.mark.parametrize("method", ["TRACE", "CONNECT", "TRACK", "PROPFIND", "DEBUG", "get"])
def test_a_method_that_nobody_knows_is_refused(method):
    for door in doors():
        path = "/identity/v1/sessions" if method != "CONNECT" else "example.com:443"
        answer = once(method, path, {"Host": door.removeprefix("http://"), "Connection": "close"}, None, door)
        assert answer.status in (400, 404, 405, 421, 501), f"{door} {answer.status}"


@pytest.mark.parametrize("header", ["X-HTTP-Method-Override", "X-Method-Override", "X-Original-URL", "X-Rewrite-URL"])
def test_a_header_does_not_change_what_is_asked(header):
    value = "DELETE" if "Method" in header else "/identity/v1/accounts/me"
    assert ask("GET", "/identity/.well-known/jwks.json", headers={header: value}).status == 200


def test_each_service_has_a_door():
    assert set(ports()) == {"identity", "dispatch", "wallet", "notifications", "admin"}
