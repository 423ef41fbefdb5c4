"""Rows for `bench_console.py`: a market with 100 000 orders and as many people, written by SQL into the services' tables."""

import os
import subprocess
import urllib.parse
from pathlib import Path

ROWS = Path(__file__).resolve().parent / "bench_rows"


class Database:
    """The database of the deployment that `run --detach` or `with-run` has made, as its superuser. No other one is touched."""

    def __init__(self):
        at = Path(os.environ["SERAI_RUN"]) / "postgres/url"
        self.url = at.read_text().strip().removesuffix("/postgres") + "/serai" if at.exists() else ""
        for url in (self.url, os.environ["SERAI_URL"]):
            if urllib.parse.urlsplit(url).hostname not in ("127.0.0.1", "::1"):
                raise SystemExit("the rows are for a private deployment of this machine alone: scripts/run --detach")

    def psql(self, *arguments: str) -> str:
        parts = urllib.parse.urlsplit(self.url)
        # The password stands in no command line.
        variables = {"PGHOST": parts.hostname, "PGPORT": str(parts.port), "PGUSER": parts.username, "PGPASSWORD": parts.password, "PGDATABASE": "serai"}
        command = ["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", *arguments]
        done = subprocess.run(command, env=os.environ | variables, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(done.stderr)
        return done.stdout.strip()

    def ask(self, sql: str) -> str:
        return self.psql("-c", sql)

    def fill(self, market: str, people: int, orders: int) -> None:
        """All rows or none; once for a deployment."""
        if int(self.ask(f"SELECT count(*) FROM dispatch.orders WHERE market = '{market}'")) < orders:
            files = [part for name in ("people", "orders", "money") for part in ("-f", str(ROWS / f"{name}.sql"))]
            self.psql("--single-transaction", "-v", f"market={market}", "-v", f"people={people}", "-v", f"orders={orders}", *files)
        self.ask("VACUUM ANALYZE")
