"""What an order costs: transactions, statements, messages, bytes and processor time, by process, from /metrics, the database and /proc before
and after a simulation on what is up. `make order-cost` starts all of it, in a release build.
    python3 Tests/Benchmarks/order_cost.py [flags of the Simulator]
Prints a table and writes .build/bench/order-cost.json. People who register and log in for the simulation are in it."""
import json
import os
import re
import subprocess
import sys
import time
import urllib.request

PROJECT = os.path.abspath(f"{os.path.dirname(__file__)}/../..")
RUN = os.environ.get("SERAI_RUN") or sys.exit("order-cost: nothing runs; make order-cost starts it")
TICKS = os.sysconf("SC_CLK_TCK")
# What is added up of each service's processes, and how the table calls it.
COUNTERS = {
    "http_server_requests_total": "requests",
    "postgres_exchanges_total": "round trips",
    "postgres_statements_total": "statements",
    "outbox_relayed_total": "messages sent",
    "messages_handled_total": "messages handled",
    "stream_events_sent_total": "stream events",
}


def read(path, mode="r"):
    with open(path, mode) as file:
        return file.read()


def counters(port):
    """The sums of the counters of a process over all labels."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        lines = answer.read().decode().splitlines()
    sums = dict.fromkeys(COUNTERS, 0.0)
    for line in lines:
        name = re.split(r"[{ ]", line, maxsplit=1)[0]
        if name in sums:
            sums[name] += float(line.rsplit(" ", 1)[1])
    return sums


def processor_seconds():
    """Of the processes of the run, by service; with children that have ended and were waited for."""
    own, parents, names = {}, {}, {}
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            fields = read(f"/proc/{number}/stat").rsplit(")", 1)[1].split()
            marks = [
                text for text in read(f"/proc/{number}/environ", "rb").decode(errors="replace").split("\0")
                if text.startswith(f"SERAI_LOCAL_PROCESS={RUN}")
            ]
        except OSError:
            # It has ended, or is another user's.
            continue
        # proc(5): utime, stime, cutime, cstime
        own[number], parents[number] = sum(int(field) for field in fields[11:15]) / TICKS, fields[1]
        if marks:
            names[number] = re.sub(r"-\d+$", "", marks[0].rsplit(" ", 1)[1])
    sums = {}
    for number, seconds in own.items():
        # A session of the database writes its title over its environment: it belongs to the process that has made it.
        while number in parents and number not in names:
            number = parents[number]
        if number in names:
            sums[names[number]] = sums.get(names[number], 0.0) + seconds
    return sums


def database():
    address = re.match(r"postgres://([^:]+):([^@]+)@([^:]+):(\d+)/", read(f"{RUN}/postgres/url"))
    variables = dict(zip(("PGUSER", "PGPASSWORD", "PGHOST", "PGPORT"), address.groups()))
    text = """SELECT xact_commit + xact_rollback, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint, pg_database_size(datname)
        FROM pg_stat_database WHERE datname = 'serai'"""
    row = subprocess.run(
        ["psql", "-XqAt", "-F", " ", "-d", "serai", "-c", text], env=os.environ | variables, check=True,
        capture_output=True, text=True).stdout.split()
    return dict(zip(("transactions", "WAL bytes", "bytes kept"), map(int, row)))


def look():
    # The server tells of a session's transactions when that has been idle for a second.
    time.sleep(2)
    ports = json.loads(read(f"{RUN}/plan.json"))["plan"]["ports"]["services"]
    services = {}
    for service, listening in ports.items():
        seen = [counters(port) for port in listening]
        services[service] = {name: sum(each[name] for each in seen) for name in COUNTERS}
    return {"services": services, "processor": processor_seconds(), "database": database()}


def main():
    before = look()
    subprocess.run([f"{PROJECT}/scripts/serai-dev", "simulate", *sys.argv[1:]], check=True, cwd=PROJECT)
    after = look()
    orders = json.loads(read(f"{PROJECT}/.build/simulate.json"))["orders"] or sys.exit("order-cost: there were no orders")

    def each(new, old):
        return {name: round((value - old.get(name, 0)) / orders, 3) for name, value in new.items()}

    cost = {
        "orders": orders,
        "services": {name: each(seen, before["services"][name]) for name, seen in after["services"].items()},
        "processor_ms": {
            name: round(1000 * (seconds - before["processor"].get(name, 0)) / orders, 2)
            for name, seconds in sorted(after["processor"].items()) if name != "step"
        },
        "database": each(after["database"], before["database"]),
    }
    folder = f"{PROJECT}/.build/bench"
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/order-cost.json", "w") as file:
        json.dump(cost, file, indent=2)

    print(f"an order, of {orders}:")
    print("| of an order | " + " | ".join(COUNTERS.values()) + " |\n" + "|---" * (len(COUNTERS) + 1) + "|")
    for name, seen in cost["services"].items():
        print(f"| {name} | " + " | ".join(f"{value:.1f}" for value in seen.values()) + " |")
    print("\n| processor | ms |\n|---|---|")
    for name, value in cost["processor_ms"].items():
        print(f"| {name} | {value:.1f} |")
    print(f"| all | {sum(cost['processor_ms'].values()):.1f} |")
    print("\n| database | |\n|---|---|")
    for name, value in cost["database"].items():
        print(f"| {name} | {value:.1f} |")


main()
