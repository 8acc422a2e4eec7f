"""The image, the compose file and its secrets, as far as they can be checked without building anything."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.deploy.deployed import DEPLOY, ROOT, SCRAPING, read_yaml
from tests.entrypoints.cli.test_help import command_of
from watchword.entrypoints.settings import DEFAULT_DRAIN_TIMEOUT, DEFAULT_PROVIDER_TIMEOUT
from watchword.testing import FaultyHttp, HttpAnswer

COMPOSE: dict[str, Any] = read_yaml(DEPLOY / "compose.yaml")
NODE: dict[str, Any] = COMPOSE["services"]["node"]
DOCKERFILE = (DEPLOY / "Dockerfile").read_text()
SERVE = command_of("serve")


def mounted() -> Iterator[Path]:
    """Yield the files of the checkout that services get."""
    for service in COMPOSE["services"].values():
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            if source.startswith("./"):
                yield (DEPLOY / source).resolve()


def test_nothing_listens_beyond_this_machine() -> None:
    """Every published port is bound to loopback: a proxy in front is a choice of the operator's."""
    ports = [each for service in COMPOSE["services"].values() for each in service.get("ports", ())]

    assert len(ports) == 4
    assert [] == [each for each in ports if not each.startswith("127.0.0.1:")]
    assert COMPOSE["networks"]["database"] == {"internal": True}
    assert [["default", "database"], ["database"]] == [
        COMPOSE["services"][each]["networks"] for each in ("node", "postgres")
    ]


def test_options_and_variables_of_the_service_exist() -> None:
    """Each is one of `watchword serve`, or of libpq."""
    flags = {flag for each in SERVE.params for flag in each.opts}
    variables = {each.envvar for each in SERVE.params}
    given = {*NODE["environment"], *re.findall(r"\b(WATCHWORD_\w+)=", DOCKERFILE)}

    assert {word for word in NODE["command"] if word.startswith("--")} <= flags
    assert given - {"PGPASSFILE"} <= variables
    assert "serve" == NODE["command"][0]


def test_the_service_can_do_little_to_its_machine() -> None:
    """It has a read-only root, no capability, and no way to a new one; it runs as a number."""
    assert NODE["read_only"] is True
    assert ["ALL"] == NODE["cap_drop"]
    assert ["no-new-privileges:true"] == NODE["security_opt"]
    assert re.findall(r"^USER (.*)$", DOCKERFILE, re.MULTILINE) == ["10001:10001"]
    assert "--stop-timeout 60" in (ROOT / "docs" / "how-to" / "install.md").read_text()
    assert int(NODE["stop_grace_period"].removesuffix("s")) > (
        DEFAULT_DRAIN_TIMEOUT + DEFAULT_PROVIDER_TIMEOUT + 5
    )


def test_each_secret_is_made_and_mounted() -> None:
    """The script makes each file that is mounted, and no value of a variable is one."""
    made = set(
        re.findall(r"^.*\bkeep ([\w.]+) ", (DEPLOY / "secrets.sh").read_text(), re.MULTILINE)
    )
    secrets = {Path(each["file"]).name for each in COMPOSE["secrets"].values()}
    used = {name for each in COMPOSE["services"].values() for name in each.get("secrets", ())}
    named = {
        value.removeprefix("/run/secrets/")
        for each in COMPOSE["services"].values()
        for value in each.get("environment", {}).values()
        if value.startswith("/run/secrets/")
    }

    assert {*secrets, "role.sql"} == made
    assert used == secrets == named
    assert "/deploy/secrets/" in (ROOT / ".gitignore").read_text().splitlines()


def test_a_secret_is_made_whole_or_not_at_all(tmp_path: Path) -> None:
    """A program that fails leaves no empty file, which a second run would keep."""
    programs, folder = tmp_path / "bin", tmp_path / "secrets"
    folder.mkdir()
    programs.mkdir()
    for name, status in (("watchword", 1), ("chown", 0)):
        (programs / name).write_text(f"#!/bin/sh\nexit {status}\n")
        (programs / name).chmod(0o755)
    done = subprocess.run(
        ["/bin/sh", DEPLOY / "secrets.sh", folder, "a.example"],
        env={"PATH": f"{programs}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert 1 == done.returncode
    assert f"No {folder}/log.key was made." in done.stderr
    assert {"code.key", "receipt.key"} == {each.name for each in folder.iterdir()}


def test_what_is_mounted_is_there() -> None:
    """Docker would make an empty folder of a name that is misspelt."""
    files = [each for each in mounted() if "secrets" not in each.parts[-2:]]
    files = [each for each in files if each.parent.name != "secrets"]

    assert len(files) >= 4
    assert [] == [each for each in files if not each.exists()]


def test_prometheus_scrapes_the_service() -> None:
    """The target is the name of the service, on its port of metrics."""
    (job,) = read_yaml(SCRAPING)["scrape_configs"]
    ((target,),) = (each["targets"] for each in job["static_configs"])
    port = NODE["command"][NODE["command"].index("--metrics-port") + 1]

    assert f"node:{port}" == target


@pytest.mark.parametrize("service", ["node", "postgres"])
def test_health_decides_about_the_start_alone(service: str) -> None:
    """Compose waits for the store; the image asks whether the process lives (D-567)."""
    assert "healthcheck" in COMPOSE["services"][service]
    assert "/health/ready" in " ".join(NODE["healthcheck"]["test"])
    assert "/health/live" in DOCKERFILE
    assert {"postgres": {"condition": "service_healthy"}} == NODE["depends_on"]


async def test_no_proxy_is_asked_for_the_health() -> None:
    """Docker gives containers the proxies of its own settings, and a container's loopback is its own."""
    (line,) = re.findall(r"^HEALTHCHECK .*\\\n    CMD (.*)$", DOCKERFILE, re.MULTILINE)
    for _, *words in (json.loads(line), NODE["healthcheck"]["test"][1:]):
        async with FaultyHttp(HttpAnswer.text("ok")) as web:
            port = web.url.rpartition(":")[2]
            check = await asyncio.create_subprocess_exec(
                sys.executable,
                *(word.replace(":8080/", f":{port}/") for word in words),
                env={"WATCHWORD_PORT": port, "http_proxy": "http://127.0.0.1:9"},
            )
            assert 0 == await check.wait()


def test_an_image_is_built_from_what_a_wheel_takes() -> None:
    """Modules that the wheel gets are not left out of the image, and no secret or test gets into it."""
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    wanted = set(wheel["targets"]["wheel"]["only-include"])
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    let_in = {each.removeprefix("!") for each in lines if each.startswith("!")}
    locks = set(re.findall(r"requirements[\w-]*\.lock", DOCKERFILE))

    assert "*" == lines[1]
    modules = {each for each in wanted if each.endswith(".py")}
    assert (wanted - modules) | locks | {"LICENSE", "pyproject.toml", "*.py"} == let_in


def test_every_package_of_the_image_has_a_hash() -> None:
    """Each `pip install` takes hashes, or the wheel that was just built."""
    calls = re.findall(r"pip(?: --python \S+)? install ([^&]*)", DOCKERFILE)

    assert 3 == len(calls)
    assert [] == [
        each for each in calls if "--require-hashes" not in each and "--no-index" not in each
    ]


def test_images_are_named_without_a_host() -> None:
    """Which registry they come from is the operator's choice, and no file of the repository names one."""
    images = [each["image"] for each in COMPOSE["services"].values()]
    images += re.findall(r"^ARG BASE=(.*)$", DOCKERFILE, re.MULTILINE)
    pages = [*DEPLOY.rglob("*"), *(ROOT / "docs").rglob("*.md"), *Path(__file__).parent.glob("*.*")]
    # Put together, so that this file passes.
    hosts = [f"{name}.io" for name in ("docker", "ghcr", "quay", "gcr")]

    assert 6 == len(images)
    assert [] == [each for each in images if re.search(r"[.:].*/", each)]
    assert [] == [
        (each.name, host)
        for each in pages
        if each.is_file() and each.suffix != ".png"
        for host in hosts
        if f"{host}/" in each.read_text()
    ]
