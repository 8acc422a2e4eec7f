"""What the TypeScript client is made of; `make clients-node` compiles and tries it."""

from __future__ import annotations

import json
import re
from inspect import signature
from math import prod
from pathlib import Path

import pytest

from tools.clients.typescript import MODULES, PAGE, ROOT, SOURCES, operations
from watchword.client import AsyncClient
from watchword.domain.errors import camel
from watchword.entrypoints.client.retrying import Pace
from watchword.entrypoints.http.openapi_document import OPENAPI
from watchword.entrypoints.http.statuses import STATUSES

LOCKS = sorted(ROOT.glob("tools/*/package-lock.json"))


def test_each_operation_says_what_it_needs() -> None:
    """Credentials come in the header of the area, and calls that can send take a key (C-10, section 5)."""
    document = json.loads(OPENAPI.read_text())
    table = {
        name: json.loads(entry)
        for name, entry in re.findall(
            r'^  "(.+?)": (\{.*\}),$', "\n".join(operations(document)), re.M
        )
    }
    reads = {"takesKey": False, "harmless": True}
    admin = {"credential": "adminToken", "header": "Authorization", "scheme": "Bearer "}

    assert sum(map(len, document["paths"].values())) == len(table)
    assert {
        "takesKey": True,
        "harmless": False,
        "credential": "apiKey",
        "required": True,
        "header": "Authorization",
        "scheme": "Bearer ",
    } == table["POST /v1/pins"]
    assert {
        "takesKey": False,
        "harmless": True,
        "credential": "apiKey",
        "required": True,
        "header": "apikey",
        "scheme": "",
    } == table["GET /history"]
    assert {**reads, **admin, "required": False} == table["GET /sandbox/outbox"]
    assert {**reads, **admin, "required": True} == table["GET /admin/v1/accounts"]
    assert reads == table["GET /health/live"]
    assert {
        "POST /v1/pins",
        "POST /v1/pins/{pinId}/resend",
        "POST /oapi/send_sms",
        "POST /send_sms",
    } == {name for name, needs in table.items() if needs["takesKey"]}
    harmless = {name for name, needs in table.items() if needs["harmless"]}
    assert {"POST /status", "POST /templates/fetch", "DELETE /opt/in/wa"} <= harmless
    assert not {"POST /v1/pins/{pinId}/verify", "POST /wa/templates"} & harmless


def test_both_clients_have_the_same_options() -> None:
    """What both can be told has one name, as each language spells it, and one default (D-538)."""
    # Each language has its own way to the network; an administrator's calls are in one client alone.
    of_python = {"sslContext", "transport", "newKey"}
    of_node = {"fetch", "adminToken", "legacyToken"}
    python = {camel(name): each.default for name, each in signature(AsyncClient).parameters.items()}
    sources = [(SOURCES / "src" / f"{each}.ts").read_text() for each in ("index", "repeating")]
    interfaces = "".join(re.findall(r"interface \w*Options.*?\n}", "".join(sources), re.DOTALL))
    node = set(re.findall(r"^  (\w+)\??:", interfaces, re.MULTILINE))
    (given,) = re.findall(r"const \{(.*?)\} = options;", sources[1], re.DOTALL)
    defaults = {
        name: prod(int(each) for each in factors.split(" * "))
        for name, factors in re.findall(r"(\w+) = ([\d_]+(?: \* [\d_]+)*),", given)
    }

    assert set(python) - of_python == node - of_node
    assert {
        "timeout": python["timeout"] * 1000,
        "attemptTimeout": python["attemptTimeout"] * 1000,
        "attempts": python["attempts"],
        "maxAnswerBytes": python["maxAnswerBytes"],
    } == defaults


def test_both_clients_pause_for_as_long() -> None:
    """Their first and their longest pause are the same (D-538)."""
    source = (SOURCES / "src" / "repeating.ts").read_text()
    pauses = dict(re.findall(r"const (\w+_PAUSE) = ([\d_]+);", source))
    pace = Pace(timeout=1, attempt_timeout=1, attempts=1)

    assert {
        "FIRST_PAUSE": pace.first_pause * 1000,
        "LONGEST_PAUSE": pace.longest_pause * 1000,
    } == {name: int(each) for name, each in pauses.items()}


def test_the_client_knows_codes_that_exist() -> None:
    """It goes by codes of the service alone, and its page names each that is tried again."""
    source = (SOURCES / "src" / "repeating.ts").read_text()
    listed = re.findall(r"new Set\(\[(.*?)\]\)", source, re.DOTALL)[0]
    compared = re.findall(r"refused\.code === \"(\w+)\"", source)
    again = {*re.findall(r'"(\w+)"', listed), *compared}

    assert listed
    assert {"rate_limited", "idempotency_in_progress", "unavailable", "request_timeout"} == again
    assert again <= set(STATUSES)
    assert again <= set(re.findall(r"`(\w+)`", PAGE.read_text()))


def test_the_page_installs_the_file_that_is_packed() -> None:
    """The name of the file follows from the package; the target that packs it is in the Makefile."""
    package = json.loads((SOURCES / "package.json").read_text())
    make, install = re.findall(r"```sh\n(.*)\n(.*)\n```", PAGE.read_text())[0]

    packed = f"{package['name']}-{package['version']}.tgz"
    assert f"npm install ./build/typescript/{packed}" == install
    assert f"\n{make.removeprefix('make ')}: " in (ROOT / "Makefile").read_text()


def test_the_package_asks_for_what_it_is_tried_with() -> None:
    """Its one dependency has the version of the lock."""
    package = json.loads((SOURCES / "package.json").read_text())
    locked = json.loads((MODULES.parent / "package-lock.json").read_text())["packages"]

    assert {"openapi-fetch"} == set(package["dependencies"])
    for name, version in package["dependencies"].items():
        assert version == locked[f"node_modules/{name}"]["version"]


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.parent.name)
def test_locks_name_no_registry(lock: Path) -> None:
    """They pin each package by its digest, and whoever installs chooses where it comes from."""
    packages = json.loads(lock.read_text())["packages"]

    assert all("integrity" in each for name, each in packages.items() if name)
    assert not any("resolved" in each for each in packages.values())
