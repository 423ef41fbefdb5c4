"""Three machines on one: each has a network, a table of processes and a file system of its own, joined by a bridge."""
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

BRIDGE = "serai-drill"
OUTSIDE = "10.90.0.254"
# Process 1 of a host, which buries what its parent has left.
INIT = """import os, time
while True:
    try:
        os.wait()
    except ChildProcessError:
        time.sleep(0.1)
"""
# What a host has of its own; all else is the machine's.
FOLDERS = ["var/lib/etcd", "var/lib/postgresql", "var/lib/rabbitmq", "var/log/rabbitmq", "run/postgresql"]


def check(holds: bool, otherwise: str) -> None:
    if not holds:
        raise SystemExit(f"cluster-drill: {otherwise}")


def run(*words, **settings) -> str:
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=False, **settings)
    check(done.returncode == 0, f"{' '.join(map(str, words))} ended with {done.returncode}: {done.stderr or done.stdout}")
    return done.stdout


def wait_until(what: str, seconds: float, holds):
    """Returns the first true answer."""
    end = time.monotonic() + seconds
    while True:
        answer = holds()
        if answer:
            return answer
        check(time.monotonic() < end, f"{what} did not come about within {seconds:.0f} s")
        time.sleep(0.2)


def environment_of(file: Path) -> dict[str, str]:
    lines = (line for line in file.read_text().splitlines() if line and not line.startswith("#"))
    return dict(line.split("=", 1) for line in lines)


class Network:
    """The bridge, and the outside world's line to it. It has a network namespace of its own: the rules of the machine (those
    of a Docker engine drop what is forwarded) are not the hosts'."""

    def __enter__(self):
        check(
            not Path(f"/run/netns/{BRIDGE}").exists(),
            f"there is a network {BRIDGE}; another drill runs, or `ip netns del {BRIDGE}; ip link del {BRIDGE}`")
        run("ip", "netns", "add", BRIDGE)
        run("ip", "-n", BRIDGE, "link", "add", BRIDGE, "type", "bridge")
        run("ip", "-n", BRIDGE, "link", "set", BRIDGE, "up")
        run("ip", "link", "add", BRIDGE, "type", "veth", "peer", "name", "outside", "netns", BRIDGE)
        run("ip", "-n", BRIDGE, "link", "set", "outside", "master", BRIDGE, "up")
        run("ip", "address", "add", f"{OUTSIDE}/24", "dev", BRIDGE)
        run("ip", "link", "set", BRIDGE, "up")
        return self

    def __exit__(self, *_):
        subprocess.run(["ip", "link", "del", BRIDGE], check=False)
        subprocess.run(["ip", "netns", "del", BRIDGE], check=False)


class Host:
    def __init__(self, name: str, address: str, files: Path, logs: Path):
        self.name, self.address, self.files, self.logs = name, address, files, logs
        self.holder, self.pid, self.processes = None, 0, {}
        logs.mkdir(parents=True, exist_ok=True)
        for folder in [*FOLDERS, "work"]:
            (files / folder).mkdir(parents=True, exist_ok=True)

    def start(self) -> None:
        """Also again, after `die`: with the same files."""
        mounts = [f"mount -t overlay serai-etc -o lowerdir=/etc,upperdir={self.files}/etc,workdir={self.files}/work /etc"]
        mounts += [f"mount --bind {self.files}/{folder} /{folder}" for folder in FOLDERS]
        script = " && ".join([*mounts, f"hostname serai-{self.name}", f"exec {sys.executable} -c '{INIT}'"])
        self.holder = subprocess.Popen(
            ["unshare", "--net", "--mount", "--uts", "--ipc", "--pid", "--fork", "--kill-child", "--mount-proc", "bash", "-ec", script],
            start_new_session=True, stderr=(self.logs / f"{self.name}.log").open("ab"))
        children = Path(f"/proc/{self.holder.pid}/task/{self.holder.pid}/children")
        self.pid = int(wait_until(f"host {self.name}", 10, lambda: children.read_text().strip()))
        link = f"drill-{self.name}"
        # Mounted, when its name is right.
        wait_until("its name", 10, lambda: self.output("hostname").strip() == f"serai-{self.name}")
        run("ip", "-n", BRIDGE, "link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", self.pid)
        run("ip", "-n", BRIDGE, "link", "set", link, "master", BRIDGE, "up")
        for words in (f"address add {self.address}/24 dev eth0", "link set eth0 up", "link set lo up"):
            run(*self.inside(), "ip", *words.split())

    def inside(self, user: str = "root") -> list[str]:
        words = ["nsenter", "-t", str(self.pid), "-n", "-m", "-u", "-i", "-p", "--"]
        if user != "root":
            words += ["setpriv", f"--reuid={user}", f"--regid={user}", f"--groups={user},ssl-cert", "--"]
        return words

    def output(self, *words, user: str = "root", environment: dict | None = None) -> str:
        done = subprocess.run(
            [*self.inside(user), *map(str, words)], cwd="/", env=self.environment(environment), capture_output=True, text=True, check=False)
        return done.stdout if done.returncode == 0 else ""

    def command(self, *words, user: str = "root", environment: dict | None = None) -> str:
        return run(*self.inside(user), *words, cwd="/", env=self.environment(environment))

    @staticmethod
    def environment(more: dict | None) -> dict[str, str]:
        return {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", **(more or {})}

    def launch(self, name: str, *words, user: str = "root", environment: dict | None = None) -> None:
        log = (self.logs / f"{self.name}-{name}.log").open("ab")
        self.processes[name] = subprocess.Popen(
            [*self.inside(user), *map(str, words)], cwd="/", env=self.environment(environment), stdin=subprocess.DEVNULL,
            stdout=log, stderr=subprocess.STDOUT, start_new_session=True)

    def runs(self, name: str) -> bool:
        return name in self.processes and self.processes[name].poll() is None

    def kill(self, program: str) -> int:
        """Ends by SIGKILL all of the host's processes of a program, and returns how many they were."""
        count = 0
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit() or not self.has(int(entry.name)):
                continue
            try:
                # The program, or the interpreter's first argument; a PostgreSQL process has a text of its own there.
                words = (entry / "cmdline").read_text(errors="replace").replace(" ", "\0").split("\0")[:2]
                if program in (os.path.basename(word.rstrip(":")) for word in words):
                    os.kill(int(entry.name), signal.SIGKILL)
                    count += 1
            except (FileNotFoundError, ProcessLookupError):
                # It has ended by itself.
                continue
        return count

    def has(self, process: int) -> bool:
        try:
            return os.readlink(f"/proc/{process}/ns/pid") == os.readlink(f"/proc/{self.pid}/ns/pid")
        except OSError:
            # It has ended, or is the machine's own.
            return False

    def die(self) -> None:
        """The power fails: every process ends at once, and nobody is told."""
        if self.holder is None:
            return
        # First the network: dying processes say nothing.
        subprocess.run(["ip", "-n", BRIDGE, "link", "del", f"drill-{self.name}"], capture_output=True, check=False)
        try:
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.holder.wait()
        for process in self.processes.values():
            process.wait()
        self.holder, self.processes = None, {}

    def cut(self, other: "Host") -> None:
        for one, two in ((self, other), (other, self)):
            one.command("iptables", "-I", "INPUT", "-s", two.address, "-j", "DROP")

    def mend(self, other: "Host") -> None:
        for one, two in ((self, other), (other, self)):
            one.command("iptables", "-D", "INPUT", "-s", two.address, "-j", "DROP")


def owned(path: Path, user: str, group: str | None = None, mode: int | None = None) -> None:
    shutil.chown(path, user, group or user)
    if mode is not None:
        path.chmod(mode)
