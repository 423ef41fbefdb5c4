"""What an image has to be, whatever is in it."""

from images import Image

# Debian's own, which come with every image of it. The containers run with no-new-privileges, under which none of them has an effect.
SET_ID = {
    "usr/bin/chage", "usr/bin/chfn", "usr/bin/chsh", "usr/bin/expiry", "usr/bin/gpasswd", "usr/bin/mount", "usr/bin/newgrp",
    "usr/bin/passwd", "usr/bin/su", "usr/bin/umount", "usr/sbin/unix_chkpwd", "usr/sbin/pam_extrausers_chkpwd",
}
# The reverse proxy may bind ports below 1024.
CAPABLE = {"usr/bin/caddy", "usr/local/bin/caddy"}

# Of whoever broke in: to fetch, to compile, to look at other processes. An image has those of them that it works with.
TOOLS = {
    "as", "c++", "cc", "clang", "curl", "ftp", "g++", "gcc", "gdb", "git", "ld", "make", "nc", "ncat", "netcat", "nmap", "npm", "pip",
    "pip3", "python3", "rsync", "scp", "sftp", "socat", "ssh", "strace", "swift", "tcpdump", "telnet", "tftp", "wget",
}
NEEDED = {
    # Asks the broker for its management's HTTP interface, as deploy/rabbitmq/users does.
    "setup": {"curl"},
    # Its backup keeps the broker's definitions.
    "postgres": {"curl"},
}
# These begin as root and become their own user, or bind port 80: docker-compose.yml gives them the capabilities for that, and no others.
BEGIN_AS_ROOT = {"postgres", "rabbitmq", "web"}


def set_id(image: Image) -> list[str]:
    found = [f"/{path}" for path, file in image.files.items() if not file.is_folder and file.mode & 0o6000 and path not in SET_ID]
    return sorted(found + [f"/{path} (capability)" for path, file in image.files.items() if file.has_capability and path not in CAPABLE])


def world_writable(image: Image) -> list[str]:
    """Folders with the sticky bit, such as /tmp, let everybody write and nobody take another's file away."""
    return sorted(
        f"/{path}" for path, file in image.files.items() if file.mode & 0o002 and not (file.is_folder and file.mode & 0o1000))


def tools(image: Image, kind: str) -> list[str]:
    folders = {"bin", "usr/bin", "usr/local/bin", "sbin", "usr/sbin"}
    split = (path.rpartition("/") for path, file in image.files.items() if not file.is_folder)
    found = {name for folder, _, name in split if folder in folders and name in TOOLS}
    return sorted(found - NEEDED.get(kind, set()))


def root(image: Image, kind: str, user: str | None) -> list[str]:
    """`user` is what docker-compose.yml says instead of the image."""
    name = (user or image.config.get("User") or "root").partition(":")[0]
    return [f"runs as {name}"] if name in ("root", "0") and kind not in BEGIN_AS_ROOT else []
