"""P10, Q2: what breaks the rules of HTTP is refused before two readers can take it for two things; by each service, and through Caddy."""

import time
import urllib.parse

import pytest

from asking import doors, raw, statuses

OWN = "/identity/.well-known/jwks.json"
# Asked for by whatever is smuggled. Answered, it would be an answer more than requests.
HIDDEN = b"GET /identity/v1/hidden HTTP/1.1\r\nHost: localhost\r\n\r\n"
JSON = b"Content-Type: application/json\r\n"


def door_names() -> list[str]:
    return ["caddy", "identity", "dispatch", "wallet", "notifications", "admin"]


def post(url: str, *lines: bytes, body: bytes = b"") -> bytes:
    host = urllib.parse.urlsplit(url).netloc.encode()
    return b"POST /identity/v1/sessions HTTP/1.1\r\nHost: " + host + b"\r\n" + JSON + b"".join(line + b"\r\n" for line in lines) + b"\r\n" + body


SMUGGLED = {
    "CL.TE": ([b"Content-Length: %d" % (len(HIDDEN) + 5), b"Transfer-Encoding: chunked"], b"0\r\n\r\n" + HIDDEN),
    "TE.CL": ([b"Transfer-Encoding: chunked", b"Content-Length: 4"], b"%x\r\n" % len(HIDDEN) + HIDDEN + b"\r\n0\r\n\r\n"),
    "two lengths": ([b"Content-Length: 2", b"Content-Length: %d" % (2 + len(HIDDEN))], b"{}" + HIDDEN),
    "a list of lengths": ([b"Content-Length: 2, %d" % (2 + len(HIDDEN))], b"{}" + HIDDEN),
    "a length with a sign": ([b"Content-Length: +2"], b"{}" + HIDDEN),
    "a length in hexadecimal": ([b"Content-Length: 0x2"], b"{}" + HIDDEN),
    "a length below zero": ([b"Content-Length: -1"], HIDDEN),
    "a length that is too large to count": ([b"Content-Length: 99999999999999999999999"], b"{}" + HIDDEN),
    "TE that is none": ([b"Transfer-Encoding: xchunked"], b"0\r\n\r\n" + HIDDEN),
    "TE twice": ([b"Transfer-Encoding: chunked", b"Transfer-Encoding: identity"], b"0\r\n\r\n" + HIDDEN),
    "TE with a space before the colon": ([b"Transfer-Encoding : chunked", b"Content-Length: 5"], b"0\r\n\r\n" + HIDDEN),
    "TE with a tab": ([b"Transfer-Encoding:\tchunked", b"Content-Length: 5"], b"0\r\n\r\n" + HIDDEN),
    "a folded line": ([b"X-Folded: one\r\n Transfer-Encoding: chunked", b"Content-Length: 2"], b"{}"),
    "a line without a colon": ([b"Nothing", b"Content-Length: 2"], b"{}"),
    "a bare carriage return": ([b"X-Bare: one\rContent-Length: 0", b"Content-Length: 2"], b"{}"),
    "a null": ([b"X-Null: one\0two", b"Content-Length: 2"], b"{}"),
    "a chunk without a size": ([b"Transfer-Encoding: chunked"], b"zz\r\n{}\r\n0\r\n\r\n"),
    "a chunk below zero": ([b"Transfer-Encoding: chunked"], b"-2\r\n{}\r\n0\r\n\r\n"),
    "a chunk that is too large to count": ([b"Transfer-Encoding: chunked"], b"fffffffffffffffffffff\r\n{}\r\n0\r\n\r\n"),
}


@pytest.mark.parametrize("what", SMUGGLED)
@pytest.mark.parametrize("door", range(6), ids=door_names())
def test_a_request_is_one_request(what, door):
    url = doors()[door]
    lines, body = SMUGGLED[what]
    answers = statuses(raw(url, post(url, *lines, body=body)))
    # One refusal, or the connection just ends. What comes after it may be refused once more as no request at all; nothing that was
    # hidden in it gets as far as to a service, which would answer 404 or 401.
    assert all(status in (400, 421, 501) for status in answers[1:]), answers
    assert len(answers) <= 2 and all(400 <= status < 500 or status == 501 for status in answers), answers


@pytest.mark.parametrize("door", range(6), ids=door_names())
def test_two_good_requests_are_two(door):
    """Else the test above would see nothing."""
    url = doors()[door]
    one = b"GET /nothing HTTP/1.1\r\nHost: " + urllib.parse.urlsplit(url).netloc.encode() + b"\r\n\r\n"
    assert len(statuses(raw(url, one + one))) == 2


HEADS = {
    "one huge header": b"X-Huge: " + b"x" * 1_000_000 + b"\r\n",
    "ten thousand headers": b"".join(b"X-%d: 1\r\n" % number for number in range(10_000)),
    "a huge cookie": b"Cookie: serai-session=" + b"y" * 200_000 + b"\r\n",
    "a huge token": b"Authorization: Bearer " + b"z" * 100_000 + b"\r\n",
}


@pytest.mark.parametrize("what", HEADS)
@pytest.mark.parametrize("door", range(6), ids=door_names())
def test_a_huge_head_is_refused_quickly(what, door):
    url = doors()[door]
    host = urllib.parse.urlsplit(url).netloc.encode()
    began = time.monotonic()
    answers = statuses(raw(url, b"GET /identity/v1/accounts/me HTTP/1.1\r\nHost: " + host + b"\r\n" + HEADS[what] + b"\r\n"))
    assert time.monotonic() - began < 14
    assert all(400 <= status < 500 for status in answers), answers


LINES = [
    b"GET  /identity/v1/accounts/me HTTP/1.1", b"GET /identity/v1/accounts/me HTTP/9.9", b"GET /identity/v1/accounts/me", b"\x16\x03\x01\x02\x00\x01",
    b"GET /identity/\0/me HTTP/1.1", b"GET /" + b"a" * 100_000 + b" HTTP/1.1", b"PRI * HTTP/2.0", b"GET http://elsewhere.example/ HTTP/1.1",
]


@pytest.mark.parametrize("line", LINES, ids=lambda line: repr(line[:30]))
@pytest.mark.parametrize("door", range(6), ids=door_names())
def test_a_strange_first_line_is_refused(line, door):
    url = doors()[door]
    answers = statuses(raw(url, line + b"\r\nHost: " + urllib.parse.urlsplit(url).netloc.encode() + b"\r\nConnection: close\r\n\r\n"))
    assert len(answers) <= 1 and all(400 <= status < 600 and status not in (500, 502, 503) for status in answers), answers


def test_all_stand_after_that():
    for url in doors():
        head = b"GET " + OWN.encode() + b" HTTP/1.1\r\nHost: " + urllib.parse.urlsplit(url).netloc.encode() + b"\r\nConnection: close\r\n\r\n"
        assert statuses(raw(url, head))[0] in (200, 404)
