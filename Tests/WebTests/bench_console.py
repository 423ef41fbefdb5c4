"""What the console costs where a market has 100 000 orders and 100 000 people: each list as its admin asks for it, through Caddy,
and each page in a browser. Writes console.json.

The rows are written by SQL (`bench_rows`) into a deployment of this machine; nothing but lists is to be tried on it afterwards."""

import http.client
import json
import os
import re
import statistics
import sys
import time
import urllib.parse
from datetime import datetime, timedelta, timezone
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from bench_rows import Database
from console import Operator, grant, invite
from desk import Desk, Refused, log_in
from person import CHROMIUM, ROOT, Person, Sandbox, deployment
from test_console_pages import pages_of

MARKET = "edencare"
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 100
ROWS = int(sys.argv[3]) if len(sys.argv) > 3 else 100_000
AIM_LIST_MS, AIM_PAGE_MS = 150, 1000


def moment(days: int) -> str:
    return (datetime.now(timezone.utc) + timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")


def day(days: int) -> str:
    return moment(days)[:10]


def lists(database: Database) -> list[str]:
    """Each list of the console with what its filters ask for, as paths of the API."""
    busy, worker = database.ask(
        f"SELECT customer || ' ' || provider FROM dispatch.orders WHERE market = '{MARKET}' AND state = 'completed' ORDER BY id DESC LIMIT 1").split()
    order = database.ask(f"SELECT id FROM dispatch.orders WHERE market = '{MARKET}' ORDER BY id DESC OFFSET 500 LIMIT 1")
    plan = database.ask(f"SELECT id FROM wallet.subscription_plans WHERE market = '{MARKET}' ORDER BY id LIMIT 1")
    month, future = f"from={moment(-30)}&to={moment(1)}", f"from={moment(0)}&to={moment(7)}"
    asked = {
        "identity/v1/markets/edencare": {
            "people": ["", "role=customer", "role=provider", "banned=true", "banned=false", "name=Olivia", "name=Quentina%20Zub", "name=%D8%B9%D9%85%D8%B1",
                       "contact=nobody@example.org", f"account={busy}"],
            "bans": [""], "removals": [""], "providers": ["state=waiting", "state=verified", "state=rejected"], "expiring-papers": ["", f"until={day(90)}"],
            "links": ["state=agreed", "state=asked", "state=confirmed"], "waiting": [""],
        },
        "identity/v1/markets/assef": {"title-questions": [""]},
        "admin/v1/markets/edencare": {
            "orders": ["", "kind=homeCare", "state=completed", "state=requested", "state=disputed", "state=refused",
                       f"from={day(-30)}&to={day(0)}", f"account={busy}",
                       f"customer={busy}", f"provider={worker}", "text=Olivia", "text=Quentina%20Zub", "text=%D8%B9%D9%85%D8%B1", "text=nobody%20at%20all",
                       f"text={order[-8:]}", "state=refused&text=Olivia"],
            "reports": ["state=open", "state=decided", "state=answered", "awaits=decision", "overdue=true"], "waiting": [""],
            "statistics": [f"from={day(-30)}&to={day(0)}"], "money": [f"from={day(-30)}&to={day(0)}"], "people": ["", "name=Olivia"],
        },
        "admin/v1": {
            "audit": [f"market={MARKET}{more}" for more in
                      ("", "&viewed=true", "&action=refund.made", "&text=phone", f"&about={busy}", f"&subject={busy}", f"&{month}")],
        },
        "dispatch/v1/markets/edencare": {
            "desk": [f"{future}&limit=500", "state=requested&limit=100", "limit=500"], "desk/partners": [future],
            "series": ["", "state=active", "name=Olivia", f"customer={busy}"],
            "map": [""], "waiting": [""],
        },
        "dispatch/v1/markets/btnc": {
            "merchants": ["", "state=open", "state=closedByAdmin", "state=unverified", "name=Olivia"], "racks": ["limit=100"], "bikes/out": [""],
        },
        "wallet/v1/markets/edencare": {
            "payments": ["", "state=captured", "state=held", "state=frozen", "state=released", "state=authorising", "method=card", "method=cash", month,
                         f"customer={busy}", f"provider={worker}", f"order={order}"],
            "refunds": ["", "fundedBy=platform", "state=asked", month, f"customer={busy}", f"order={order}"],
            "fines": ["", "state=unpaid", "state=paid", month, f"account={busy}", f"order={order}"], "fine-figures": ["", month],
            "disputes": ["", "state=open", "kind=refund", "freezes=true", month, f"account={busy}"], "debtors": [""],
            "write-offs": ["", month, f"account={busy}"],
            "cash-outs": ["", "state=waiting", "state=failed", month, f"account={worker}"],
            "approvals": ["state=waiting", "state=rejected", "state=waiting&kind=refund"],
            "commissions": ["", month], "subscribers": ["", "state=active", f"plan={plan}", f"account={worker}"], "subscription-plans": [""],
            "subscription-figures": ["", month], "promo-codes": [""], "day-figures": [f"from={day(-30)}&to={day(0)}"], "waiting": [""],
        },
        "notifications/v1/markets/edencare": {
            "inbox": ["", "state=done", "kind=report", "urgent=true", "own=true"], "inquiries": ["", "section=customers", "section=providers", "answered=false", "answered=true"], "message-reports": [""], "general-notices": [""], "waiting": [""],
        },
    }
    return [f"/{base}/{path}?{query}" for base, paths in asked.items() for path, queries in paths.items() for query in queries]


# What master admins alone are shown.
OF_MASTERS = [f"/identity/v1/markets/{MARKET}/admins?", "/wallet/v1/ledger/trial-balance?", f"/wallet/v1/ledger/days?from={day(-7)}&to={day(0)}", "/admin/v1/audit?"] + [
    f"/{service}/v1/dead-messages?{query}" for service in ("admin", "dispatch", "identity", "notifications", "wallet") for query in ("", "state=all")]


def forgotten(asked: list[str]) -> set[str]:
    """The lists of `pages/*` that are not asked for: a list that is new in the console is to be here, too. Files to download are none."""
    named = {re.sub("/markets/[a-z]+/", "/markets/{market}/", urllib.parse.urlsplit(path).path) for path in asked}
    shown = set()
    for file in (ROOT / "Web/console/pages").rglob("*.tsx"):
        text = file.read_text()
        if "<List" in text:
            shown |= set(re.findall(r'(?:\bpath=|const path = )"(/[^"]+)(?<!\.csv)"', text))
    return shown - named


class Asker:
    """Asks one thing after the other over one connection, as a browser does."""

    def __init__(self, log_in):
        at = urllib.parse.urlsplit(os.environ["SERAI_URL"])
        self.connection = http.client.HTTPConnection(at.hostname, at.port, timeout=120)
        self.log_in, self.token = log_in, log_in()

    def get(self, path: str) -> float:
        """Milliseconds to the answer's last byte."""
        while True:
            headers = {"Authorization": f"Bearer {self.token}", "Accept-Language": "en", "Accept-Encoding": "gzip"}
            start = time.monotonic()
            self.connection.request("GET", path, headers=headers)
            answer = self.connection.getresponse()
            body = answer.read()
            took = 1000 * (time.monotonic() - start)
            if answer.status == 200:
                return took
            if answer.status == 401:
                self.token = self.log_in()
            elif answer.status == 429:
                time.sleep(float(answer.getheader("Retry-After") or 1))
            else:
                raise Refused(answer.status, json.loads(body or b"{}"))

    def figures(self, path: str) -> dict[str, float]:
        """The first answer of a list counts, too: nothing is warmed up before it."""
        times = sorted(self.get(path) for _ in range(ROUNDS))
        return {"p50_ms": round(statistics.median(times), 1), "p99_ms": round(times[min(len(times) - 1, int(0.99 * len(times)))], 1)}


# Whether a page shows its heading and what was asked for: the first row of a list, or that it has none.
IS_READY = """withRows => {
  const shown = (one) => one && one.getClientRects().length > 0;
  const waits = document.querySelector("main .skeleton, main [aria-busy=true]");
  const rows = !withRows || shown(document.querySelector("main tbody tr, main .empty"));
  return shown(document.querySelector("h1")) && !waits && rows && performance.now();
}"""


def ready_ms(one: Operator, path: str) -> int:
    """From the address to the page, by the page's own clock."""
    source = (ROOT / f"Web/console/pages/{path}/index.tsx")
    has_list = source.exists() and "<List" in source.read_text()
    one.go(path)
    return round(one.page.wait_for_function(IS_READY, arg=has_list, polling="raf").json_value())


def pages(browser: Browser, url: str, sandbox: Sandbox, desk: Desk) -> dict[str, int]:
    someone = Person(browser, url, sandbox, MARKET, name="Op Bench", width=1440)
    grant(someone, desk, "*")
    operator = Operator(someone)
    operator.log_in()
    found = {path: round(statistics.median(ready_ms(operator, path) for _ in range(3))) for path in pages_of(MARKET, is_master=True)}
    someone.close()
    return found


def admin(browser: Browser, url: str, sandbox: Sandbox, desk: Desk) -> Asker:
    """An admin of the market, and of the two whose lists the market has not."""
    someone = Person(browser, url, sandbox, MARKET, name="Op Lists", width=1440)
    account = invite(someone, desk)
    for market in (MARKET, "btnc", "assef"):
        desk.do("POST", f"/identity/v1/markets/{market}/admins", {"account": account, "rank": "admin"})
    secret = Operator(someone).log_in()
    someone.close()
    return Asker(lambda: log_in(someone.email, someone.password, secret))


def main(out: Path) -> None:
    url, sandbox = deployment()
    database, desk = Database(), Desk()
    started = time.monotonic()
    database.fill(MARKET, people=ROWS, orders=ROWS)
    print(f"{ROWS} orders and people after {time.monotonic() - started:.0f} s", flush=True)
    asked = lists(database)
    if missing := forgotten(asked + OF_MASTERS):
        raise SystemExit(f"lists of the console that nothing is asked of here: {sorted(missing)}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"])
        asker = admin(browser, url, sandbox, desk)
        found = {"lists": {}, "pages_ready_ms": pages(browser, url, sandbox, desk)}
        browser.close()
    master = Asker(Desk._log_in)
    refused = []
    for path in asked + OF_MASTERS:
        try:
            found["lists"][path] = (master if path in OF_MASTERS else asker).figures(path)
            print(path, found["lists"][path], flush=True)
        except Refused as error:
            refused.append(f"{path}: {error}")
    if refused:
        raise SystemExit("\n".join(refused))
    desk.shared.unlink(missing_ok=True)
    found |= {
        "rows": ROWS, "rounds": ROUNDS,
        "slow_lists": [path for path, figures in found["lists"].items() if figures["p99_ms"] >= AIM_LIST_MS],
        "slow_pages": [path for path, figure in found["pages_ready_ms"].items() if figure >= AIM_PAGE_MS],
    }
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(found, indent=2) + "\n")
    print(json.dumps({name: found[name] for name in ("pages_ready_ms", "slow_lists", "slow_pages")}, indent=2))


main(Path(sys.argv[1]))
