"""Five hundred secrets of every kind of channel account, used in every way, are found nowhere (C-63)."""

from __future__ import annotations

import asyncio
import io
import json
import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve, field, frozen
from click.testing import CliRunner

from tests.adapters.channels.rcs_business.google import private_pem
from tests.entrypoints.caller import Caller
from tests.entrypoints.canaries import contents, places_with
from tests.entrypoints.conftest import EXPOSED, listening
from tests.entrypoints.gossips import (
    ACCEPTS,
    ACCESS_TOKEN,
    CUTS,
    FAILS,
    NAMES,
    NUMBER,
    REFUSES,
    SILENT,
    UNAUTHORIZED,
    gossip,
    gossiping_mail_server,
    gossiping_smsc,
)
from tests.entrypoints.messaging.sends import SMS
from tests.fakes.providers import ScriptedProvider
from watchword.adapters.log_lines import RENDERERS, logging_to
from watchword.adapters.meters import Meters
from watchword.application.ports.channels import Accepted, Message, Rejected, Setting, Unknown
from watchword.entrypoints.cli.__main__ import main
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.embedding.channel_accounts import ChannelAccounts
from watchword.entrypoints.embedding.leasing import Lease
from watchword.entrypoints.request_outcomes import access_line, measured, watching
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN, Settings
from watchword.testing import FaultyHttp

ALL_SECRETS = 500
OF_EACH_KIND = 8
ENDINGS = (ACCEPTS, REFUSES, UNAUTHORIZED, NAMES, FAILS, CUTS)

pytestmark = pytest.mark.stores("sqlite")


class Undeclared(ScriptedProvider):
    """A provider of an embedder that declares no secret, and has its config in every answer and error."""

    settings = (Setting(name="url", secret=False),)

    async def send(
        self, config: Mapping[str, Any], message: Message
    ) -> Accepted | Rejected | Unknown:
        """Answer as the destination says."""
        told = json.dumps(config)
        match message.destination[-1]:
            case "1":
                return Accepted(f"id-of-{message.reference}")
            case "2":
                return Rejected("bad_config", f"cannot send with {told}")
            case "3":
                await asyncio.Event().wait()
            case "4":
                return Unknown(message=f"unknown {told}")
            case "7":
                return Rejected(config["token"], told)
        raise RuntimeError(f"cannot send with {told}")


@frozen(kw_only=True)
class Kind:
    """A kind of channel account: its public settings, and the names of its secrets."""

    name: str
    provider: str
    public: Mapping[str, Any]
    secret: tuple[str, ...]
    channel: str = "sms"
    # SMPP has room for passwords of eight characters.
    longest: int = 32
    made: list[str] = field(factory=list)
    told: list[str] = field(factory=list)

    def config(self, canaries: Iterator[str]) -> Mapping[str, Any]:
        """Return a config with new secrets."""
        config: dict[str, Any] = json.loads(json.dumps(self.public))
        for path in self.secret:
            place, *names = config, *path.split(".")
            below: Any = config
            for each in names[:-1]:
                below = below.setdefault(each, {})
            below[names[-1]] = next(canaries)[: self.longest]
            self.told.append(below[names[-1]])
            assert place
        return config


def kinds(web: str, mail: int, smsc: int) -> list[Kind]:
    """Return every kind, with providers on this machine."""
    described = {
        "method": "POST",
        "url": f"{web}/send",
        "body": {"to": "{{destination}}", "text": "{{text}}", "callback": "{{callback_url}}"},
        "accepted": {"idPath": "sid"},
        "rejected": {"codePath": "code", "messagePath": "message"},
    }
    receipt = {"idPath": "id", "statusPath": "s", "statuses": {"d": "delivered"}}
    signature = {"kind": "hmac", "header": "X-Sign"}
    server = {"host": "127.0.0.1", "port": mail, "tls": "none", "from": "codes@acme.example"}
    return [
        Kind(
            name="headers",
            provider="http",
            public={**described, "receipt": {**receipt, "signature": signature}},
            secret=(
                *(f"headers.X-Key-{number}" for number in range(5)),
                "auth.bearer",
                "receipt.signature.secret",
            ),
        ),
        Kind(
            name="basic",
            provider="http",
            public={**described, "auth": {"basic": {"username": "ann"}}},
            secret=("auth.basic.password",),
        ),
        Kind(
            name="twilio",
            provider="http",
            public={"preset": "twilio", "accountSid": "AC" + "0" * 32, "baseUrl": web},
            secret=("authToken",),
        ),
        Kind(
            name="infobip",
            provider="http",
            public={"preset": "infobip", "baseUrl": web},
            secret=("apiKey", "callbackToken"),
        ),
        Kind(
            name="vonage",
            provider="http",
            public={"preset": "vonage", "apiKey": "abcd1234", "baseUrl": web},
            secret=("apiSecret", "signatureSecret", "callbackToken"),
        ),
        Kind(
            name="kannel",
            provider="http",
            public={"preset": "kannel", "url": f"{web}/cgi-bin/sendsms", "username": "ann"},
            secret=("password", "callbackToken"),
        ),
        Kind(
            name="mail",
            provider="smtp",
            public={**server, "username": "ann"},
            secret=("password",),
            channel="email",
        ),
        Kind(
            name="refused mail",
            provider="smtp",
            public={**server, "username": "nobody"},
            secret=("password",),
            channel="email",
        ),
        Kind(
            name="meta",
            provider="whatsapp_cloud",
            public={"phoneNumberId": "106540352242922", "appId": "7", "baseUrl": web},
            secret=("accessToken", "appSecret", "verifyToken"),
            channel="whatsapp",
        ),
        Kind(
            name="google",
            provider="rcs_business",
            public={
                "agentId": "tea_house_agent",
                "baseUrl": web,
                "serviceAccount": {"private_key": private_pem(), "token_uri": f"{web}/token"},
            },
            secret=(
                "webhookToken",
                "serviceAccount.client_email",
                "serviceAccount.private_key_id",
            ),
            channel="rcs",
        ),
        Kind(
            name="carrier",
            provider="smpp",
            public={"host": "127.0.0.1", "port": smsc, "systemId": "ann"},
            secret=("password",),
            longest=8,
        ),
        Kind(
            name="refused carrier",
            provider="smpp",
            public={"host": "127.0.0.1", "port": smsc, "systemId": "nobody"},
            secret=("password",),
            longest=8,
        ),
        Kind(
            name="undeclared",
            provider="undeclared",
            public={"url": web},
            secret=("token", *(f"deep.password{number}" for number in range(13))),
        ),
    ]


@frozen
class Operator:
    """Somebody who sets up channel accounts, in turn by HTTP, the command line and embedded calls."""

    caller: Caller
    embedded: ChannelAccounts
    answers: list[bytes]

    def tell(self, answer: bytes) -> None:
        """Note the answer to a change, without the token that the address of callbacks has here alone."""
        self.answers.append(re.sub(rb"(callbacks/cha_[0-9a-f]+)\?t=[\w-]+", rb"\1", answer))

    async def create(self, number: int, kind: Kind, config: Mapping[str, Any]) -> str:
        """Create a channel account, and return its id."""
        body = {
            "account": "demo",
            "channelType": kind.channel,
            "provider": kind.provider,
            "name": f"{kind.name} {number}",
            "sender": f"S{kind.name[:2]}{number}" if kind.channel == "sms" else None,
        }
        if number % 10 == 0:
            options = [
                f"--{name.replace('channelType', 'type')}={value}"
                for name, value in body.items()
                if value is not None
            ]
            said = await self.command("create", *options, "--config", "-", "--json", config=config)
            return str(json.loads(said)["id"])
        if number % 3 == 0:
            made = await self.embedded.create(
                "demo",
                kind.channel,
                kind.provider,
                str(body["name"]),
                sender=body["sender"],
                config=config,
            )
            self.tell(repr(made).encode())
            return made.id
        reply = await self.caller.operate("POST", "/channel-accounts", {**body, "config": config})
        assert 201 == reply.status, reply.body
        self.tell(reply.body)
        return str(reply.json["id"])

    async def update(self, number: int, channel_account_id: str, config: Mapping[str, Any]) -> None:
        """Replace the secrets of a channel account."""
        if number % 10 == 0:
            await self.command("update", channel_account_id, "--config", "-", config=config)
            return
        if number % 3 == 0:
            made = await self.embedded.update(channel_account_id, config=config)
            self.tell(repr(made).encode())
            return
        path = f"/channel-accounts/{channel_account_id}"
        reply = await self.caller.operate("PATCH", path, {"config": config})
        assert 200 == reply.status, reply.body
        self.tell(reply.body)

    async def command(self, *words: str, config: Mapping[str, Any] | None = None) -> str:
        """Run a command of the group, with a config in its standard input."""
        url = ["--url", str(self.caller.endpoint.make_url("/")).rstrip("/")]
        run = await asyncio.to_thread(
            CliRunner().invoke,
            main,
            ["channel-accounts", *words, *url],
            input=None if config is None else json.dumps(config),
            env={"WATCHWORD_ADMIN_TOKEN": SANDBOX_ADMIN_TOKEN},
        )
        assert run.exit_code in (0, 1, 3), run.output
        self.tell(run.stdout_bytes + run.stderr_bytes)
        return run.stdout


async def send(operator: Operator, kind: Kind, endings: tuple[str, ...]) -> None:
    """Send through every channel account of a kind, to each ending; nothing is asserted."""
    if kind.channel == "sms":
        for ending in endings:
            entries = [
                {**SMS, "sender": f"S{kind.name[:2]}{number}", "recipient": f"{NUMBER}{ending}"}
                for number in range(len(kind.made))
            ]
            operator.answers.append((await operator.caller.send(sms=entries)).body)
        return
    if kind.channel == "rcs":
        # No PIN goes out by RCS; a test has a log-in and a question of its own.
        tests = [
            operator.caller.operate(
                "POST", f"/channel-accounts/{each}/test", {"to": f"{NUMBER}{ending}"}
            )
            for each in kind.made
            for ending in endings
        ]
        operator.answers.extend(each.body for each in await asyncio.gather(*tests))
        return
    to_mail = kind.channel == "email"
    under = {} if to_mail else {"providerTemplateRef": "login", "languageCode": "en"}
    creates = []
    for channel_account_id in kind.made:
        entry = {"channelType": kind.channel, "channelAccountId": channel_account_id, **under}
        tea = await operator.caller.with_template(entry)
        for ending in endings[:2] if to_mail else endings:
            destination = f"x{ending}@example.com" if to_mail else f"{NUMBER}{ending}"
            creates.append(tea.create(destination))
    operator.answers.extend(each.body for each in await asyncio.gather(*creates))


async def look_around(operator: Operator) -> None:
    """Read every list and record that could show a config."""
    for path in (
        *(f"/channel-accounts?pageSize=100&page={page}" for page in (1, 2, 3)),
        "/providers",
        "/verifications?pageSize=100",
        "/messages?pageSize=100",
        "/events?limit=1000",
    ):
        operator.answers.append((await operator.caller.operate("GET", path)).body)
    operator.answers.append(repr(await operator.caller.history()).encode())


async def test_no_secret_of_any_provider_is_found(
    settings: Settings, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """
    Not in the store's files, an answer, an export, a metric, a log, a `repr` or a process's arguments.

    The providers quote in their refusals all that they were told. Half of the secrets replace the others.
    """
    canaries = [secrets.token_urlsafe(24) for _ in range(ALL_SECRETS + 200)]
    unused = iter(canaries)
    settings = evolve(
        settings,
        store=f"sqlite:///{tmp_path / 'store' / 'store.db'}",
        writer_process=True,
        provider_timeout=1.0,
        # Without a public address, Twilio's account is refused.
        public_url="https://pins.example.com",
    )
    meters, log, shown = Meters(), io.StringIO(), []
    around = [watching([measured(meters), access_line])]
    with logging_to(log, "debug", RENDERERS["json"]):
        async with (
            FaultyHttp(gossip) as web,
            gossiping_mail_server() as mail,
            gossiping_smsc() as smsc,
            wired(settings, providers={"undeclared": Undeclared()}, meters=meters) as service,
            listening(service, EXPOSED, around) as caller,
        ):
            operator = Operator(caller, ChannelAccounts(Lease(service)), [])
            every = kinds(web.url, mail, smsc)
            for kind in every:
                for number in range(OF_EACH_KIND):
                    kind.made.append(await operator.create(number, kind, kind.config(unused)))
                await send(operator, kind, (ACCEPTS, NAMES))
            for kind in every:
                for number, each in enumerate(kind.made):
                    await operator.update(number, each, kind.config(unused))
                await send(operator, kind, (*ENDINGS, SILENT))
                await operator.command("test", kind.made[0], "--to", f"{NUMBER}{REFUSES}")
                await operator.command("show", kind.made[0])
            await look_around(operator)
            shown += [f"{each!r}{each.event!r}" for each in await service.store.read_log(0, 9000)]
            files = contents(tmp_path / "store")
            arguments = await asyncio.to_thread(command_lines)
        printed = await asyncio.to_thread(exported, settings)
    places = {
        **files,
        "answers": b"\n".join(operator.answers),
        "export": printed,
        "metrics": meters.exposition(),
        "log": log.getvalue().encode(),
        "repr": "".join(shown).encode(),
        "arguments": arguments,
        "stdout and stderr": "".join(capfd.readouterr()).encode(),
    }
    used = {secret for kind in every for secret in kind.told}

    assert ALL_SECRETS <= len(used)
    for happened in (
        b"provider_timeout",
        b"provider_unknown",
        b"provider_rejected",
        b"smtp_535",
        b"smpp_0x0a",
        b"smpp_0x0e",
        b"whatsapp_190",
        b"rcs_401",
    ):
        assert happened in places["export"], happened
    assert {"store.db", "store.db-wal"} <= places.keys()
    assert b"***" in places["store.db"] + places["store.db-wal"]
    assert {} == places_with({*used, ACCESS_TOKEN, *private_pem().splitlines()[1:-1]}, places)


def command_lines() -> bytes:
    """Return the arguments of all processes of this machine, which everybody on it can read."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        # A process may end meanwhile.
        with suppress(OSError):
            found.append(path.read_bytes())
    return b"\n".join(found)


def exported(settings: Settings) -> bytes:
    """Print the whole log, as auditors do."""
    options = ["--data-dir", str(settings.data_dir), "--store", str(settings.store)]
    run = CliRunner().invoke(main, ["audit", "export", *options])
    assert 0 == run.exit_code, run.output
    return run.stdout_bytes
