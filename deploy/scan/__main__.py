"""scan [IMAGE...]: looks through the images of docker-compose.yml, or through those that are named, for known faults. Needs python3-yaml
and a Docker engine. Ends with 1 when something was found that has a remedy. scripts/scan-images calls it."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import rules
from debian import Debian
from images import Image, read_archive
from kept_secret import Finder, of_deployment
from wanted import Wanted, of_compose, settings

PROJECT = Path(__file__).resolve().parents[2]
STATE = PROJECT / ".local/scan"


def docker(*command: str) -> subprocess.CompletedProcess:
    return subprocess.run(["docker", *command], capture_output=True, text=True)


def identity(name: str) -> str | None:
    done = docker("image", "inspect", "-f", "{{.Id}}", name)
    return done.stdout.strip().removeprefix("sha256:") if done.returncode == 0 else None


def load(identities: set[str], finder: Finder) -> dict[str, Image]:
    with tempfile.NamedTemporaryFile(dir=STATE, suffix=".tar") as archive:
        done = docker("save", "-o", archive.name, *sorted(identities))
        if done.returncode != 0:
            raise SystemExit(f"scan-images: {done.stderr.strip()}")
        read = read_archive(archive.name, finder.in_file)
    return {image.identity: image for image in read}


def packages(image: Image, debian: Debian) -> tuple[str, list[str]]:
    """What is told of the packages, and those with a known fault that is mended."""
    status = image.texts.get("var/lib/dpkg/status")
    if image.release.get("ID") != "debian" or not status:
        return f"not compared: {image.release.get('PRETTY_NAME', 'no distribution that is known')} is not Debian", []
    suite = image.release["VERSION_CODENAME"]
    with tempfile.NamedTemporaryFile("w", dir=STATE, suffix=".status") as file:
        file.write(status)
        file.flush()
        old = debian.older(suite, Path(file.name))
        numbered = debian.numbered(suite, Path(file.name))
    installed = re.findall(r"^Status: \S+ ok installed$", status, re.MULTILINE)
    told = f"{len(installed)} of {suite}"
    if numbered is None:
        return f"{told}; Debian's tracker was not reachable, so faults have no numbers", old
    fixed, unfixed = numbered
    return f"{told}; {unfixed} known faults without a remedy", old + fixed


def scan(wanted: Wanted, image: Image, finder: Finder, debian: Debian) -> list[tuple[str, str, list[str]]]:
    """Rows of the table: what was looked at, what is told of it, and the faults."""
    told, old = packages(image, debian)
    rooted = sorted({fault for user in wanted.users for fault in rules.root(image, wanted.kind, user)})
    secret = image.secrets + finder.in_settings(image.config.get("Env") or [], image.history)
    return [
        ("packages", told, old),
        ("set-uid", "no other than Debian's own", rules.set_id(image)),
        ("writable", f"{len(image.files)} files and folders, none by everybody", rules.world_writable(image)),
        ("secrets", f"all layers, {len(finder.deployed)} of this deployment", secret),
        ("user", "may begin as root" if wanted.kind in rules.BEGIN_AS_ROOT else "never root", rooted),
        ("tools", f"may have {', '.join(sorted(rules.NEEDED.get(wanted.kind, {'none'})))}", rules.tools(image, wanted.kind)),
    ]


def main(names: list[str]) -> int:
    STATE.mkdir(parents=True, exist_ok=True)
    given = settings(PROJECT)
    all_wanted = of_compose(PROJECT, given)
    if names:
        known = {wanted.name: wanted for wanted in all_wanted}
        all_wanted = [known.get(name, Wanted(name, True, [None])) for name in names]
    finder = Finder(of_deployment(PROJECT / given.get("SERAI_ENV", "deploy/env")))
    debian = Debian(STATE)
    found = {wanted.name: identity(wanted.name) for wanted in all_wanted}
    loaded = load({value for value in found.values() if value}, finder) if any(found.values()) else {}
    faults = 0
    for wanted in all_wanted:
        print(f"\n{wanted.name}")
        if not (key := found[wanted.name]):
            faults += wanted.is_built
            print("  NOT SCANNED: it is not built here" if wanted.is_built else "  not scanned: it is pulled, and is not here")
            continue
        for what, told, wrong in scan(wanted, loaded[key], finder, debian):
            print(f"  {what:10}{'FAULT' if wrong else 'ok':7}{told}")
            for fault in wrong:
                print(f"{'':19}{fault}")
            faults += len(wrong) if wanted.is_built else 0
        if not wanted.is_built:
            print("  It is pulled: its faults are told and do not count, the remedy is another version.")
    if faults:
        print(f"\n{faults} faults. Of packages: build anew with another SERAI_UPDATED; of the rest: deploy/scan/rules.py says what may be.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
