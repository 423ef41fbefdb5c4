"""The stores and the services on three hosts, from the files that deploy/cluster/setup makes."""
import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import threading
import time
import urllib.request
from pathlib import Path

from hosts import OUTSIDE, Host, check, environment_of, owned, run, wait_until

PROJECT = Path(__file__).resolve().parents[2]
SERVICES = ["identity", "dispatch", "wallet", "notifications", "admin"]
ADMIN = "admin@serai.example"
FRONT, SANDBOX, MAIL = 8080, 8090, 8091
# Many phones with one address, as in simulations.
LIMITS = {
    "SERAI_HTTP_RATE_ADDRESS_PER_SECOND": "100000", "SERAI_HTTP_RATE_ADDRESS_BURST": "100000",
    "SERAI_IDENTITY_RATE_REGISTER_PER_SECOND": "1000", "SERAI_IDENTITY_RATE_REGISTER_BURST": "10000",
    "SERAI_IDENTITY_RATE_LOGIN_PER_SECOND": "1000", "SERAI_IDENTITY_RATE_LOGIN_BURST": "10000",
    "SERAI_IDENTITY_SMS_PER_COUNTRY": "1000000", "SERAI_IDENTITY_SMS_PER_DAY": "1000000",
}


class Forwarder(threading.Thread):
    """Passes connections on to one of the two Caddys, as a load balancer before them does, or an address that moves: the first that
    answers a request. When it does not any more, its connections end."""

    def __init__(self, port: int, targets: list[tuple[str, int]]):
        super().__init__(daemon=True)
        self.targets, self.chosen, self.open = targets, targets[0], {target: set() for target in targets}
        self.listener = socket.create_server((OUTSIDE, port), backlog=512)
        threading.Thread(target=self.choose, daemon=True).start()

    @staticmethod
    def answers(target: tuple[str, int]) -> bool:
        try:
            with urllib.request.urlopen(f"http://{target[0]}:{target[1]}/identity/.well-known/jwks.json", timeout=1) as answer:
                return answer.status == 200
        except OSError:
            return False

    def choose(self) -> None:
        while True:
            time.sleep(0.5)
            if self.answers(self.chosen) or self.answers(self.chosen):
                continue
            self.chosen = next((target for target in self.targets if target != self.chosen and self.answers(target)), self.chosen)
            for target in self.targets:
                if target != self.chosen:
                    for client in list(self.open[target]):
                        self.shut(client)

    @staticmethod
    def shut(end: socket.socket) -> None:
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            # It has ended by itself.
            pass

    def run(self) -> None:
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=[client, self.chosen], daemon=True).start()

    def serve(self, client: socket.socket, target: tuple[str, int]) -> None:
        try:
            server = socket.create_connection(target, timeout=1)
        except OSError:
            return client.close()
        server.settimeout(None)
        self.open[target].add(client)
        threading.Thread(target=self.pipe, args=[client, server], daemon=True).start()
        self.pipe(server, client)
        self.open[target].discard(client)

    @staticmethod
    def pipe(source: socket.socket, target: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                target.sendall(data)
        except OSError:
            # One end is gone; so is then the other.
            pass
        for end in (source, target):
            Forwarder.shut(end)
        source.close()


class Cluster:
    def __init__(self, folder: Path, programs: Path):
        self.folder, self.programs = folder, programs
        self.files = folder / "out"
        settings = folder / "cluster.env"
        example = (PROJECT / "deploy/cluster/cluster.env.example").read_text()
        settings.write_text(re.sub("^SERAI_SHARED_BUFFERS=.*", "SERAI_SHARED_BUFFERS=64MB", example, flags=re.M))
        run(PROJECT / "deploy/cluster/setup", settings, self.files)
        addresses = environment_of(settings)
        self.hosts = {name: Host(name, addresses[f"SERAI_{name.upper()}"], self.files / name, folder / "logs") for name in "abc"}
        self.service_hosts = [self.hosts["a"], self.hosts["b"]]
        self.superuser = environment_of(self.files / "env/postgres.env")["POSTGRES_PASSWORD"]
        self.broker_password = environment_of(self.files / "env/rabbitmq.env")["RABBITMQ_DEFAULT_PASS"]
        self.secret = {name: secrets.token_hex(16) for name in ("key", "webhook", "mail", "sms", "password")}
        self.admin_password = f"Admin-10-{self.secret['password']}"
        self.second_factor = "".join(secrets.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") for _ in range(32))
        self.sandbox, self.front = None, None
        for host in self.hosts.values():
            self.prepare(host)

    # MARK: Hosts

    @staticmethod
    def prepare(host: Host) -> None:
        """What Debian's packages and the README's commands do: owners of files."""
        etc = host.files / "etc"
        (etc / "hosts").write_text(f"127.0.0.1 localhost\n{(etc / 'serai/hosts').read_text()}")
        for folder in ["", *"etc etc/serai etc/serai/tls etc/rabbitmq etc/patroni var var/lib var/log run".split()]:
            (host.files / folder).chmod(0o755)
        for file in [*(etc / "rabbitmq").iterdir(), etc / "hosts", etc / "serai/tls/ca.pem", etc / "serai/tls/host.pem"]:
            file.chmod(0o644)
        owned(etc / "serai/tls/host.key", "root", "ssl-cert", 0o640)
        for file in (etc / "patroni").iterdir():
            owned(file, "postgres")
        for folder, user in (("var/lib/etcd", "etcd"), ("var/lib/postgresql", "postgres"), ("run/postgresql", "postgres"),
                             ("var/lib/rabbitmq", "rabbitmq"), ("var/log/rabbitmq", "rabbitmq")):
            owned(host.files / folder, user, mode=0o755)
        owned(host.files / "var/lib/rabbitmq/.erlang.cookie", "rabbitmq")

    @staticmethod
    def switch_on(host: Host) -> None:
        host.start()
        # A payment provider without TLS is believed on this machine alone: the host's own address leads to the sandbox.
        host.command("sh", "-c", "echo 1 >/proc/sys/net/ipv4/conf/all/route_localnet")
        host.command("iptables", "-t", "nat", "-A", "OUTPUT", "-d", "127.0.0.1", "-p", "tcp", "--dport", SANDBOX, "-j", "DNAT", "--to", f"{OUTSIDE}:{SANDBOX}")
        host.command("iptables", "-t", "nat", "-A", "POSTROUTING", "-s", "127.0.0.1", "-d", OUTSIDE, "-j", "MASQUERADE")

    def start_host(self, host: Host) -> None:
        self.switch_on(host)
        self.start_etcd(host)
        self.start_database(host)
        self.start_broker(host)

    def start_etcd(self, host: Host) -> None:
        host.launch("etcd", "etcd", user="etcd", environment=environment_of(host.files / "etc/default/etcd"))

    def start_database(self, host: Host) -> None:
        host.launch("patroni", "patroni", "/etc/patroni/config.yml", user="postgres", environment={"HOME": "/var/lib/postgresql"})

    def start_broker(self, host: Host) -> None:
        host.launch(
            "rabbitmq", "/usr/lib/rabbitmq/bin/rabbitmq-server", user="rabbitmq",
            # An idle node burns no processor time.
            environment={"HOME": "/var/lib/rabbitmq", "RABBITMQ_SCHEDULER_BIND_TYPE": "u", "ERL_FLAGS": "+sbwt none +sbwtdcpu none +sbwtdio none"})

    # MARK: Stores

    def members(self) -> dict[str, dict]:
        """Of the database, by host, as one host's Patroni sees them; none when no host answers."""
        for host in self.hosts.values():
            if host.holder is None:
                continue
            text = host.output("curl", "-s", "-m", "2", "--cacert", "/etc/serai/tls/ca.pem", "--cert", "/etc/serai/tls/host.pem",
                               "--key", "/etc/serai/tls/host.key", f"https://serai-{host.name}:8008/cluster")
            if text:
                return {member["name"].removeprefix("serai-"): member for member in json.loads(text)["members"]}
        return {}

    def with_role(self, role: str) -> Host | None:
        for name, member in self.members().items():
            if member["role"] == role and member["state"] == "running":
                return self.hosts[name]
        return None

    def database_is_whole(self) -> bool:
        """One writes, one has all of that, and both others follow on its line."""
        members = self.members().values()
        lines = {member.get("timeline") for member in members}
        return sorted(member["role"] for member in members) == ["leader", "replica", "sync_standby"] and len(lines) == 1 and all(
            member["state"] in ("running", "streaming") and member.get("lag", 0) in range(1 << 20) for member in members)

    def broker(self, path: str) -> list[dict]:
        """What the management API of one node says; nothing where no node answers."""
        for host in self.hosts.values():
            text = host.holder and host.output("curl", "-sf", "-m", "5", "-u", f"serai:{self.broker_password}", f"http://127.0.0.1:15672/api/{path}")
            if text:
                return json.loads(text)
        return []

    def broker_is_whole(self) -> bool:
        return sum(node["running"] for node in self.broker("nodes")) == 3

    def sql(self, text: str) -> str:
        """As the administrator, on the server that writes."""
        environment = {**environment_of(self.files / "a/etc/serai/setup.env")}
        host = next(host for host in self.service_hosts if host.holder)
        return host.command("psql", "-XqAt", "-c", text, environment=environment).strip()

    # MARK: Services

    def setup(self) -> None:
        """Roles, schemas, broker users, keys and the first admin."""
        host = self.hosts["a"]
        host.command(PROJECT / "deploy/setup", environment=environment_of(host.files / "etc/serai/setup.env"))
        keys = host.files / "etc/serai/keys"
        for service in SERVICES:
            common = environment_of(host.files / "etc/serai/common.env")
            owner = environment_of(host.files / f"etc/serai/{service}-owner.env")
            host.command(self.programs / service, "migrate", environment={**common, **owner})
        (keys / "public").mkdir(parents=True)
        host.command(self.programs / "identity", "create-keys", "--directory", "/etc/serai/keys/private", environment=self.environment("identity", host))
        shutil.copy(keys / "private/jwks.json", keys / "public/jwks.json")
        shutil.copytree(keys, self.hosts["b"].files / "etc/serai/keys")
        host.command(
            self.programs / "identity", "create-admin", "--email", ADMIN, "--mobile", "+966500000001", "--name", "First Admin", "--market", "*",
            environment={**self.environment("identity", host), "SERAI_ADMIN_PASSWORD": self.admin_password,
                         "SERAI_ADMIN_SECOND_FACTOR": self.second_factor})

    def environment(self, service: str, host: Host) -> dict[str, str]:
        """The service's files, and the sandbox in place of the world outside."""
        etc, world = host.files / "etc/serai", f"http://127.0.0.1:{SANDBOX}"
        outside = {
            "identity": {"SERAI_IDENTITY_PASSWORD_MARKETS": "assef", "SERAI_IDENTITY_WEB_URL": "https://serai.example"},
            "notifications": {
                "SERAI_DELIVERIES_SMS_URL": f"{world}/sink/twilio", "SERAI_DELIVERIES_SMS_ACCOUNT": "ACsandbox",
                "SERAI_DELIVERIES_SMS_TOKEN": self.secret["sms"]},
            "dispatch": {"SERAI_GEOCODER_URL": f"{world}/places", "SERAI_ROUTING_WALKING_URL": f"{world}/routing"},
            "wallet": {
                "SERAI_PAYMENT_PROVIDER_URL": world, "SERAI_PAYMENT_PROVIDER_KEY": f"sk_test_{self.secret['key']}",
                "SERAI_PAYMENT_WEBHOOK_SECRET": f"whsec_{self.secret['webhook']}", "SERAI_PAYMENT_RETURN_URL": "https://serai.example/payments"},
            "admin": {"SERAI_WEATHER_URL": f"{world}/weather"},
        }
        return {
            **environment_of(etc / "common.env"), **environment_of(etc / f"{service}.env"), **outside[service], **LIMITS,
            "SERAI_DATABASE_POOL_SIZE": "3", "SWIFT_BACKTRACE": "enable=no", "SERAI_LOG_FORMAT": "json"}

    @property
    def url(self) -> str:
        return f"http://{OUTSIDE}:{FRONT}"

    def start_services(self, host: Host) -> None:
        for service in SERVICES:
            self.start_service(host, service)
        folder = host.files / "var/lib/caddy"
        folder.mkdir(parents=True, exist_ok=True)
        caddy = next(iter(sorted((PROJECT / ".local/tools").glob("caddy-*"))), None)
        check(caddy is not None, "Caddy is missing; run scripts/install")
        # Without TLS of its own: no name leads to these hosts.
        open_site = {
            "SERAI_SITE": "http://:8080", "SERAI_OTHER_SITES": "http://nobody:8080", "SERAI_PROTOCOLS": "h1", "SERAI_TRANSPORT": "open",
            "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
        host.launch(
            "caddy", caddy, "run", "--config", PROJECT / "deploy/Caddyfile", "--adapter", "caddyfile",
            environment={**environment_of(host.files / "etc/serai/caddy.env"), **open_site})

    def start_service(self, host: Host, service: str) -> None:
        host.launch(service, self.programs / service, "serve", environment=self.environment(service, host))

    def ready(self, host: Host) -> bool:
        ports = range(8081, 8081 + len(SERVICES))
        trusting = ["-sf", "-m", "2", "--cacert", "/etc/serai/tls/ca.pem"]
        return all(host.output("curl", *trusting, f"https://{host.address}:{port}/health/ready") for port in ports)

    def start_outside(self) -> None:
        environment = {
            **os.environ, "SERAI_SANDBOX_API_KEY": f"sk_test_{self.secret['key']}", "SERAI_SANDBOX_WEBHOOK_SECRET": f"whsec_{self.secret['webhook']}",
            "SERAI_SANDBOX_MAIL_PASSWORD": self.secret["mail"], "SERAI_SANDBOX_SMS_TOKEN": self.secret["sms"], "SWIFT_BACKTRACE": "enable=no"}
        self.sandbox = subprocess.Popen(
            [self.programs / "sandbox", "--host", OUTSIDE, "--port", str(SANDBOX), "--mail-port", str(MAIL), "--webhook-url", f"{self.url}/wallet/v1/webhooks/stripe"],
            env=environment, stdout=(self.folder / "logs/sandbox.log").open("wb"), stderr=subprocess.STDOUT, start_new_session=True)
        self.front = Forwarder(FRONT, [(host.address, 8080) for host in self.service_hosts])
        self.front.start()

    def start(self, say) -> None:
        for host in self.hosts.values():
            self.switch_on(host)
        for host in self.hosts.values():
            self.start_etcd(host)
        for host in self.hosts.values():
            self.start_database(host)
            self.start_broker(host)
        wait_until("a database with a replica that has everything", 300, self.database_is_whole)
        say("PostgreSQL: a primary, a replica that has everything it acknowledges, and one more")
        for host in self.hosts.values():
            # As the README has it: what watches etcd was opened before Patroni knew the short times.
            check(host.kill("patroni") == 1, "Patroni does not run")
            self.start_database(host)
        time.sleep(3)
        wait_until("the same after Patroni's restart", 300, self.database_is_whole)
        wait_until("a broker of three nodes", 300, self.broker_is_whole)
        say("RabbitMQ: three nodes")
        self.start_outside()
        self.setup()
        for host in self.service_hosts:
            self.start_services(host)
        for host in self.service_hosts:
            wait_until(f"the services on host {host.name}", 300, lambda host=host: self.ready(host))
        say("the services and Caddy on two hosts")

    def end(self) -> None:
        if self.front:
            self.front.listener.close()
        for host in self.hosts.values():
            host.die()
        if self.sandbox:
            self.sandbox.kill()
            self.sandbox.wait()
