"""
The image of `deploy/`, built by Debian's `buildah` on a base of Debian's packages, and run without an engine.

The tests do by hand what an engine adds: namespaces, a read-only root, a user, and no capabilities.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from attrs import field, frozen

from tests.deploy.deployed import DEPLOY, ROOT

_BASE, _IMAGE = "localhost/debian", "localhost/watchword"
_CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
_PATIENCE = 60
# The mounts of a container, and then its process in the place of this shell.
_SCRIPT = """
set -e
root=$1; data=$2; secrets=$3; shift 3
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for each in null zero random urandom; do
    : > "$root/dev/$each"
    mount --bind "/dev/$each" "$root/dev/$each"
done
mkdir "$root/dev/shm"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
mount --bind "$data" "$root/var/lib/watchword"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mkdir "$root/run/secrets"
[ -z "$secrets" ] || mount --bind "$secrets" "$root/run/secrets"
mount -o remount,bind,ro "$root"
cd /
exec chroot "$root" "$@"
"""


@frozen
class Image:
    """A built image: its files, and what it says of how it is run."""

    root: Path
    config: Mapping[str, Any]

    @property
    def variables(self) -> dict[str, str]:
        """The variables that every process of the image has."""
        return dict(each.split("=", 1) for each in self.config["Env"])

    @property
    def uid(self) -> int:
        """The user that the image names, by its number."""
        return int(str(self.config["User"]).partition(":")[0])


@frozen
class Container:
    """A running process of an image."""

    image: Image
    process: subprocess.Popen[str] = field(repr=False)
    variables: Mapping[str, str] = field(repr=False)

    @property
    def pid(self) -> int:
        """The number of its first process, on this machine."""
        # `unshare`, whose only child is the first process of the namespaces.
        parent = self.process.pid
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        return int(children[0])

    def said(self, words: str) -> str:
        """Return the line of its output that has these words; fails when it ends before."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if words in line:
                return line
        raise AssertionError(f"It ended before it said {words!r}.")

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command beside it, with its user, root and variables, as `docker exec` does."""
        inside = ["nsenter", "--target", str(self.pid), "--mount", "--pid", "--root", "--wd", "--"]
        return subprocess.run(
            [*inside, *_as_user(self.image.uid, self.variables), *command],
            capture_output=True,
            text=True,
            timeout=_PATIENCE,
            check=False,
        )

    def stop(self) -> int:
        """Send SIGTERM to its first process, and return its exit code."""
        os.kill(self.pid, signal.SIGTERM)
        return self.process.wait(_PATIENCE)


@contextmanager
def built() -> Iterator[Image]:
    """Make a base, build the image on it, and yield it; all layers are gone afterwards."""
    folder = Path(mkdtemp(prefix="watchword-image-"))
    calls = ("buildah", "--root", str(folder / "store"), "--runroot", str(folder / "run"))
    environment = {**os.environ, "BUILDAH_ISOLATION": "chroot"}

    def buildah(*arguments: str) -> str:
        done = subprocess.run(
            [*calls, *arguments],
            capture_output=True,
            text=True,
            env=environment,
            cwd=ROOT,
            check=False,
        )
        assert 0 == done.returncode, done.stdout[-2000:] + done.stderr[-2000:]
        return done.stdout.strip()

    try:
        packages = ("--variant=minbase", "--include=ca-certificates")
        base = str(folder / "base.tar")
        made = subprocess.run(
            ["mmdebstrap", *packages, _release(), base],  # noqa: S607  Debian's, wherever it is
            capture_output=True,
            text=True,
            check=False,
        )
        assert 0 == made.returncode, made.stderr[-2000:]
        scratch = buildah("from", "scratch")
        buildah("add", "-q", scratch, base, "/")
        # A machine may reach the registry of packages under a certificate of its own.
        buildah("add", "-q", scratch, str(_CERTIFICATES), "/etc/ssl/of-this-machine.crt")
        buildah("config", "--env", "PIP_CERT=/etc/ssl/of-this-machine.crt", scratch)
        buildah("commit", "-q", "--rm", scratch, _BASE)
        Path(base).unlink()
        recipe = ("--format=docker", "-q", "-f", str(DEPLOY / "Dockerfile"), "-t", _IMAGE, ".")
        buildah("bud", f"--build-arg=BASE={_BASE}", *recipe)
        mounted = buildah("mount", buildah("from", "--pull-never", _IMAGE))
        said = json.loads(buildah("inspect", "--type", "image", _IMAGE))
        yield Image(Path(mounted), said["Docker"]["config"])
    finally:
        buildah("rm", "--all")
        subprocess.run(["umount", "--quiet", folder / "store" / "overlay"], check=False)  # noqa: S607  util-linux's
        shutil.rmtree(folder)


def make_secrets(image: Image, folder: Path) -> str:
    """Run the script that makes the secrets, as compose's `keys` does; return its output."""
    script = 'mount --bind /dev "$1/dev"; mount --bind "$2" "$1/mnt"; chroot "$1" sh -s /mnt "$3"'
    done = subprocess.run(
        [*("unshare", "--mount", "sh", "-ec", script, "sh"), image.root, folder, "a.example"],
        input=(DEPLOY / "secrets.sh").read_text(),
        env=image.variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert 0 == done.returncode, done.stderr
    return done.stdout


@contextmanager
def running(
    image: Image,
    data: Path,
    *command: str,
    secrets: Path | None = None,
    user: int | None = None,
    **variables: str,
) -> Iterator[Container]:
    """Run a command of an image until the end of the block, as an engine would with a read-only root."""
    inside = {**image.variables, **variables}
    mounts = [str(image.root), str(data), "" if secrets is None else str(secrets)]
    spaces = ("--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child=SIGKILL")
    process = subprocess.Popen(
        [
            *("unshare", *spaces, "sh", "-c", _SCRIPT, "sh", *mounts),
            *_as_user(image.uid if user is None else user, inside),
            *command,
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield Container(image, process, inside)
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def until_healthy(container: Container) -> None:
    """Wait until the image's own check of its health succeeds."""
    give_up = time.monotonic() + _PATIENCE
    while healthy(container).returncode:
        assert container.process.poll() is None, shlex.join(container.process.args)  # type: ignore[arg-type]
        assert time.monotonic() < give_up
        time.sleep(0.1)


def healthy(container: Container) -> subprocess.CompletedProcess[str]:
    """Run the image's check of its health."""
    kind, *check = container.image.config["Healthcheck"]["Test"]
    assert "CMD" == kind
    return container.run(*check)


def _as_user(uid: int, variables: Mapping[str, str]) -> Sequence[str]:
    """Return what gives up all rights but those of a user; the words of its command follow."""
    sets = ("--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all", "--no-new-privs")
    given = [f"{name}={value}" for name, value in variables.items()]
    return (
        *("setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", *sets),
        *("env", "-i", *given),
    )


def _release() -> str:
    """Return the release of Debian that the Dockerfile is based on."""
    (line,) = (
        each
        for each in (DEPLOY / "Dockerfile").read_text().splitlines()
        if each.startswith("ARG BASE=")
    )
    return line.rsplit(":", 1)[1].removesuffix("-slim")
