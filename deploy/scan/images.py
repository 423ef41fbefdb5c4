"""What is in an image, read from what `docker save` writes. Nothing of the image runs."""

import json
import stat
import tarfile
from dataclasses import dataclass, field

# A file whose content is asked for, wherever the distribution has it.
READ = ("var/lib/dpkg/status", "usr/lib/os-release", "etc/os-release")


@dataclass
class File:
    mode: int
    is_folder: bool
    has_capability: bool


@dataclass
class Layer:
    """What one layer adds: its files, what it hides of those below, and where something secret stands."""

    files: dict[str, File] = field(default_factory=dict)
    hidden: list[str] = field(default_factory=list)
    emptied: list[str] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    secrets: list[str] = field(default_factory=list)


@dataclass
class Image:
    # The digest of its configuration, by which the engine names it.
    identity: str
    config: dict
    history: list[str]
    files: dict[str, File]
    texts: dict[str, str]
    secrets: list[str]

    @property
    def release(self) -> dict[str, str]:
        """What the distribution says of itself."""
        lines = (self.texts.get("usr/lib/os-release") or self.texts.get("etc/os-release") or "").splitlines()
        return {key: value.strip('"') for key, _, value in (line.partition("=") for line in lines if "=" in line)}


def clean(name: str) -> str:
    return name.removeprefix("./").strip("/")


def read_layer(archive: tarfile.TarFile, name: str, find_secrets) -> Layer:
    layer = Layer()
    # As a stream: it may be compressed, and is read once from its beginning to its end.
    with tarfile.open(fileobj=archive.extractfile(name), mode="r:*") as tar:
        for member in tar:
            path = clean(member.name)
            folder, _, last = path.rpartition("/")
            if last == ".wh..wh..opq":
                layer.emptied.append(folder)
            elif last.startswith(".wh."):
                layer.hidden.append(f"{folder}/{last[4:]}".strip("/"))
            elif path and not (member.issym() or member.isdev()):
                mode = member.mode
                if member.islnk():
                    target = layer.files.get(clean(member.linkname))
                    mode = target.mode if target else mode
                capability = "SCHILY.xattr.security.capability" in member.pax_headers
                layer.files[path] = File(stat.S_IMODE(mode), member.isdir(), capability)
                if member.isreg():
                    content = tar.extractfile(member).read()
                    if path in READ:
                        layer.texts[path] = content.decode(errors="replace")
                    layer.secrets += [f"{what} in /{path}" for what in find_secrets(path, content)]
            elif member.issym():
                # It takes the place of whatever was there.
                layer.hidden.append(path)
    return layer


def within(path: str) -> list[str]:
    """The folders that it is in, and itself."""
    parts = path.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]


def add(layer: Layer, files: dict[str, File], texts: dict[str, str]) -> None:
    """Lays a layer over what is below it."""
    hidden, emptied = set(layer.hidden), set(layer.emptied)
    for kept in (files, texts):
        for path in list(kept):
            *folders, itself = within(path)
            if not hidden.isdisjoint([*folders, itself]) or not emptied.isdisjoint(folders):
                del kept[path]
    files |= layer.files
    texts |= layer.texts


def read_archive(path: str, find_secrets) -> list[Image]:
    """The images of an archive. Layers that several of them have are read once."""
    layers: dict[str, Layer] = {}
    images = []
    with tarfile.open(path) as archive:
        for entry in json.load(archive.extractfile("manifest.json")):
            document = json.load(archive.extractfile(entry["Config"]))
            files, texts, secrets = {}, {}, []
            for digest, name in zip(document["rootfs"]["diff_ids"], entry["Layers"], strict=True):
                if digest not in layers:
                    layers[digest] = read_layer(archive, name, find_secrets)
                add(layers[digest], files, texts)
                secrets += layers[digest].secrets
            history = [step.get("created_by", "") for step in document.get("history", [])]
            identity = entry["Config"].rpartition("/")[2].removesuffix(".json")
            images.append(Image(identity, document.get("config") or {}, history, files, texts, secrets))
    return images
