"""Q7: what `scripts/scan-images` looks for in an image is found, where each of it is and nowhere else."""

import io
import json
import sys
import tarfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "deploy/scan"))

import rules
from images import Image, read_archive
from kept_secret import Finder, of_deployment
from wanted import VARIABLE, Wanted

KEY = b"-----BEGIN EC PRIVATE KEY-----\n" + b"A1b2C3d4" * 8 + b"\n-----END EC PRIVATE KEY-----\n"
PASSWORD = "Nothing-of-this-is-used-12"


def tar(members: list[tuple[str, int, bytes | str | None]]) -> bytes:
    """Files with their content, links with where they lead, folders with nothing."""
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        for name, mode, content in members:
            entry = tarfile.TarInfo(name)
            entry.mode = mode
            if content is None:
                entry.type = tarfile.DIRTYPE
            elif isinstance(content, str):
                entry.type, entry.linkname = tarfile.SYMTYPE, content
            else:
                entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content) if isinstance(content, bytes) else None)
    return target.getvalue()


def image(tmp_path: Path, *layers: list, config: dict | None = None, history: tuple[str, ...] = ()) -> Image:
    """An image as `docker save` writes it."""
    identities = [f"sha256:{at}" for at in range(len(layers))]
    document = {"config": config or {}, "rootfs": {"diff_ids": identities}, "history": [{"created_by": step} for step in history]}
    names = [f"{at}/layer.tar" for at in range(len(layers))]
    members = [("one.json", 0o644, json.dumps(document).encode())]
    members += [(name, 0o644, tar(layer)) for name, layer in zip(names, layers)]
    members.append(("manifest.json", 0o644, json.dumps([{"Config": "one.json", "Layers": names}]).encode()))
    path = tmp_path / "images.tar"
    path.write_bytes(tar(members))
    return read_archive(str(path), Finder({"A_PASSWORD of a file": PASSWORD.encode()}).in_file)[0]


def test_an_image_without_faults_has_none(tmp_path):
    found = image(tmp_path, [
        ("tmp", 0o1777, None), ("usr/bin/su", 0o4755, b"program"), ("bin/sh", 0o777, "dash"),
        ("usr/lib/x/libssl.so.3", 0o755, b"-----BEGIN RSA PRIVATE KEY-----\0"), ("usr/lib/x/libgnutls.so.30", 0o755, KEY),
    ])
    assert rules.set_id(found) + rules.world_writable(found) + rules.tools(found, "dispatch") + found.secrets == []
    assert Finder({}).in_settings(["PATH=/usr/bin", "SERAI_TOKENS_KEYS_FILE=/keys/public/jwks.json"], ["RUN apt-get update"]) == []


def test_what_a_layer_takes_away_is_not_there_and_its_secret_still_is(tmp_path):
    below = [
        ("usr/bin/gcc", 0o755, b"program"), ("opt/all", 0o755, None), ("opt/all/open", 0o666, b"x"), ("srv/key.pem", 0o600, KEY), ("srv/text", 0o644, PASSWORD.encode()),
    ]
    above = [("usr/bin/.wh.gcc", 0o644, b""), ("opt/all/.wh..wh..opq", 0o644, b""), ("srv/.wh.key.pem", 0o644, b""), ("srv/text", 0o644, b"")]
    assert rules.tools(image(tmp_path, below), "dispatch") == ["gcc"]
    assert rules.world_writable(image(tmp_path, below)) == ["/opt/all/open"]
    found = image(tmp_path, below, above)
    assert rules.tools(found, "dispatch") + rules.world_writable(found) == []
    assert found.secrets == ["a private key in /srv/key.pem", "A_PASSWORD of a file in /srv/text"]


@pytest.mark.parametrize("mode", [0o4755, 0o2755])
def test_a_program_that_takes_rights_is_found(tmp_path, mode):
    assert rules.set_id(image(tmp_path, [("usr/local/bin/service", mode, b"program")])) == ["/usr/local/bin/service"]


def test_a_folder_that_everybody_may_write_is_found(tmp_path):
    assert rules.world_writable(image(tmp_path, [("srv/open", 0o777, None)])) == ["/srv/open"]


@pytest.mark.parametrize(("kind", "in_image", "in_compose", "found"), [
    ("dispatch", None, None, ["runs as root"]), ("dispatch", "0:0", None, ["runs as 0"]), ("dispatch", "serai", "root", ["runs as root"]),
    ("dispatch", "serai", None, []), ("dispatch", None, "10001", []), ("web", None, None, []),
])
def test_root_is_found(tmp_path, kind, in_image, in_compose, found):
    assert rules.root(image(tmp_path, [], config={"User": in_image} if in_image else {}), kind, in_compose) == found


def test_secrets_in_variables_and_in_steps_are_found_and_not_told():
    finder = Finder({"A_PASSWORD of a file": PASSWORD.encode()})
    found = finder.in_settings(["SERAI_DATABASE_PASSWORD=short", "PATH=/usr/bin"], [f"|1 X=1 RUN login {PASSWORD}", "ARG GITHUB_TOKEN=abc"])
    assert found == ["A_PASSWORD of a file in the history", "GITHUB_TOKEN in the history", "SERAI_DATABASE_PASSWORD in the environment"]


def test_a_deployments_secrets_are_those_of_its_files(tmp_path):
    (tmp_path / "dispatch.env").write_text(f"# A_SECRET=not-of-a-comment\nSERAI_DATABASE_PASSWORD={PASSWORD}\nSERAI_HTTP_HOST=0.0.0.0-and-more\n")
    assert of_deployment(tmp_path) == {"SERAI_DATABASE_PASSWORD of dispatch.env": PASSWORD.encode()}


def test_an_images_kind_is_its_last_name():
    for name in ("serai/rabbitmq:latest", "rabbitmq:4.3.6-management@sha256:00", "localhost:5000/serai/rabbitmq"):
        assert Wanted(name, False, []).kind == "rabbitmq"


def test_a_compose_variable_has_its_default():
    assert VARIABLE.sub(lambda match: {"SET": "x"}.get(match[1]) or match[2] or "", "${SET:-a}/${UNSET:-b:c}/${NONE}") == "x/b:c/"
