"""`watchword channel-accounts webhook`, against running services (D-282)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from typing import Any
from uuid import uuid4

import pytest

from tests.entrypoints.cli.conftest import Run
from tests.entrypoints.conftest import Serving
from watchword.testing import FaultyHttp, HttpAnswer

STORES = ("memory",)
PUBLIC = "https://pins.example.com"
CONFIG = {
    "phoneNumberId": "106540352242922",
    "accessToken": "EAAJB-orchid",
    "appSecret": "f4a1-app-secret",
    "verifyToken": "v3rify-me",
}


@pytest.fixture
async def public(serving: Serving) -> AsyncIterator[str]:
    """Yield the local address of a sandbox that the world knows under another one."""
    async with serving(public_url=PUBLIC) as caller:
        yield str(caller.endpoint.make_url("")).rstrip("/")


def made(run: Run, *options: str, config: Mapping[str, Any]) -> str:
    """Make a channel account; return its name."""
    name = f"desk {uuid4().hex[:8]}"
    words = ("--account", "demo", *options, "--name", name, "--config", "-")
    created = run("channel-accounts", "create", *words, given=json.dumps(config))
    assert 0 == created.exit_code, created.output
    return name


async def test_the_address_is_set_at_meta(connected: Run, public: str) -> None:
    """The lines say what Meta posts to it, and what it does not."""
    async with FaultyHttp(HttpAnswer.json({"success": True})) as meta:
        config = {**CONFIG, "baseUrl": f"http://127.0.0.1:{meta.port}"}
        options = ("--type", "whatsapp", "--provider", "whatsapp_cloud")
        name = await asyncio.to_thread(made, connected, *options, "--url", public, config=config)
        words = ("channel-accounts", "webhook", name, "--url", public)
        done = await asyncio.to_thread(connected, *words)
        (asked,) = meta.requests
    lines = done.stdout.splitlines()
    override = json.loads(asked.body)["webhook_configuration"]

    assert 0 == done.exit_code, done.output
    assert f"callback  {override['override_callback_uri']}" == lines[0]
    assert override["override_callback_uri"].startswith(f"{PUBLIC}/callbacks/cha_")
    assert "webhook   set at the provider" == lines[1]
    assert any("message_template_status_update" in each for each in lines[2:])
    assert CONFIG["verifyToken"] not in done.output


async def test_a_refusal_is_the_exit_code_1(connected: Run, public: str) -> None:
    """Meta's number and what to do about it are in the line."""
    refusal = {"error": {"code": 190, "message": "Malformed access token EAAJB-orchid"}}
    async with FaultyHttp(HttpAnswer.json(refusal, status=401)) as meta:
        config = {**CONFIG, "baseUrl": f"http://127.0.0.1:{meta.port}"}
        options = ("--type", "whatsapp", "--provider", "whatsapp_cloud")
        name = await asyncio.to_thread(made, connected, *options, "--url", public, config=config)
        words = ("channel-accounts", "webhook", name, "--url", public)
        done = await asyncio.to_thread(connected, *words)

    assert 1 == done.exit_code
    assert "webhook   refused: whatsapp_190: Meta refused (error 190)." in done.stdout
    assert CONFIG["accessToken"] not in done.output


async def test_steps_are_printed_with_their_numbers(connected: Run, public: str) -> None:
    """People enter the address themselves at all other providers."""
    config = {"preset": "twilio", "accountSid": f"AC{'0' * 32}", "authToken": "of the tea house"}
    options = ("--type", "sms", "--provider", "http", "--url", public)
    name = await asyncio.to_thread(made, connected, *options, config=config)
    done = await asyncio.to_thread(connected, "channel-accounts", "webhook", name, "--url", public)
    lines = done.stdout.splitlines()

    assert 0 == done.exit_code, done.output
    assert "webhook   see the steps" == lines[1]
    assert ["  1.", "  2."] == [each[:4] for each in lines[2:]]


async def test_the_answer_as_json(connected: Run, public: str) -> None:
    """It is the documented one."""
    options = ("--type", "sms", "--provider", "sandbox", "--url", public)
    name = await asyncio.to_thread(made, connected, *options, config={})
    words = ("channel-accounts", "webhook", name, "--url", public, "--json")
    done = await asyncio.to_thread(connected, *words)
    answer = json.loads(done.stdout)

    assert {"callbackUrl", "status", "steps"} == answer.keys()
    assert "manual" == answer["status"]


def test_without_a_public_url_the_refusal_says_what_to_do(connected: Run) -> None:
    """Nobody out there could call the service."""
    name = made(connected, "--type", "sms", "--provider", "sandbox", config={})
    done = connected("channel-accounts", "webhook", name)

    assert 1 == done.exit_code
    assert "--public-url" in done.stderr
