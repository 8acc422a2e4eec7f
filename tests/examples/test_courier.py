"""The example package of a channel: built, installed, tested by its own tests, and served (C-72)."""

from __future__ import annotations

import asyncio
import hmac
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.entrypoints.cli.processes import Served, environment, served
from tests.log_keys import LOG_KEY
from watchword.testing import FaultyHttp, HttpAnswer

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "courier"
ADMIN = "t" * 32
SECRETS = {
    "WATCHWORD_CODE_KEY": "1:" + "a" * 44,
    "WATCHWORD_LOG_KEY": LOG_KEY,
    "WATCHWORD_ADMIN_TOKEN": ADMIN,
}
MOST_LINES = 120


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the package to a place where nothing of this repository is near."""
    place = tmp_path_factory.mktemp("source") / "courier"
    shutil.copytree(EXAMPLE, place, ignore=shutil.ignore_patterns("__pycache__"))
    return place


@pytest.fixture(scope="module")
def site(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build and install the package as pip does, without a network."""
    site = tmp_path_factory.mktemp("site")
    offline = ("--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check")
    install = [sys.executable, "-m", "pip", "install", "--quiet", *offline]
    done = subprocess.run(
        [*install, "--target", str(site), str(source)], capture_output=True, text=True, check=False
    )
    assert 0 == done.returncode, done.stderr
    return site


def test_its_module_is_short() -> None:
    """A channel fits into one file of 120 lines."""
    assert len((EXAMPLE / "watchword_courier.py").read_text().splitlines()) <= MOST_LINES


def test_its_own_tests_pass(source: Path, site: Path) -> None:
    """The installed package keeps the contract, in a folder of its own."""
    done = subprocess.run(
        # -P keeps the working directory off the path, so that the installed module is tested.
        [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", "."],
        cwd=source,
        env=environment(PYTHONPATH=str(site), PYTHONDONTWRITEBYTECODE="1"),
        capture_output=True,
        text=True,
        check=False,
    )
    passed = re.search(r"(\d+) passed", done.stdout)

    assert 0 == done.returncode, done.stdout
    assert passed is not None
    assert 30 <= int(passed[1])


async def test_it_is_served(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, postgres_url: str
) -> None:
    """Two workers load it; a code goes out through it, is verified, and its receipt is recorded."""
    monkeypatch.syspath_prepend(site)
    async with FaultyHttp(HttpAnswer.json({"id": "courier-1"}, 202)) as gateway:
        more = ("--workers", "2", "--store", postgres_url)
        with served(tmp_path, *more, PYTHONPATH=str(site), **SECRETS) as running:
            told = await asyncio.to_thread(_a_code_by_courier, running, gateway)

    assert 1 == len(gateway.requests)
    assert "Bearer tea" == gateway.requests[0].headers["authorization"]
    assert {"verified": "VERIFIED", "receipt": "delivered"} == told


def _a_code_by_courier(running: Served, gateway: FaultyHttp) -> dict[str, Any]:
    """Send a code by a channel account of the plugin; return what became of the code and its message."""
    config = {"url": gateway.url, "token": "tea", "signingKey": "milk"}
    listed = _asked(running, "GET", "/admin/v1/providers", ADMIN)["data"]
    (shown,) = [each for each in listed if each["name"] == "courier"]
    assert ["sms"] == shown["channels"]
    assert ["url", "token", "signingKey"] == [each["name"] for each in shown["settings"]]
    _made(running, "accounts", name="shop")
    channel = _made(
        running,
        "channel-accounts",
        account="shop",
        channelType="sms",
        provider="courier",
        name="main",
        config=config,
    )
    template = _made(
        running,
        "pin-templates",
        account="shop",
        name="login",
        channels=[{"channelType": "sms"}],
    )
    key = _made(running, "api-keys", account="shop", name="back end", scopes=["pins"])["key"]
    pin = _asked(
        running, "POST", "/v1/pins", key, destination="+919812345610", templateId=template["id"]
    )
    text = gateway.requests[0].json()["text"]
    code = re.findall(r"\d+", text)[0]
    verified = _asked(running, "POST", f"/v1/pins/{pin['pinId']}/verify", key, pin=code)
    event = {"id": "courier-1", "state": "delivered", "at": "2031-05-04T12:00:00Z"}
    body = {"events": [event]}
    signature = hmac.digest(b"milk", json.dumps(body).encode(), "sha256").hex()
    status, _ = running.ask(
        "POST",
        f"/callbacks/{channel['id']}",
        body,
        key=None,
        **{"X-Courier-Signature": signature},
    )
    assert 200 == status
    found = _asked(running, "GET", f"/v1/pins/{pin['pinId']}", key)
    return {
        "verified": verified["status"],
        "receipt": found["channels"][0]["receipt"]["status"],
    }


def _made(running: Served, records: str, **body: Any) -> Any:
    return _asked(running, "POST", f"/admin/v1/{records}", ADMIN, **body)


def _asked(running: Served, method: str, path: str, key: str, **body: Any) -> Any:
    status, answer = running.ask(method, path, body or None, key)
    assert status in (200, 201), answer
    return answer
