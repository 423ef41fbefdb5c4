"""P7, A1: every page of the console in both languages, on a large screen, a small one and a phone: nothing too wide, nothing that axe
finds serious, no error of a script, and a title of its own."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from console import Operator

ROOT = Path(__file__).resolve().parents[2]
LINE = re.compile(r'(?m)^  page\("(\w+)", .*?\)(?:, \{(.*)\})?\),$')


def pages_of(market: str, is_master: bool) -> list[str]:
    """The paths that `pages.ts` gives a market."""
    found = []
    for path, rest in LINE.findall((ROOT / "Web/console/pages.ts").read_text()):
        markets = re.search(r"markets: \[(.*?)\]", rest)
        if (not markets or f'"{market}"' in markets[1]) and (is_master or "needs" not in rest):
            found.append(path)
    return found


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize("market", ["assef", "edencare", "btnc", "carrepsa"])
def test_P7_every_page_stands_in_both_languages_and_at_three_widths(operator, market, language):
    one: Operator = operator(market, language, rights="*")
    paths = pages_of(market, is_master=True)
    assert len(paths) > 20
    for path in paths:
        one.go(path)
        expect(one.page.get_by_role("heading", level=1)).to_be_visible()
        expect(one.page.locator(".empty .button")).to_have_count(0)  # no list that could not be read
        one.shot(f"{market}-{path}")
    assert one.person.faults == []


def test_I13_an_admin_of_one_market_has_no_page_of_master_admins(operator):
    one = operator("btnc")
    for path in set(pages_of("btnc", is_master=True)) - set(pages_of("btnc", is_master=False)):
        one.go(path)
        one.person.see("There is no such page")
