"""Q2: services and stores on three hosts while parts of them end. See deploy/cluster/README.md.
    cluster-drill [--keep] [--seconds N] [--only FAULT]...
        --keep      leaves the folder with the logs
        --seconds   how long each fault lasts (20)
        --only      this fault alone
Needs root, and etcd-server, patroni, postgresql-15, rabbitmq-server and iptables. SERAI_BIN names the folder of the programs
(.build/debug). Ends with 1 when a request was not answered again within ten seconds, or anything that was acknowledged is lost.
"""
import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import probes
from cluster import ADMIN, MAIL, OUTSIDE, PROJECT, SANDBOX, SERVICES, Cluster
from hosts import Host, Network, check, wait_until

LIMIT_SECONDS = 10
ORDERS_PER_SECOND = 1


def say(words: str) -> None:
    print(f"{time.strftime('%T')} {words}", flush=True)


class Faults:
    """Each breaks something and returns what mends it."""

    def __init__(self, cluster: Cluster):
        self.cluster = cluster

    def primary(self):
        """The primary's server ends."""
        host = self.cluster.with_role("leader")
        check(host.kill("postgres") > 0, "the primary has no processes")
        return f"PostgreSQL killed on host {host.name}, the primary", lambda: None

    def broker(self):
        """A node of the broker ends."""
        host = self.cluster.hosts["a"]
        check(host.kill("beam.smp") > 0, "the node has no processes")
        return "RabbitMQ killed on host a", lambda: self.cluster.start_broker(host)

    def services(self):
        """Every service of one host ends."""
        host = self.cluster.service_hosts[0]
        for service in SERVICES:
            check(host.kill(service) > 0, f"{service} has no process")
        return "all services killed on host a", lambda: [self.cluster.start_service(host, service) for service in SERVICES]

    def network(self):
        """Two hosts do not reach each other; both reach the third."""
        one = self.cluster.with_role("leader")
        two = self.cluster.with_role("sync_standby")
        one.cut(two)
        return f"network cut between hosts {one.name} and {two.name}, the primary and its replica", lambda: one.mend(two)

    def host(self):
        """The host of the primary ends, with all that is on it."""
        host = self.cluster.with_role("leader")
        host.die()
        return f"host {host.name} switched off, with the primary", lambda: self.again(host)

    def again(self, host: Host) -> None:
        self.cluster.start_host(host)
        if host in self.cluster.service_hosts:
            self.cluster.start_services(host)


def is_whole(cluster: Cluster) -> bool:
    return cluster.database_is_whole() and cluster.broker_is_whole() and all(cluster.ready(host) for host in cluster.service_hosts)


def go_through(cluster: Cluster, watched: probes.Probes, names: list[str], seconds: float) -> list[dict]:
    faults, rows = Faults(cluster), []
    for name in names:
        wait_until("everything whole again", 600, lambda: is_whole(cluster) and watched.are_answered())
        begin = time.monotonic()
        words, mend = getattr(faults, name)()
        say(words)
        time.sleep(seconds)
        gaps = watched.gaps(begin, time.monotonic())
        failed = watched.failed(begin + LIMIT_SECONDS, time.monotonic())
        mended = time.monotonic()
        mend()
        time.sleep(5)
        wait_until("everything whole again", 600, lambda: is_whole(cluster) and watched.are_answered())
        after = watched.gaps(mended, time.monotonic())
        rows.append({"fault": name, "what": words, "seconds": gaps, "percentFailedLater": failed,
                     "secondsWhileMended": after, "whole": round(time.monotonic() - mended, 1)})
        worst = max(gaps, key=gaps.get)
        say(f"  longest without an answer: {gaps[worst]} s ({worst}); failed after {LIMIT_SECONDS} s: {max(failed.values())} %; while it was mended: {max(after.values())} s; whole again after {rows[-1]['whole']} s")
    return rows


def simulate(cluster: Cluster, seconds: float) -> subprocess.Popen:
    environment = {**os.environ, "SERAI_ADMIN_PASSWORD": cluster.admin_password, "SERAI_ADMIN_SECOND_FACTOR": cluster.second_factor, "SWIFT_BACKTRACE": "enable=no"}
    pickups = cluster.folder / "pickups.csv"
    orders = int(seconds * ORDERS_PER_SECOND)
    # One somewhere in Riyadh's middle each second; the simulation keeps only their places.
    rows = [f'"4/1/2014 {n // 3600:02}:{n // 60 % 60:02}:{n % 60:02}",{24.70 + n % 7 * 0.002:.4f},{46.67 + n % 5 * 0.002:.4f},"B02512"' for n in range(orders)]
    pickups.write_text('"Date/Time","Lat","Lon","Base"\n' + "\n".join(rows) + "\n")
    return subprocess.Popen(
        [cluster.programs / "Simulator", "--url", cluster.url, "--sandbox-url", f"http://{OUTSIDE}:{SANDBOX}", "--admin-login", ADMIN, "--orders", str(orders),
         "--rate", str(ORDERS_PER_SECOND), "--data", pickups, "--out", cluster.folder / "simulate.json", "--tolerate-restarts"],
        env=environment, stdout=(cluster.folder / "logs/simulator.log").open("wb"), stderr=subprocess.STDOUT, start_new_session=True)


def verify(cluster: Cluster, watched: probes.Probes, simulation: subprocess.Popen) -> dict[str, bool]:
    wait_until("the end of the simulation", 1200, lambda: simulation.poll() is not None)
    outboxes = " UNION ALL ".join(f"SELECT count(*) FROM {service}.outbox WHERE published_at IS NULL" for service in SERVICES)
    dead = " UNION ALL ".join(f"SELECT count(*) FROM {service}.dead_messages" for service in SERVICES)
    total = lambda counts: f"SELECT sum(count) FROM ({counts}) AS counts"
    wait_until("empty outboxes", 60, lambda: cluster.sql(total(outboxes)) == "0")
    name = watched.someone.must("GET", "/identity/v1/accounts/me")["name"]
    host = cluster.service_hosts[0]
    ledger = subprocess.run(
        [*host.inside(), cluster.programs / "wallet", "verify"], env=host.environment(cluster.environment("wallet", host)), cwd="/",
        capture_output=True, text=True, check=False)
    wait_until("empty queues", 60, lambda: (queues := cluster.broker("queues")) and not any(queue.get("messages") for queue in queues))
    return {
        "every order is there, was done by one provider, and its money is right (Simulator)": simulation.returncode == 0,
        "the ledger is sound (wallet verify)": ledger.returncode == 0,
        "what a person was told to be written is written": int(name.split()[-1]) >= watched.acknowledged,
        "and has reached the other service": watched.name_at_desk() >= watched.acknowledged,
        "no dead messages": cluster.sql(total(dead)) == "0",
        "outboxes and queues are empty": True,
    }


def table(rows: list[dict]) -> None:
    names = list(rows[0]["seconds"])
    print("\nseconds without an answer, at most\n" + "fault".ljust(10) + "".join(name.rjust(20) for name in names))
    for row in rows:
        print(row["fault"].ljust(10) + "".join(f"{row['seconds'][name]:20.1f}" for name in names))
        print("  mended".ljust(10) + "".join(f"{row['secondsWhileMended'][name]:20.1f}" for name in names))


def drill(folder: Path, programs: Path, names: list[str], seconds: float) -> bool:
    cluster = Cluster(folder, programs)
    simulation = None
    try:
        cluster.start(say)
        desk = probes.admin(cluster.url, ADMIN, cluster.admin_password, cluster.second_factor)
        someone, account = probes.customer(cluster.url, f"http://{OUTSIDE}:{SANDBOX}")
        watched = probes.Probes(someone, account, desk)
        simulation = simulate(cluster, (seconds + 60) * len(names))
        watched.start()
        wait_until("the first orders", 60, lambda: int(cluster.sql("SELECT count(*) FROM dispatch.orders")) > 5)
        say("orders are placed and done")
        rows = go_through(cluster, watched, names, seconds)
        watched.end()
        checks = verify(cluster, watched, simulation)
    finally:
        if simulation and simulation.poll() is None:
            simulation.kill()
        cluster.end()
    table(rows)
    worst = max(max([*row["seconds"].values(), *row["secondsWhileMended"].values()]) for row in rows)
    checks[f"requests are answered again within {LIMIT_SECONDS} s (the longest was {worst} s)"] = worst <= LIMIT_SECONDS
    lost = max(max(row["percentFailedLater"].values()) for row in rows)
    checks[f"and each of them: {lost} % failed later than that"] = lost <= 5
    for words, holds in checks.items():
        print(("yes  " if holds else "NO   ") + words)
    out = PROJECT / ".build/cluster-drill.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps({"faults": rows, "checks": checks}, indent=2) + "\n")
    print(f"written to {out.relative_to(PROJECT)}")
    return all(checks.values())


def main() -> int:
    every = ["primary", "network", "host", "broker", "services"]
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--keep", action="store_true")
    arguments.add_argument("--seconds", type=float, default=20)
    arguments.add_argument("--only", action="append", choices=every)
    given = arguments.parse_args()
    check(os.geteuid() == 0, "networks and hosts need root")
    for program in ("etcd", "patroni", "/usr/lib/postgresql/15/bin/postgres", "/usr/lib/rabbitmq/bin/rabbitmq-server", "iptables", "nsenter"):
        check(shutil.which(program) is not None, f"{program} is missing; run scripts/install etcd-server patroni python3-idna")
    programs = Path(os.environ.get("SERAI_BIN", PROJECT / ".build/debug")).resolve()
    check((programs / "identity").exists(), f"there are no programs in {programs}; run `make build`, or set SERAI_BIN")
    folder = PROJECT / ".local/cluster/drill"
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    # In memory: a killed process loses nothing of it, and the stores' syncs cost nothing.
    subprocess.run(["umount", folder], stderr=subprocess.DEVNULL, check=False)
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6g,mode=755", "serai-drill", folder], check=True)
    try:
        with Network():
            return 0 if drill(folder, programs, given.only or every, given.seconds) else 1
    finally:
        logs = PROJECT / ".local/cluster/logs"
        shutil.rmtree(logs, ignore_errors=True)
        if (folder / "logs").exists():
            shutil.copytree(folder / "logs", logs)
        if not given.keep:
            subprocess.run(["umount", "-l", folder], check=False)


if __name__ == "__main__":
    sys.exit(main())
