"""Every operation of the five documents, who may call it by `operations.txt`, and a request for it."""

import re
import urllib.parse
import uuid
from dataclasses import dataclass, field
from pathlib import Path

import documents

REVIEWED = Path(__file__).with_name("operations.txt")
# Who may call an operation. The words stand in `operations.txt` with what they mean.
CLASSES = {"open", "device", "own", "party", "desk", "staff", "master"}


@dataclass(frozen=True)
class Operation:
    service: str
    method: str
    path: str
    id: str
    root: dict = field(repr=False, compare=False, hash=False)
    spec: dict = field(repr=False, compare=False, hash=False)

    @property
    def key(self) -> str:
        return f"{self.service} {self.id}"

    @property
    def security(self) -> list:
        return self.spec.get("security", self.root.get("security", []))

    @property
    def reads(self) -> bool:
        return self.method == "get"

    def names(self) -> list[str]:
        """What the path names, each with the part before it: `orders/{id}`, `{section}/{id}`."""
        parts = self.path.split("/")
        return [f"{parts[index - 1]}/{part}" for index, part in enumerate(parts) if part.startswith("{")]

    def parameters(self) -> list[dict]:
        item = self.root["paths"][self.path]
        return [documents.follow(self.root, one) for one in [*item.get("parameters", []), *self.spec.get("parameters", [])]]


def all_operations() -> list[Operation]:
    return [
        Operation(service, method, path, spec["operationId"], root, spec)
        for service in documents.SERVICES for root in [documents.document(service)]
        for path, method, spec in documents.operations(root)
    ]


def reviewed() -> dict[str, str]:
    """The class of each operation, by service and id."""
    found: dict[str, str] = {}
    for line in REVIEWED.read_text().splitlines():
        words = line.split("#")[0].split()
        if words:
            service, operation, kind = words
            assert f"{service} {operation}" not in found, f"{line} stands there twice"
            found[f"{service} {operation}"] = kind
    return found


@dataclass
class Request:
    method: str
    path: str
    headers: dict[str, str]
    body: object
    # What the path names that nobody has: the request is then for a thing that there is not.
    unknown: list[str]


def request(operation: Operation, ids: dict[str, tuple[str, str]], market: str, file: bytes) -> Request:
    """A well-formed request about things that there are: `ids` has a market and an id by service and what the path names."""
    known = {name: ids.get(f"{operation.service}: {name}") for name in operation.names()}
    # A path with a market and a thing of it means the thing's own market.
    market = next((found[0] for found in known.values() if found), market)
    unknown: list[str] = []

    def value(name: str) -> str:
        if name.endswith("{market}"):
            return market
        if known[name]:
            return known[name][1]
        unknown.append(name)
        schema = next((one["schema"] for one in operation.parameters() if one["in"] == "path" and name.endswith(f"{{{one['name']}}}")), {})
        return str(sample(operation.root, schema, market, "id"))

    parts = operation.path.split("/")
    filled = [urllib.parse.quote(value(f"{parts[index - 1]}/{part}"), safe="") if part.startswith("{") else part
              for index, part in enumerate(parts)]
    query = {one["name"]: sample(operation.root, one["schema"], market, one["name"])
             for one in operation.parameters() if one["in"] == "query" and one.get("required")}
    headers = {"Accept-Language": "en"}
    names = {one["name"].lower() for one in operation.parameters() if one["in"] == "header"}
    if "idempotency-key" in names:
        headers["Idempotency-Key"] = uuid.uuid4().hex
    if "if-match" in names:
        headers["If-Match"] = "*"
    body: object = None
    if "requestBody" in operation.spec:
        kind, media = next(iter(documents.follow(operation.root, operation.spec["requestBody"])["content"].items()))
        headers["Content-Type"] = kind
        body = file if kind == "application/octet-stream" else sample(operation.root, media["schema"], market)
    text = "/".join(filled) + (f"?{urllib.parse.urlencode(query)}" if query else "")
    return Request(operation.method.upper(), text, headers, body, unknown)


# What schemas alone do not say.
KNOWN = {
    "email": "nobody@example.com", "mobile": "+8613912345678", "password": "Correct-Horse-42", "latitude": 57.70, "longitude": 11.97,
    "code": "123456", "iban": "SE4550000000058398257466", "name": "A name", "title": "A title", "reason": "other",
}


def sample(root: dict, schema: dict, market: str, name: str = "", depth: int = 0):
    """The smallest good value by a schema, as far as a schema tells; the same at each call but for new ids."""
    schema = documents.follow(root, schema)
    if depth > 8:
        return None
    if "allOf" in schema:
        parts = [sample(root, one, market, name, depth + 1) for one in schema["allOf"]]
        if all(isinstance(part, dict) for part in parts):
            return {key: value for part in parts for key, value in part.items()}
        return parts[0]
    for several in ("oneOf", "anyOf"):
        if several in schema:
            return sample(root, schema[several][0], market, name, depth + 1)
    if "const" in schema:
        return schema["const"]
    if name == "market":
        return market
    for words in ("enum", "x-extensible-enum"):
        if schema.get(words):
            return schema[words][0]
    if schema.get("examples"):
        return schema["examples"][0]
    kinds = schema.get("type", "object")
    kind = next((one for one in kinds if one != "null"), "null") if isinstance(kinds, list) else kinds
    return _plain(root, schema, kind, market, name, depth)


def _plain(root: dict, schema: dict, kind: str, market: str, name: str, depth: int):
    if kind == "object":
        fields = schema.get("properties", {})
        return {one: sample(root, fields.get(one, {"type": "string"}), market, one, depth + 1) for one in schema.get("required", [])}
    if kind == "array":
        return [sample(root, schema.get("items", {"type": "string"}), market, name, depth + 1) for _ in range(schema.get("minItems", 0))]
    if kind == "boolean":
        return False
    if kind in ("integer", "number"):
        return KNOWN[name] if name in ("latitude", "longitude") else max(schema.get("minimum", 1), min(1, schema.get("maximum", 1)))
    return _text(schema, name)


def _text(schema: dict, name: str) -> str:
    formats = {
        "uuid": str(uuid.uuid4()), "date": "2030-01-31", "date-time": "2030-01-31T12:00:00Z", "uri": "https://example.com/x",
        "email": KNOWN["email"],
    }
    if schema.get("format") in formats:
        return formats[schema["format"]]
    text = str(KNOWN.get(name, "words of a test"))
    pattern = schema.get("pattern")
    for candidate in (text, "EUR", "pm_1", "cvctok_1", "monthly", "12:00", "2030-01-31", "abc", "1"):
        if pattern is None or re.search(pattern, candidate):
            text = candidate
            break
    text = text.ljust(schema.get("minLength", 0), "x")
    return text[: schema["maxLength"]] if "maxLength" in schema else text
