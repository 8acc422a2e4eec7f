"""Providers that quote a recipient in every answer, asked by the adapters that speak to them (C-73)."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from click.testing import CliRunner

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import EXPOSED, listening
from tests.entrypoints.gossips import gossip, gossiping_mail_server, gossiping_smsc
from tests.entrypoints.marks import DIGITS, files_of, mailbox, marks_in, phone
from tests.fakes.hashers import FakePasswordHasher
from watchword.adapters.log_lines import RENDERERS, logging_to
from watchword.adapters.meters import Meters
from watchword.entrypoints.cli.__main__ import main
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.request_outcomes import access_line, measured, watching
from watchword.entrypoints.settings import Settings
from watchword.testing import FaultyHttp

STORES = ("sqlite",)
# The last digit of a number says how the provider answers.
ENDINGS = range(1, 8)
# What the export tells of providers that refuse, fail and stay silent.
HAPPENED = ("infobip_17", "whatsapp_190", "smtp_550", "smpp_0x45", "provider_timeout")


def accounts(web: str, mail: int, smsc: int) -> list[tuple[str, str, Mapping[str, Any]]]:
    """Return channels, providers and settings of every kind, with providers on this machine."""
    described = {
        "method": "POST",
        "url": f"{web}/send",
        "body": {"to": "{{destination}}", "text": "{{text}}"},
        "accepted": {"idPath": "sid"},
        "rejected": {"codePath": "code", "messagePath": "message"},
    }
    twilio = {"preset": "twilio", "accountSid": "AC" + "0" * 32, "authToken": "t", "baseUrl": web}
    vonage = {"preset": "vonage", "apiKey": "abcd1234", "apiSecret": "s", "baseUrl": web}
    kannel = {"preset": "kannel", "url": f"{web}/cgi-bin/sendsms", "username": "ann"}
    meta = {"phoneNumberId": "106540352242922", "accessToken": "t", "appSecret": "s"}
    server = {"host": "127.0.0.1", "port": mail, "tls": "none", "from": "codes@acme.example"}
    return [
        ("sms", "http", described),
        ("sms", "http", twilio),
        ("sms", "http", {"preset": "infobip", "apiKey": "k", "baseUrl": web}),
        ("sms", "http", vonage),
        ("sms", "http", {**kannel, "password": "p"}),
        ("sms", "smpp", {"host": "127.0.0.1", "port": smsc, "systemId": "ann", "password": "p"}),
        ("email", "smtp", server),
        ("whatsapp", "whatsapp_cloud", {**meta, "verifyToken": "v", "baseUrl": web}),
    ]


async def send_codes(
    caller: Caller, channel: str, provider: str, config: Mapping[str, Any]
) -> None:
    """Send a code to each ending by one channel account, and test this with an operator's phone."""
    entry = await caller.channel(channel, dict(config), provider)
    named = {"providerTemplateRef": "login", "languageCode": "en"} if channel == "whatsapp" else {}
    tea = await caller.with_template({**entry, **named})
    to = mailbox if channel == "email" else phone
    await asyncio.gather(*(tea.create(to(ending)) for ending in ENDINGS))
    tests = f"/channel-accounts/{entry['channelAccountId']}/test"
    await caller.operate("POST", tests, {"to": to(2)})


async def test_no_quotation_of_a_number_is_found(
    settings: Settings, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Not in the store's files, a log at the level of debugging, a metric or a masked history."""
    settings = evolve(settings, provider_timeout=1.0, public_url="https://pins.example.com")
    meters, as_json, as_text = Meters(), io.StringIO(), io.StringIO()
    around = [watching([measured(meters), access_line])]
    with (
        logging_to(as_json, "debug", RENDERERS["json"]),
        logging_to(as_text, "debug", RENDERERS["text"]),
    ):
        async with (
            FaultyHttp(gossip) as web,
            gossiping_mail_server() as mail,
            gossiping_smsc() as smsc,
            wired(settings, meters=meters, password_hasher=FakePasswordHasher()) as service,
            listening(service, EXPOSED, around) as caller,
        ):
            every = accounts(web.url, mail, smsc)
            await asyncio.gather(*(send_codes(caller, *each) for each in every))
            shown = [
                (await caller.operate("GET", path)).body
                for path in ("/events?limit=1000&mask=true", "/channel-accounts", "/health")
            ]
            files = files_of(tmp_path)
            masked = await asyncio.to_thread(exported, settings, "--mask")
            opened = await asyncio.to_thread(exported, settings)
    places = {
        **files,
        "shown": b"\n".join(shown),
        "masked": masked.encode(),
        "metrics": meters.exposition(),
        "JSON log": as_json.getvalue().encode(),
        "text log": as_text.getvalue().encode(),
        "stdout and stderr": "".join(capfd.readouterr()).encode(),
    }

    assert [] == [each for each in HAPPENED if each not in masked]
    # Not all quotations are removed from the providers' words: who has the code key reads them.
    assert f'\\"to\\":\\"49{DIGITS}' in opened
    assert {} == marks_in(places)


def exported(settings: Settings, *options: str) -> str:
    """Return the events of the store, as the command exports them."""
    place = ["--store", settings.store, "--data-dir", str(settings.data_dir)]
    said = CliRunner().invoke(main, ["audit", "export", *options, *map(str, place)])
    assert 0 == said.exit_code, said.output[:2_000]
    return said.stdout
