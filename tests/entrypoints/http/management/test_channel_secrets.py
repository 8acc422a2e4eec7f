"""The secrets of channel accounts: sealed on every store, rotated, and found nowhere (C-63, D-197)."""

from __future__ import annotations

import asyncio
import base64
import io
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from attrs import evolve
from click.testing import CliRunner
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from yarl import URL

from tests.entrypoints.caller import Caller
from tests.entrypoints.canaries import contents, places_with
from tests.entrypoints.conftest import EVERY_STORE, EXPOSED, listening
from tests.entrypoints.messaging.sends import SMS
from tests.fakes.providers import ScriptedProvider
from watchword.adapters.keyring import KeyringError
from watchword.adapters.log_lines import RENDERERS, logging_to
from watchword.adapters.meters import Meters
from watchword.application.ports.channels import Accepted, Message, Setting
from watchword.application.rewrapping_keys import RewrappingKeys
from watchword.entrypoints.cli.__main__ import main
from watchword.entrypoints.composition.bootstrap import restoring, wired
from watchword.entrypoints.request_outcomes import access_line, measured, watching
from watchword.entrypoints.settings import Settings
from watchword.entrypoints.tracing import Tracing
from watchword.entrypoints.worker import run_due
from watchword.testing import FaultyHttp, HttpAnswer

CANARIES = 500
KEYS = {version: base64.b64encode(bytes([version]) * 32).decode() for version in (1, 2)}
OLD, NEW = f"1:{KEYS[1]}", f"2:{KEYS[2]}"
CONFIG = {"url": "https://gateway.example", "auth": {"username": "ann", "password": "open sesame"}}
MASKED = {"url": "https://gateway.example", "auth": {"username": "ann", "password": "***"}}


class Gateway(ScriptedProvider):
    """Notes the configs of its sends, and fails with the config in the text of its error if told to."""

    settings = (Setting(name="url", secret=False), Setting(name="auth.username", secret=False))

    def __init__(self) -> None:
        super().__init__()
        self.given: list[Mapping[str, Any]] = []

    async def send(self, config: Mapping[str, Any], message: Message) -> Accepted:
        """Accept the message, unless its sender is that of a failing account."""
        self.given.append(config)
        if config.get("fails"):
            raise RuntimeError(f"cannot send with {config}")
        return Accepted(f"gateway-{len(self.given)}")


async def create(caller: Caller, sender: str, config: Mapping[str, Any]) -> dict[str, Any]:
    """Create a channel account for a sender, and return the answer."""
    body = {"channelType": "sms", "provider": "gateway", "name": "gateway", "sender": sender}
    made: dict[str, Any] = await caller.operated(
        "POST", "/channel-accounts", {**body, "config": config}
    )
    return made


@pytest.mark.stores(*EVERY_STORE)
async def test_secrets_outlive_a_restart_and_a_rotation(settings: Settings) -> None:
    """Answers show masks, the provider gets the secrets, and the old key can go after a rotation."""
    gateway = Gateway()
    memory = settings.store == "memory://"
    async with (
        wired(evolve(settings, code_key=OLD), providers={"gateway": gateway}) as service,
        listening(service) as caller,
    ):
        made = await create(caller, "GATEWAY", CONFIG)
        listed = (await caller.operated("GET", "/channel-accounts"))["data"][0]
        await caller.sent(sms=[{**SMS, "sender": "GATEWAY"}])

        assert [MASKED, MASKED] == [made["config"], listed["config"]]
        assert 0 == (await service.reading_log.check()).total
    if not memory:
        with pytest.raises(KeyringError, match="channel accounts or fallbacks need version 1"):
            async with wired(evolve(settings, code_key=NEW)):
                pass
        for code_key in (f"{NEW},{OLD}", NEW):
            async with (
                wired(
                    evolve(settings, code_key=code_key), providers={"gateway": gateway}
                ) as service,
                listening(service) as caller,
            ):
                await caller.sent(sms=[{**SMS, "sender": "GATEWAY"}])
                await run_due(
                    [each for each in service.due_work if isinstance(each, RewrappingKeys)]
                )

                assert 0 == (await service.reading_log.check()).total

    assert [CONFIG] * (1 if memory else 3) == gateway.given


@pytest.mark.stores("sqlite", "postgresql")
async def test_a_lost_code_key_costs_the_secrets_alone(settings: Settings) -> None:
    """`watchword restored --drop-channel-secrets` lets a new key start; sends say what to do (D-199)."""
    gateway = Gateway()
    async with (
        wired(evolve(settings, code_key=OLD), providers={"gateway": gateway}) as service,
        listening(service) as caller,
    ):
        made = await create(caller, "GATEWAY", CONFIG)
    async with restoring(settings, erase_people=True) as ending:
        first = await ending.restored(end_runs=True, drop_channel_secrets=True)
        again = await ending.restored(end_runs=True, drop_channel_secrets=True)
    async with (
        wired(evolve(settings, code_key=NEW), providers={"gateway": gateway}) as service,
        listening(service) as caller,
    ):
        (sent,) = (await caller.sent(sms=[{**SMS, "sender": "GATEWAY"}]))["data"]
        await caller.operated("PATCH", f"/channel-accounts/{made['id']}", {"config": CONFIG})
        await caller.sent(sms=[{**SMS, "sender": "GATEWAY"}])

        assert (1, 0) == (first.channel_accounts, again.channel_accounts)
        assert ("rejected", "channel_secret_missing") == (sent["status"], sent["errorCode"])
        assert [
            "ChannelAccountCreated",
            "ChannelSecretsDropped",
            "ChannelAccountRevised",
        ] == await caller.story(made["id"])
        assert [CONFIG] == gateway.given
        assert 0 == (await service.reading_log.check()).total


@pytest.mark.stores("sqlite", "postgresql")
async def test_lost_secrets_are_given_anew_by_an_update(settings: Settings) -> None:
    """The file that created the account suffices: a new token of callbacks is made, and told (D-260)."""
    body = {"channelType": "sms", "provider": "http", "name": "own", "sender": "GATEWAY"}
    receipt = {"idPath": "id", "statusPath": "s", "statuses": {"d": "delivered"}}
    async with FaultyHttp(HttpAnswer.json({"id": "7"})) as web:
        config = {
            "method": "POST",
            "url": f"{web.url}/send",
            "auth": {"bearer": "open sesame"},
            "body": "text={{text}}",
            "accepted": {"idPath": "id"},
            "receipt": receipt,
        }
        async with wired(evolve(settings, code_key=OLD)) as service, listening(service) as caller:
            made = await caller.operated("POST", "/channel-accounts", {**body, "config": config})
        async with restoring(settings, erase_people=True) as ending:
            await ending.restored(end_runs=True, drop_channel_secrets=True)
        again = {**config, "auth": {"bearer": "close sesame"}}
        async with wired(evolve(settings, code_key=NEW)) as service, listening(service) as caller:
            path = f"/channel-accounts/{made['id']}"
            partly = await caller.operate("PATCH", path, {"config": {"receipt": receipt}})
            updated = await caller.operated("PATCH", path, {"config": again})
            (sent,) = (await caller.sent(sms=[{**SMS, "sender": "GATEWAY"}]))["data"]

    assert ["config.auth.bearer"] == partly.wrong
    assert "***" == updated["config"]["auth"]["bearer"]
    assert "***" == updated["config"]["receipt"]["signature"]["secret"]
    (old,), (new,) = (
        parse_qs(URL(each["callbackUrl"]).query_string)["t"] for each in (made, updated)
    )
    assert len(old) == len(new)
    assert old != new
    assert "accepted" == sent["status"]
    assert ["Bearer close sesame"] == [each.headers["authorization"] for each in web.requests]


async def test_a_mask_is_refused_by_its_path(settings: Settings) -> None:
    """A config that was copied from an answer is 400, and is not created with `***` as its password."""
    async with (
        wired(settings, providers={"gateway": Gateway()}) as service,
        listening(service) as caller,
    ):
        body = {"channelType": "sms", "provider": "gateway", "name": "copy", "config": MASKED}
        reply = await caller.operate("POST", "/channel-accounts", body)

    assert (400, ["config.auth.password"]) == (reply.status, reply.wrong)


@pytest.mark.stores("sqlite")
async def test_five_hundred_secrets_are_found_nowhere(
    settings: Settings, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """
    No secret is in the file, its WAL, an answer, an export, a list, a metric, a span, a log or a `repr`.

    Each account sends one message; every tenth provider fails, with the whole config in its error.
    """
    canaries = [secrets.token_urlsafe(24) for _ in range(CANARIES)]
    settings = evolve(
        settings, store=f"sqlite:///{tmp_path / 'store' / 'store.db'}", writer_process=True
    )
    gateway, meters, spans = Gateway(), Meters(), InMemorySpanExporter()
    tracer_provider = TracerProvider()
    tracer_provider.add_span_processor(SimpleSpanProcessor(spans))
    tracing = Tracing(tracer_provider.get_tracer("watchword"))
    around = [tracing.middleware(), watching([measured(meters), access_line])]
    log, answers, shown = io.StringIO(), [], []
    with logging_to(log, "debug", RENDERERS["json"]):
        async with (
            wired(
                settings, providers={"gateway": gateway}, meters=meters, tracing=tracing
            ) as service,
            listening(service, EXPOSED, around) as caller,
        ):
            for number, canary in enumerate(canaries):
                auth = {"username": "ann", "password": canary}
                config = {**CONFIG, "auth": auth, "fails": number % 10 == 0}
                answers.append(repr(await create(caller, f"S{number}", config)).encode())
            entries = [{**SMS, "sender": f"S{number}"} for number in range(CANARIES)]
            answers.append((await caller.send(sms=entries)).body)
            for page in range(1, 7):
                listing = f"/channel-accounts?pageSize=100&page={page}"
                answers.append((await caller.operate("GET", listing)).body)
            answers.append((await caller.operate("GET", "/events?limit=1000")).body)
            shown += [f"{each!r}{each.event!r}" for each in await service.store.read_log(0, 2000)]
            shown.append(repr(service.channel_secrets))
            files = contents(tmp_path / "store")
        printed = await asyncio.to_thread(commands, settings)
    places = {
        **files,
        "answers": b"\n".join(answers),
        "export and list": printed,
        "metrics": meters.exposition(),
        "spans": "".join(span.to_json() for span in spans.get_finished_spans()).encode(),
        "log": log.getvalue().encode(),
        "repr": "".join(shown).encode(),
        "stdout and stderr": "".join(capfd.readouterr()).encode(),
    }

    assert sorted(canaries) == sorted(each["auth"]["password"] for each in gateway.given)
    assert {"store.db", "store.db-wal"} <= places.keys()
    assert b"dispatch_unknown" in places["log"]
    assert CANARIES == places["export and list"].count(b'"ChannelAccountCreated"') - 4
    assert {} == places_with(canaries, places)


def commands(settings: Settings) -> bytes:
    """Print the log, and the channel accounts, as operators do."""
    asked = (["audit", "export"], ["channel-accounts", "list", "--json"])
    runs = [
        CliRunner().invoke(
            main, [*each, "--data-dir", str(settings.data_dir), "--store", str(settings.store)]
        )
        for each in asked
    ]
    assert [0, 0] == [run.exit_code for run in runs], runs
    return b"".join(run.stdout_bytes for run in runs)
