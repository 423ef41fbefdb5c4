"""The Debian packages of an image against Debian's security archive, by apt with lists of its own, and by debsecan for the numbers of
faults, where Debian's tracker answers."""

import os
import re
import subprocess
import urllib.request
from pathlib import Path

ARCHIVE = "http://deb.debian.org/debian-security"
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
TRACKER = "https://security-tracker.debian.org/tracker/debsecan/release/1"
UPGRADABLE = re.compile(r"^(\S+?)/\S+ (\S+) \S+ \[upgradable from: (\S+)\]$")


class Debian:
    def __init__(self, folder: Path):
        self.folder = folder
        self.is_read: set[str] = set()
        self.trackers: dict[str, bool] = {}

    def apt(self, suite: str, status: Path, *command: str) -> str:
        """apt as of another machine: nothing of this one is read or changed."""
        root = self.folder / suite
        options = {
            "Dir::State": root / "state", "Dir::State::status": status, "Dir::Cache": root / "cache", "Dir::Etc::sourcelist": root / "sources.list",
            "Dir::Etc::sourceparts": "/dev/null", "Dir::Etc::preferences": "/dev/null", "Dir::Etc::preferencesparts": "/dev/null",
        }
        for part in ("state/lists/partial", "cache/archives/partial"):
            (root / part).mkdir(parents=True, exist_ok=True)
        (root / "sources.list").write_text(f"deb [signed-by={KEYRING}] {ARCHIVE} {suite}-security main\n")
        given = [argument for name, value in options.items() for argument in ("-o", f"{name}={value}")]
        done = subprocess.run(
            [command[0], *given, *command[1:]], capture_output=True, text=True, timeout=300, env=os.environ | {"LC_ALL": "C.UTF-8"})
        if done.returncode != 0:
            raise SystemExit(f"scan-images: {' '.join(command)} for {suite}: {done.stderr.strip()}")
        return done.stdout

    def older(self, suite: str, status: Path) -> list[str]:
        """Packages that the security archive has in a newer version: each is a known fault with its fix."""
        if suite not in self.is_read:
            self.apt(suite, status, "apt-get", "update", "-q", "--error-on=any")
            self.is_read.add(suite)
        lines = self.apt(suite, status, "apt", "list", "--upgradable").splitlines()
        found = [match for line in lines if (match := UPGRADABLE.match(line))]
        return [f"{package} {old}, mended in {new}" for package, new, old in (match.groups() for match in found)]

    def tracked(self, suite: str) -> bool:
        """Whether Debian's tracker answers; what it says is kept for this run."""
        if suite not in self.trackers:
            kept = self.folder / "tracker" / suite
            kept.parent.mkdir(parents=True, exist_ok=True)
            try:
                with urllib.request.urlopen(f"{TRACKER}/{suite}", timeout=30) as answer:
                    kept.write_bytes(answer.read())
                self.trackers[suite] = True
            except OSError:
                self.trackers[suite] = False
        return self.trackers[suite]

    def numbered(self, suite: str, status: Path) -> tuple[list[str], int] | None:
        """Faults with a fix, by their numbers, and how many have none yet; nothing where the tracker does not answer."""
        if not self.tracked(suite):
            return None
        program = self.folder / "debsecan/usr/bin/debsecan"
        if not program.exists():
            # Unpacked and not installed: its package would have this machine write mails.
            subprocess.run(["apt-get", "download", "-q", "debsecan"], cwd=self.folder, check=True, capture_output=True)
            package = next(self.folder.glob("debsecan_*.deb"))
            subprocess.run(["dpkg-deb", "-x", package, self.folder / "debsecan"], check=True)

        def ask(*options: str) -> list[str]:
            source = f"file://{self.folder / 'tracker'}/"
            command = [program, "--source", source, "--suite", suite, "--status", status, "--config", "/dev/null", *options]
            return subprocess.run(command, check=True, capture_output=True, text=True, timeout=300).stdout.splitlines()

        fixed = ask("--only-fixed")
        return fixed, len(set(ask()) - set(fixed))
