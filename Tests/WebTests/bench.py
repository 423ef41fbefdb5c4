"""What the app costs: on a slow phone (400 kbit/s, 400 ms, a quarter of the processor), how soon an order is on a driver's screen
(two browsers, not slowed), and what memory a page takes that follows a driver for an hour. Writes web.json."""

import json
import statistics
import sys
import time
from pathlib import Path

from playwright.sync_api import Browser, expect, sync_playwright

from desk import Desk, call
from ordering import answer, choose_way
from perth import place_of, register_driver, register_rider, wait_for_orders
from person import CHROMIUM, ROOT, Person, Sandbox, deployment
from test_rides import move_pin

ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 3
ORDERS = 10 * ROUNDS
# As many as an hour has at one every three seconds, which is what a phone sends; told as fast as the service takes them.
POSITIONS = 1200


def throttle(person: Person) -> None:
    session = person.context.new_cdp_session(person.page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions",
                 {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000})
    session.send("Emulation.setCPUThrottlingRate", {"rate": 4})


def seconds(what) -> float:
    start = time.monotonic()
    what()
    return time.monotonic() - start


def welcome(person: Person) -> None:
    person.go()
    person.see("How it works")


def on_a_slow_phone(browser: Browser, url: str, sandbox: Sandbox) -> dict[str, float]:
    figures: dict[str, list[float]] = {"first_screen_cold_s": [], "first_screen_warm_s": [], "login_s": []}
    known = Person(browser, url, sandbox, "btnc")
    known.register()
    for _ in range(ROUNDS):
        person = Person(browser, url, sandbox, "btnc")
        person.email = known.email
        throttle(person)
        figures["first_screen_cold_s"].append(seconds(lambda: welcome(person)))
        person.page.wait_for_function("navigator.serviceWorker.controller !== null")
        figures["first_screen_warm_s"].append(seconds(lambda: welcome(person)))
        person.page.evaluate("localStorage.setItem('serai-toured', 'yes')")
        person.tap("Log in")
        person.fill("E-mail or mobile number", person.email)
        person.fill("Password", person.password)

        def log_in():
            person.tap("Log in", exact=True)
            expect(person.page.get_by_role("navigation")).to_be_visible()

        figures["login_s"].append(seconds(log_in))
        person.close()
    return {name: round(statistics.median(values), 2) for name, values in figures.items()}


def order(rider: Person) -> None:
    """A ride, up to the screen that asks how to pay."""
    rider.go()
    rider.tap("Where to?")
    move_pin(rider, 6)
    rider.tap("Order for")
    rider.at("Pay")


def between_two_browsers(browser: Browser, url: str, sandbox: Sandbox) -> dict[str, float]:
    """Milliseconds from the rider's last tap to the driver's screen; and the page's memory while the driver comes."""
    place = place_of(4, "en")
    desk = Desk()
    driver = Person(browser, url, sandbox, "btnc", name="Dan Hill", place=place)
    register_driver(driver, desk)
    wait_for_orders(driver)
    rider = Person(browser, url, sandbox, "btnc", name="Ruby Shaw", place=place)
    register_rider(rider)
    offer = driver.page.get_by_role("dialog")
    waits: list[float] = []
    for _ in range(ORDERS):
        order(rider)
        waits.append(1000 * seconds(lambda: (choose_way(rider, "Wallet"), offer.wait_for(timeout=60_000))))
        rider.tap("Cancel")
        answer(rider, "Cancel")
        expect(offer).to_have_count(0, timeout=60_000)
    order(rider)
    choose_way(rider, "Wallet")
    offer.get_by_role("button", name="Accept").click()
    rider.see("Dan Hill is on the way")
    memory = while_followed(driver, rider, place)
    for person in (driver, rider):
        person.close()
    desk.shared.unlink(missing_ok=True)
    waits.sort()
    return {
        "order_to_provider_screen_ms_p50": round(statistics.median(waits)),
        "order_to_provider_screen_ms_p99": round(waits[min(len(waits) - 1, int(0.99 * len(waits)))]),
        "orders": len(waits),
    } | memory


def while_followed(driver: Person, rider: Person, place: tuple[float, float]) -> dict[str, float]:
    """An hour's positions of a driver who circles, shown on the rider's map."""
    session = rider.context.new_cdp_session(rider.page)

    def megabytes() -> float:
        session.send("HeapProfiler.collectGarbage")
        return round(session.send("Runtime.getHeapUsage")["usedSize"] / 1e6, 2)

    def drive(count: int) -> None:
        for number in range(count):
            at = {"latitude": place[0] + 0.0001 * (number % 20), "longitude": place[1]}
            call("POST", "/dispatch/v1/positions", at, {"Authorization": f"Bearer {token}"})

    token = call("POST", "/identity/v1/sessions", {"login": driver.email, "password": driver.password})["accessToken"]
    drive(POSITIONS // 10)
    begin = megabytes()
    drive(POSITIONS)
    return {"memory_begin_mb": begin, "memory_end_mb": megabytes(), "positions": POSITIONS}


def main(out: Path) -> None:
    url, sandbox = deployment()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"])
        figures = on_a_slow_phone(browser, url, sandbox) | between_two_browsers(browser, url, sandbox)
        browser.close()
    sizes = json.loads((ROOT / ".build/web-generated/sizes.json").read_text())
    found = {"app_core_kb": round(sizes["core"] / 1024, 1)} | figures
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(found, indent=2) + "\n")
    print(out.read_text())


main(Path(sys.argv[1]))
