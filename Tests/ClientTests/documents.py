"""The documents that others build on, and the clients that are generated from them."""

import json
import subprocess
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
CLIENTS = ROOT / ".build/clients"
SERVICES = ["identity", "dispatch", "wallet", "notifications", "admin"]
METHODS = {"get", "put", "post", "delete", "patch"}


def path(service: str) -> Path:
    return ROOT / f"Services/{service.capitalize()}/openapi.yaml"


def document(service: str) -> dict:
    return yaml.safe_load(path(service).read_text())


def operations(root: dict):
    """Each with its path and method."""
    for name, item in root["paths"].items():
        for method, operation in item.items():
            if method in METHODS:
                yield name, method, operation


def follow(root: dict, value: dict) -> dict:
    while "$ref" in value:
        target = root
        for name in value["$ref"].removeprefix("#/").split("/"):
            target = target[name.replace("~1", "/").replace("~0", "~")]
        value = target
    return value


def generate(service: str) -> str:
    """Writes the client as a package of the service's name. Returns what the generator says."""
    CLIENTS.mkdir(parents=True, exist_ok=True)
    command = [
        Path(sys.executable).with_name("openapi-python-client"), "generate", "--path", path(service), "--meta", "none", "--overwrite",
        "--output-path", CLIENTS / service, "--config", Path(__file__).with_name("generator.yaml"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    return f"{done.stdout}{done.stderr}\nended with {done.returncode}"


def yaml_as_json(text: str):
    """As a JSON reader sees it: without YAML's dates."""
    return json.loads(json.dumps(yaml.safe_load(text), default=str))
