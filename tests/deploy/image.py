"""The image: built, and run with a read-only root by a user without rights; `.ci/image` runs this as root."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from tests.deploy.containers import (
    Image,
    built,
    healthy,
    make_secrets,
    running,
    until_healthy,
)
from tests.deploy.deployed import DEPLOY
from tests.deploy.nginx_proxy import free_ports
from tests.deploy.own_postgres import postgres
from tests.deploy.test_compose import NODE

_UID = 10001


@pytest.fixture(scope="module")
def image() -> Iterator[Image]:
    """Yield the image, which takes a minute or two to build."""
    with built() as made:
        yield made


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a volume as Docker makes it: with the owner and mode that the image's folder has."""
    folder = tmp_path / "volume"
    folder.mkdir(mode=0o700)
    os.chown(folder, _UID, _UID)
    return folder


def ask(port: int, method: str, path: str, key: str, body: Any = None) -> tuple[int, Any]:
    """Send one request; return the answer's status and data."""
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    try:
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read() or b"null")
    finally:
        connection.close()


def a_code(port: int, key: str, template: str, path: str, token: str) -> list[int]:
    """Issue a code of a sandbox and verify it; return the statuses."""
    made, pin = ask(
        port, "POST", "/v1/pins", key, {"destination": "+919812345610", "templateId": template}
    )
    _, outbox = ask(port, "GET", path, token)
    (code,) = re.findall(r"code is (\d+)", json.dumps(outbox))[-1:]
    verified, _ = ask(port, "POST", f"/v1/pins/{pin['pinId']}/verify", key, {"pin": code})
    return [made, verified]


def test_the_image_says_how_it_is_run(image: Image) -> None:
    """A user by number, a check of its health, a volume, the signal that drains."""
    assert "10001:10001" == image.config["User"]
    assert ["watchword"] == image.config["Entrypoint"]
    assert ["serve"] == image.config["Cmd"]
    assert {"/var/lib/watchword": {}} == image.config["Volumes"]
    assert "SIGTERM" == image.config["StopSignal"]
    assert "CMD" == image.config["Healthcheck"]["Test"][0]


def test_the_last_stage_has_nothing_that_builds(image: Image) -> None:
    """No pip, no compiler, no header, no list of packages; nothing of the service is its user's own."""
    names = ("pip", "pip3", "gcc", "cc", "make", "git", "hatchling")
    found = [
        str(each)
        for folder in ("usr/bin", "usr/local/bin", "opt/watchword/bin")
        for each in (image.root / folder).glob("*")
        if each.name in names
    ]
    owned = [each for each in (image.root / "opt/watchword").rglob("*") if each.lstat().st_uid]
    secrets = [*image.root.rglob("*.key"), *image.root.rglob("requirements*.lock")]

    assert [] == found
    assert [] == [*(image.root / "opt/watchword").rglob("pip"), *owned, *secrets]
    assert [] == [*(image.root / "var/lib/apt/lists").glob("*_Packages*")]
    assert not (image.root / "checkout").exists()


def test_the_packages_are_those_of_the_locks(image: Image, data: Path) -> None:
    """Each in the version that PostgreSQL's and OpenTelemetry's locks name, and the service beside them."""
    program = (
        "from importlib.metadata import distributions as all\n"
        "print('have', *(f'{d.name.lower()}=={d.version}' for d in all()))"
    )
    with running(image, data, "python", "-c", program) as listing:
        have = set(listing.said("have").split()[1:])
    locks = "".join(
        (DEPLOY.parent / f"requirements-{each}.lock").read_text() for each in ("postgres", "otel")
    )
    pinned = {each.lower() for each in re.findall(r"^([\w.-]+==[\w.]+)", locks, re.MULTILINE)}
    ours = {each for each in have if each.startswith("watchword==")}

    assert 1 == len(ours)
    assert set() == {each.replace("_", "-") for each in have - ours} - {
        each.replace("_", "-") for each in pinned
    }


def test_it_serves_with_a_read_only_root_and_no_rights(image: Image, data: Path) -> None:
    """A code is sent and verified; all that is written is in the volume; SIGTERM ends it in order."""
    (port,) = free_ports(1)
    with running(
        image,
        data,
        "watchword",
        "serve",
        "--sandbox",
        "--host",
        "127.0.0.1",
        WATCHWORD_PORT=f"{port}",
    ) as container:
        container.said("The console is at")
        until_healthy(container)
        statuses = a_code(
            port, "sandbox-key", "tpl_demo", "/admin/v1/sandbox/outbox", "sandbox-admin"
        )
        rights = Path(f"/proc/{container.pid}/status").read_text()
        refused = container.run("touch", "/opt/watchword/x")
        code = container.stop()

    assert [201, 200] == statuses
    assert "Read-only file system" in refused.stderr
    assert re.search(rf"^Uid:\s+{_UID}\s+{_UID}\s+{_UID}\s+{_UID}$", rights, re.MULTILINE)
    assert {"0000000000000000"} == set(re.findall(r"^Cap\w+:\s+(\w+)$", rights, re.MULTILINE))
    assert re.search(r"^NoNewPrivs:\s+1$", rights, re.MULTILINE)
    assert 0 == code
    assert {"watchword.db", "code.key"} <= {each.name for each in data.iterdir()}


def test_the_check_of_health_fails_where_nothing_listens(image: Image, data: Path) -> None:
    """It fails in time, and says why, so that a platform can act on it."""
    (port,) = free_ports(1)
    other = ("sh", "-c", "echo started; exec sleep 60")
    with running(image, data, *other, WATCHWORD_PORT=f"{port}") as container:
        container.said("started")
        check = healthy(container)

    assert 0 != check.returncode
    assert "refused" in check.stderr


def test_it_serves_with_the_secrets_and_variables_of_compose(
    image: Image, data: Path, tmp_path: Path
) -> None:
    """On a PostgreSQL that wants the role's password: the script's secrets open both."""
    secrets = tmp_path / "secrets"
    secrets.mkdir()
    made = make_secrets(image, secrets)
    again = make_secrets(image, secrets)
    # Docker mounts the files alone, into a folder that everybody may enter.
    secrets.chmod(0o755)
    public, admin, metrics = free_ports(3)
    with postgres((secrets / "role.sql").read_text()) as database:
        variables = {
            **NODE["environment"],
            "WATCHWORD_STORE": f"postgresql://watchword@127.0.0.1:{database.port}/watchword",
            "WATCHWORD_PUBLIC_URL": "http://127.0.0.1:8080",
            "WATCHWORD_CONSOLE_URL": "http://127.0.0.1:8081",
            "WATCHWORD_HOST": "127.0.0.1",
            "WATCHWORD_PORT": f"{public}",
        }
        command = [
            {"8081": f"{admin}", "9090": f"{metrics}"}.get(each, each) for each in NODE["command"]
        ]
        with running(image, data, "watchword", *command, secrets=secrets, **variables) as container:
            container.said("Watchword serves")
            until_healthy(container)
            token = (secrets / "admin.token").read_text().strip()
            there = ask(admin, "GET", "/admin/v1/accounts", token)[0]
            hidden = ask(public, "GET", "/admin/v1/accounts", token)[0]
            ready = ask(public, "GET", "/health/ready", token)[0]
            added = container.run("watchword", "accounts", "create", "acme")
            code = container.stop()

    assert (8, "") == (made.count("Made "), again)
    assert [200, 404, 200] == [there, hidden, ready]
    assert (0, 0) == (added.returncode, code), added.stderr
