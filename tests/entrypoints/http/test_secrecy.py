"""A code is on the recipient's phone and nowhere else (C-31, R8)."""

from __future__ import annotations

import asyncio
import base64
import io
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession, TCPConnector
from aiohttp.test_utils import TestServer
from attrs import field, frozen
from click.testing import CliRunner
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import watchword
from tests.entrypoints.caller import Caller, Reply, code_in
from tests.entrypoints.canaries import contents, places_with
from tests.entrypoints.conftest import Serving
from tests.fakes.hashers import FailingHasher
from tests.fakes.providers import (
    BlabbingProvider,
    HesitantProvider,
    QuotingProvider,
    ScriptedProvider,
)
from watchword.adapters.hashing import PasslibCodeHasher
from watchword.adapters.keyring import Keyring
from watchword.adapters.log_lines import RENDERERS, logging_to
from watchword.adapters.meters import Meters
from watchword.domain.errors import DomainError
from watchword.entrypoints.cli.__main__ import main
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.http.app import Exposure, build_app
from watchword.entrypoints.request_outcomes import access_line, measured, watching
from watchword.entrypoints.settings import Settings
from watchword.entrypoints.tracing import Tracing

CANARIES = 500
LIVES = 60
ADMIN_TOKEN = "admin-canary-7J4KQ2M9"
CODE_KEY = f"1:{base64.b64encode(b'a code key that is thirty-two by').decode()}"
WRONG = "2222222222"
ALPHANUMERIC: Mapping[str, Any] = {"pinType": "alphanumeric", "pinLength": 10}
UNLIMITED = {"sendPinPerPhoneNumberLimit": "1000/1d", "verifyPinLimit": "1000/1s"}
LIMITS = {**ALPHANUMERIC, **UNLIMITED, "resendCooldown": "0s", "pinAttempts": 50}


@frozen
class Phones:
    """Providers of every kind: accepting, failing, quoting, silent."""

    kind: ScriptedProvider = field(factory=ScriptedProvider)
    blabbing: BlabbingProvider = field(factory=BlabbingProvider)
    quoting: QuotingProvider = field(factory=QuotingProvider)
    silent: HesitantProvider = field(factory=HesitantProvider)

    def providers(self) -> dict[str, ScriptedProvider]:
        """Return them by their names."""
        return {
            "kind": self.kind,
            "blabbing": self.blabbing,
            "quoting": self.quoting,
            "silent": self.silent,
        }

    def codes(self) -> set[str]:
        """Return every code that any of them was handed."""
        return {
            code_in(message.text)
            for provider in self.providers().values()
            for message in provider.messages
        }

    def newest(self, destination: str) -> str:
        """Return the code that a recipient got last."""
        sent = [each for each in self.kind.messages if each.destination == destination]
        return code_in(sent[-1].text)


@frozen
class Watched:
    """A service with all its observers: its caller, and the places where a secret could be."""

    caller: Caller
    phones: Phones
    hasher: FailingHasher
    answers: list[bytes] = field(factory=list)

    def note(self, reply: Reply) -> Reply:
        """Keep an answer, headers and all, to be searched."""
        self.answers.append(repr(reply.headers).encode() + reply.body)
        return reply

    async def operate(self, path: str) -> None:
        """Look something up as the operator, and keep the answer."""
        admin = self.caller.using(ADMIN_TOKEN)
        self.note(await admin.ask("GET", f"/admin/v1{path}"))


async def test_five_hundred_canaries_are_found_nowhere(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """
    No code is in the file, its log, an answer, a listing, a metric, a span, or what DEBUG logs.

    Codes of ten characters go through create, resend, right and wrong guesses and replays, and meet
    providers that quote them, fail with them, or never answer, and a hasher that fails with them.
    Neither the API key, the admin token nor the code key is in any of these places either.
    """
    settings = Settings(
        sandbox=True,
        store=f"sqlite:///{tmp_path / 'store' / 'store.db'}",
        data_dir=tmp_path,
        code_key=CODE_KEY,
        provider_timeout=0.2,
        writer_process=True,
    )
    phones, hasher, meters = (
        Phones(),
        FailingHasher(PasslibCodeHasher(Keyring.parse(CODE_KEY))),
        Meters(),
    )
    spans = InMemorySpanExporter()
    tracer_provider = TracerProvider()
    tracer_provider.add_span_processor(SimpleSpanProcessor(spans))
    tracing = Tracing(tracer_provider.get_tracer("watchword"))
    as_json, as_text = io.StringIO(), io.StringIO()
    with (
        logging_to(as_json, "debug", RENDERERS["json"]),
        logging_to(as_text, "debug", RENDERERS["text"]),
    ):
        async with wired(
            settings, providers=phones.providers(), hasher=hasher, meters=meters, tracing=tracing
        ) as service:
            around = [tracing.middleware(), watching([measured(meters), access_line])]
            app = build_app(service, Exposure(admin_token=ADMIN_TOKEN), around)
            async with (
                TestServer(app) as server,
                ClientSession(connector=TCPConnector(limit=0)) as session,
            ):
                watched = Watched(Caller(session, server), phones, hasher)
                key, pins = await lead_lives(watched)
                files = contents(tmp_path / "store")
            replays = await asyncio.to_thread(replayed, settings, pins)
    codes = phones.codes() | set(hasher.given) - {WRONG}
    places = {
        **files,
        "answers": b"\n".join(watched.answers),
        "replays": replays,
        "metrics": meters.exposition(),
        "spans": "".join(span.to_json() for span in spans.get_finished_spans()).encode(),
        "JSON log": as_json.getvalue().encode(),
        "text log": as_text.getvalue().encode(),
        "stdout and stderr": "".join(capfd.readouterr()).encode(),
    }

    assert CANARIES <= len(codes)
    assert {"store.db", "store.db-wal", "store.db-shm"} <= places.keys()
    assert all(word in places["answers"] for word in (b"PinVerified", b"internal_error", b"502"))
    assert all(word in places["JSON log"] for word in (b"dispatch_rejected", b"request_failed"))
    assert all(b"PinIssued" in places[name] for name in ("replays", "spans"))
    assert {} == places_with({*codes, key, ADMIN_TOKEN, *key_texts()}, places)


def key_texts() -> set[str]:
    """Return the code key as it was given, and its bytes."""
    text = CODE_KEY.removeprefix("1:")
    return {text, base64.b64decode(text).decode()}


async def lead_lives(watched: Watched) -> tuple[str, list[str]]:
    """Lead many PINs through their lives at once; return their key and their ids."""
    admin = watched.caller.using(ADMIN_TOKEN)

    async def made(path: str, body: dict[str, Any]) -> dict[str, Any]:
        reply = await admin.ask("POST", f"/admin/v1{path}", body)
        assert 201 == reply.status, reply.body
        record: dict[str, Any] = reply.json
        return record

    async def template(**providers: str) -> str:
        channels = []
        for channel, provider in providers.items():
            account = {"name": provider, "channelType": channel, "provider": provider, "config": {}}
            made_account = await made("/channel-accounts", account)
            channels.append({"channelType": channel, "channelAccountId": made_account["id"]})
        return str(
            (await made("/pin-templates", {"name": "tea", "channels": channels, **LIMITS}))["id"]
        )

    key: str = (await made("/api-keys", {"name": "canary"}))["key"]
    tea = watched.caller.using(key).under(
        await template(sms="kind", email="blabbing", whatsapp="quoting")
    )
    quiet = tea.under(await template(sms="silent"))
    lives = [life_of_a_pin(watched, tea, f"+9198{number:08}") for number in range(LIVES)]
    pins = await asyncio.gather(*lives)
    for reply in await asyncio.gather(
        *(quiet.create(f"+9197{n:08}", once=f"q{n}") for n in range(9))
    ):
        assert b"provider_timeout" in watched.note(reply).body
    watched.hasher.failing = True
    for attempt in (tea.create("+919812345611"), tea.verify(pins[0], WRONG), tea.resend(pins[0])):
        watched.note(await attempt)
    watched.note(await tea.verify(pins[1], watched.phones.newest("+919800000001")))
    watched.hasher.failing = False
    for path in ("/events?limit=1000", f"/streams/{pins[0]}/events", "/verifications?pageSize=100"):
        await watched.operate(path)
    watched.note(await tea.using("ww_" + 43 * "x").templates())
    return key, pins


async def life_of_a_pin(watched: Watched, tea: Caller, destination: str) -> str:
    """Lead one PIN through its life: eight codes, of which three end on the phone."""
    note, create, phones = watched.note, tea.create, watched.phones
    # A failing send may have been sent, so its PIN is live until a later one is (C-68).
    for _ in range(2):
        note(await create(destination, channels=["email", "whatsapp"], once=f"r{destination}"))
    note(await create(f"{destination[1:]}@tea.example", channels=["email"]))
    note(await create(destination, channels=["whatsapp"]))
    pin_id: str = note(await create(destination, channels=["sms"], once=f"k{destination}")).json[
        "pinId"
    ]
    note(await create(destination, channels=["sms"], once=f"k{destination}"))
    note(await tea.resend(pin_id, channels=["whatsapp"]))
    note(await tea.resend(pin_id, channels=["email", "whatsapp"], once="s"))
    note(await tea.resend(pin_id, channels=["sms", "whatsapp"], once="t"))
    note(await tea.resend(pin_id, channels=["sms", "whatsapp"], once="t"))
    note(await tea.resend(pin_id, channels=["sms"]))
    note(await tea.verify(pin_id, WRONG))
    verified = note(await tea.verify(pin_id, phones.newest(destination)))
    assert 200 == verified.status, verified.body
    note(await tea.verify(pin_id, phones.newest(destination)))
    return pin_id


def replayed(settings: Settings, pins: list[str]) -> bytes:
    """Print some histories, as `watchword audit replay` does."""
    runs = [
        CliRunner().invoke(main, ["audit", "replay", pin, "--store", str(settings.store), *form])
        for pin in pins[:3]
        for form in ([], ["--json"])
    ]
    assert {0} == {run.exit_code for run in runs}, runs[0].output
    return b"".join(run.stdout_bytes for run in runs)


async def test_embedders_find_no_code_either(tmp_path: Path) -> None:
    """Results, refusals and logs of an embedder contain no code; only the provider gets it."""
    phones = Phones()
    told: list[str] = []
    log = io.StringIO()
    with logging_to(log, "debug", RENDERERS["json"]):
        async with watchword.open(
            f"sqlite:///{tmp_path / 'store.db'}", code_key=CODE_KEY, channels=phones.providers()
        ) as service:
            account = (await service.accounts.create("tea house")).id
            for channel, provider in (
                ("sms", "kind"),
                ("email", "blabbing"),
                ("whatsapp", "quoting"),
            ):
                await service.channel_accounts.create(account, channel, provider, provider)
            channels = [{"channel_type": each} for each in ("sms", "email", "whatsapp")]
            template = await service.pin_templates.create(
                account, "tea", channels, pin_type="alphanumeric", pin_length=10
            )
            for number in range(10):
                phone, mailbox = f"+91981234561{number}", f"ann{number}@tea.example"
                issued = await service.pins.issue(
                    account, template, phone, channels=["sms", "whatsapp"]
                )
                told.append(repr(issued))
                for failing in (
                    service.pins.issue(account, template, phone, channels=["whatsapp"]),
                    service.pins.issue(account, template, mailbox, channels=["email"]),
                    service.pins.verify(account, issued.pin_id, WRONG),
                ):
                    with pytest.raises(DomainError) as refusal:
                        await failing
                    told.append(f"{refusal.value!r} {refusal.value} {refusal.value.details}")
                told += [repr(each) for each in await service.events.list()]
            files = contents(tmp_path)
    places = {**files, "told": "".join(told).encode(), "log": log.getvalue().encode()}

    assert 20 <= len(phones.codes())
    assert {} == places_with(phones.codes(), places)


@pytest.mark.parametrize(
    "lying",
    [
        "qz5k7m2x9w",
        "QZ5K7M2X9W",
        "UVo1SzdNMlg5Vw",
        "515a354b374d32583957",
        "%51%5a%35%4b%37%4d%32%58",
    ],
)
def test_every_disguise_would_be_found(lying: str) -> None:
    """Plain in any case, base64, hex and URL-encoded: the search above is not blind."""
    assert ["place"] == list(places_with(["QZ5K7M2X9W"], {"place": f"..{lying}..".encode()}))


async def test_a_providers_error_is_told_by_its_kind_alone(serving: Serving) -> None:
    """An exception reads as rejected with provider_unknown; its text goes nowhere."""
    async with serving(providers={"blabbing": BlabbingProvider()}) as caller:
        tea = await caller.with_template(await caller.channel("sms", {}, "blabbing"))
        reply = await tea.create()

        assert [
            {
                "channel": "sms",
                "status": "rejected",
                "errorCode": "provider_unknown",
                "errorMessage": (
                    "The provider's adapter failed (RuntimeError); nobody knows what it sent."
                ),
            }
        ] == reply.error["details"]["channels"]


async def test_destinations_are_not_logged(
    serving: Serving, caplog: pytest.LogCaptureFixture
) -> None:
    """No log names a recipient in clear (C-32)."""
    caplog.set_level(logging.DEBUG)
    async with serving(providers={"blabbing": BlabbingProvider()}) as caller:
        tea = await caller.with_template(await caller.channel("sms", {}, "blabbing"))
        await tea.create("+919812345610")
        await caller.create("+919812345610", referenceId="table-of-Ann")

    assert "+9198******10" in caplog.text
    assert "9812345610" not in caplog.text
    assert "table-of-Ann" not in caplog.text
