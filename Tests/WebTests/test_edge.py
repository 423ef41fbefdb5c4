"""Q7, Q8: how Caddy serves the app: small, never stale, and with nothing in it that is not the app's own."""

import gzip
import json
import os
import urllib.error
import urllib.request
from html.parser import HTMLParser

import pytest

from person import ROOT

URL = os.environ["SERAI_URL"]


def ask(path: str, **headers: str):
    try:
        return urllib.request.urlopen(urllib.request.Request(URL + path, headers=headers), timeout=20)
    except urllib.error.HTTPError as answer:
        return answer


class Links(HTMLParser):
    def __init__(self, text: str):
        super().__init__()
        self.found: list[str] = []
        self.inline = False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        self.found += [named[name] for name in ("src", "href") if (named.get(name) or "").startswith("/")]
        self.inline |= tag == "style" or (tag == "script" and "src" not in named) or any(name.startswith("on") or name == "style" for name in named)


@pytest.mark.parametrize("path", ["/", "/btnc/", "/assef/orders", "/hajji/", "/confirm", "/password", "/nafath?code=x"])
def test_a_page_has_a_strict_policy_and_nothing_inline(path):
    answer = ask(path)
    text = answer.read().decode()
    assert answer.status == 200 and answer.headers["Cache-Control"] == "no-cache"
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    links = Links(text)
    assert not links.inline and links.found
    for link in links.found:
        file = ask(link)
        assert file.status == 200 and "immutable" in file.headers["Cache-Control"], link


@pytest.mark.parametrize("path", ["/nosuch", "/nosuch/orders", "/shells/btnc.html", "/assets/none.js", "/sw.js.gz", "/btnc2/"])
def test_what_is_neither_an_api_nor_a_page_is_a_problem(path):
    answer = ask(path)
    assert answer.status == 404 and answer.headers["Content-Type"] == "application/problem+json"
    assert json.load(answer)["type"] == "urn:serai:problem:not-found"


def test_files_come_compressed():
    link = next(link for link in Links(ask("/btnc/").read().decode()).found if "/main-" in link)
    small = ask(link, **{"Accept-Encoding": "gzip"})
    assert small.headers["Content-Encoding"] == "gzip"
    body = small.read()
    assert len(body) < len(gzip.decompress(body)) / 2
    assert ask(link, **{"Accept-Encoding": "br"}).headers["Content-Encoding"] == "br"


def test_the_core_is_small():
    sizes = json.loads((ROOT / ".build/web-generated/sizes.json").read_text())
    assert sizes["core"] <= sizes["limit"], sizes["ways"]
