"""What the app costs on a slow phone: Chromium with 400 kbit/s, 400 ms and a quarter of the processor. Writes web.json."""

import json
import statistics
import sys
import time
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from person import ROOT, Person, deployment

ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 3


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


def main(out: Path) -> None:
    url, sandbox = deployment()
    figures: dict[str, list[float]] = {"first_screen_cold_s": [], "first_screen_warm_s": [], "login_s": []}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
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
        browser.close()
    sizes = json.loads((ROOT / ".build/web-generated/sizes.json").read_text())
    answer = {"app_core_kb": round(sizes["core"] / 1024, 1)} | {name: round(statistics.median(values), 2) for name, values in figures.items()}
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(answer, indent=2) + "\n")
    print(out.read_text())


main(Path(sys.argv[1]))
