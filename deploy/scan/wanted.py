"""The images that docker-compose.yml names, as Compose would read it."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

import yaml

VARIABLE = re.compile(r"\$\{(\w+)(?::-([^}]*))?\}")


@dataclass
class Wanted:
    """An image of docker-compose.yml, with the users that its services run as."""

    name: str
    is_built: bool
    users: list[str | None]

    @property
    def kind(self) -> str:
        return self.name.partition("@")[0].rpartition("/")[2].partition(":")[0]


def settings(project: Path) -> dict[str, str]:
    """As Compose takes them: the environment, before the file .env."""
    file = project / ".env"
    pairs = (line.partition("=") for line in file.read_text().splitlines()) if file.exists() else ()
    return {name.strip(): value.strip() for name, separator, value in pairs if separator} | dict(os.environ)


def of_compose(project: Path, given: dict[str, str]) -> list[Wanted]:
    found: dict[str, Wanted] = {}
    for file in given.get("COMPOSE_FILE", "docker-compose.yml").split(":"):
        text = VARIABLE.sub(lambda match: given.get(match[1]) or match[2] or "", (project / file).read_text())
        for service in (yaml.safe_load(text).get("services") or {}).values():
            if name := service.get("image"):
                wanted = found.setdefault(name, Wanted(name, False, []))
                wanted.is_built |= "build" in service
                wanted.users.append(service.get("user"))
    return list(found.values())
