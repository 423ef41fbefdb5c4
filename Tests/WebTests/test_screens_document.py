"""P11: docs/screens.md tells the truth: every story of the sources is in it, and every screen, file and test that it names exists.

Needs no browser and no deployment.
"""

import re
from pathlib import Path

import pytest

from test_console_pages import pages_of

ROOT = Path(__file__).resolve().parents[2]
FEATURES = ROOT / "Web/app/features"
CONSOLE = "console/"
LATER = "not yet"


def numbered(prefix: str, last: int) -> set[str]:
    return {f"{prefix}{n}" for n in range(1, last + 1)}


# What the five sources number.
STORIES = {
    "Assef": numbered("U", 48) | numbered("SP", 41) | numbered("AD", 17) | numbered("CI", 20) | numbered("PI", 16) | {"WB"},
    "Eden Care": numbered("c", 7) | numbered("p", 5) | numbered("a", 5) | numbered("v", 8) | numbered("f", 8) | numbered("1.", 6)
    | numbered("5.3.", 8) - {"5.3.1", "5.3.7", "5.3.8"}
    | {"2", "3.1", "4.1", "4.2", "4.3", "4.3.1", "4.3.2", "4.3.3", "5.1", "5.1.1", "5.1.2", "5.2", "5.3", "5.3.1", "5.3.7", "5.3.8"},
    "BTNC": numbered("FR", 25) | numbered("UC", 21) - {"UC9"} | numbered("WF", 8)
    | {"NF7", "NF9", "NF10", "NF11", "NF13", "NF14", "NF15", "MT-data", "MT-10km", "MT-rating", "MT-promo", "MT-contact"},
    "Carrepsa": numbered("", 22) | {"14b"} | numbered("w", 2) | numbered("x", 18),
    "Hajji": numbered("F", 11) | {"F12.1", "F12.2", "F12.3", "F12.4", "F13"}
    | {"UC10.1", "UC10.2", "UC10.3", "UC20", "UC30", "UC40", "UC50", "UC60", "UC80-maps", "UC80-prayer", "UC90", "UC100"}
    | {f"T{n}" for n in range(20, 180, 10)},
}
MARKETS = {"Assef": "assef", "Eden Care": "edencare", "BTNC": "btnc", "Carrepsa": "carrepsa", "Hajji": "hajji"}


class Row:
    def __init__(self, line: str):
        cells = [cell.strip() for cell in line.strip("|\n").split("|")]
        assert len(cells) == 5, f"five columns, not {len(cells)}: {line}"
        self.stories = {story for word in cells[0].split() for story in expanded(word)}
        self.screens, self.files, self.tests = (re.findall(r"`([^`]+)`", cell) for cell in cells[2:5])
        self.line, self.is_later, self.is_untested = line, cells[2] == LATER, cells[4] == LATER


def expanded(word: str) -> set[str]:
    """`U10–U14` is five stories."""
    match = re.fullmatch(r"([A-Za-z]*)(\d+)–\1(\d+)", word)
    if not match:
        return {word}
    return {f"{match[1]}{n}" for n in range(int(match[2]), int(match[3]) + 1)}


def tables() -> dict[str, list[Row]]:
    text = (ROOT / "docs/screens.md").read_text()
    found: dict[str, list[Row]] = {}
    for part in re.split(r"(?m)^## ", text)[1:]:
        title, *lines = part.splitlines()
        found[title] = [Row(line) for line in lines if line.startswith("|") and not re.match(r"\|( stories |-)", line)]
    return found


def screens_of(market: str) -> list[str]:
    """The patterns of `features.ts` that a market has: `o/:order`, `me/*`; and the console's pages."""
    text = (ROOT / "Web/app/features.ts").read_text()
    lines = re.findall(r'(?m)^  (?:screen|step|open)\("([^"]*)", \(\) => import\("[^"]+"\)(?:, "(\w+)")?\)', text)
    return [path or "market" for path, owner in lines if owner in ("", market)] + [CONSOLE + path for path in pages_of(market, is_master=True)]


def file_of(name: str) -> Path:
    return ROOT / "Web/console/pages" / name.removeprefix(CONSOLE) if name.startswith(CONSOLE) else FEATURES / name


@pytest.mark.parametrize("market", STORIES)
def test_P11_every_story_of_a_source_has_its_line(market):
    listed = [story for row in tables()[market] for story in row.stories]
    assert STORIES[market] - set(listed) == set(), "stories that no line tells"
    assert set(listed) - STORIES[market] == set(), "no such stories"
    assert sorted(story for story in set(listed) if listed.count(story) > 1) == [], "stories that two lines tell"


@pytest.mark.parametrize("market", STORIES)
def test_P11_every_screen_and_file_that_is_named_exists(market):
    known = screens_of(MARKETS[market])
    for row in tables()[market]:
        assert row.screens or row.is_later or "none needed" in row.line, row.line
        for screen in row.screens:
            assert screen in known, f"{market} has no screen {screen}: {row.line}"
        for file in row.files:
            assert file_of(file).is_file(), f"no file {file}: {row.line}"


def test_P11_every_test_that_is_named_exists():
    for row in (row for rows in tables().values() for row in rows):
        assert row.tests or row.is_untested or "none needed" in row.line, row.line
        for test in row.tests:
            file, name = test.split("::")
            path = ROOT / "Tests/WebTests" / file
            assert path.is_file() and re.search(rf"(?m)^def {name}\(", path.read_text()), f"no test {test}"
