"""One browser for all tests; each person has a context of its own in it."""

import html
import shutil
import uuid

import pytest
from playwright.sync_api import Error, sync_playwright

from console import Operator, grant
from desk import Desk
from person import CHROMIUM, PICTURES, Person, deployment


@pytest.fixture(scope="session")
def playwright():
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright):
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"])
    yield browser
    browser.close()


@pytest.fixture
def people(browser):
    """Makes people: `people("btnc", language="ar")`. A test that fails leaves a picture of what each saw last."""
    url, sandbox = deployment()
    made: list[Person] = []

    def make(market: str, **settings) -> Person:
        made.append(Person(browser, url, sandbox, market, **settings))
        return made[-1]

    make.all = made
    yield make
    for person in made:
        person.close()


@pytest.fixture(scope="session")
def desk():
    desk = Desk()
    yield desk
    desk.shared.unlink(missing_ok=True)


@pytest.fixture(scope="session")
def perth(desk):
    """The desk of a market whose drivers have a minute for their answer: on a busy machine pictures alone may take the usual 20 seconds."""
    desk.do("PUT", "/admin/v1/markets/btnc/settings/offerWindowSeconds", {"value": "60"})
    return desk


@pytest.fixture
def operator(people, desk):
    """Makes an admin of a market who is logged in to its console."""
    def make(market: str, language: str = "en", rights: str | None = None) -> Operator:
        someone = people(market, language=language, name=f"Op T{uuid.uuid4().hex[:6]}", width=1440)
        grant(someone, desk, rights or market)
        made = Operator(someone)
        made.log_in()
        return made
    return make


def pytest_configure(config):
    config.addinivalue_line("markers", "core: one whole order of each kind, and the ways in and out; they are a part of `make test`")


CORE = {
    "test_a_meal_from_registration_to_rating", "test_O10_a_bike_is_hired_at_a_rack_and_brought_back",
    "test_O7_a_visit_as_soon_as_possible_which_the_desk_assigns_is_done_and_rated",
    "test_O2_O6_a_whole_visit_in_assef_by_clicks_of_customer_and_nurse", "test_a_ride_from_registration_to_rating",
    "test_o11_a_parcel_is_posted_paid_taken_with_a_deposit_carried_and_rated", "test_a_customer_signs_in_with_nafath",
    "test_a_second_factor_is_set_up_and_asked_for", "test_a_driver_registers_and_brings_papers", "test_an_account_is_deleted_after_a_question",
}


def pytest_collection_modifyitems(items):
    """Whole orders take the longest: they begin first, so that no process is left with one at the end."""
    first = ["test_meals", "test_bikes", "test_care", "test_visits", "test_rides", "test_parcels"]
    for item in items:
        if item.originalname in CORE:
            item.add_marker(pytest.mark.core)
    items.sort(key=lambda item: first.index(item.path.stem) if item.path.stem in first else len(first))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if call.when != "call" or not report.failed or "people" not in item.fixturenames:
        return
    folder = PICTURES / "failed"
    folder.mkdir(parents=True, exist_ok=True)
    name = "".join(letter if letter.isalnum() else "-" for letter in item.name)
    lines = [report.longreprtext]
    for index, person in enumerate(item.funcargs["people"].all):
        lines.append(f"{person.name} saw {person.page.url}; {person.faults}")
        try:
            person.page.screenshot(path=folder / f"{name}-{index}.png", timeout=5000)
        except Error as error:
            lines.append(str(error))
    (folder / f"{name}.txt").write_text("\n".join(lines))


def pytest_sessionstart(session):
    """What failed before is not what fails now."""
    if not hasattr(session.config, "workerinput"):
        shutil.rmtree(PICTURES / "failed", ignore_errors=True)


def pytest_sessionfinish(session):
    """A page of all pictures, made once where several processes test."""
    if hasattr(session.config, "workerinput") or not PICTURES.is_dir():
        return
    names = sorted(path.name for path in PICTURES.glob("*.png"))
    figures = "\n".join(f'<figure><a href="{n}"><img src="{n}" loading="lazy"></a><figcaption>{html.escape(n[:-4])}</figcaption></figure>' for n in names)
    (PICTURES / "index.html").write_text(
        "<!doctype html><meta charset=utf-8><title>Screens</title><style>body{font:14px system-ui;background:#ddd}"
        "figure{display:inline-block;margin:8px;vertical-align:top}img{height:420px;box-shadow:0 1px 6px #0005}</style>" + figures)
