"""The service without HTTP: `watchword.open(...)` (C-44, C-65)."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from attrs.exceptions import FrozenInstanceError

import watchword
from tests.entrypoints.receiving import Receiver
from tests.fakes.clocks import StillClock
from tests.fakes.providers import HesitantProvider, ScriptedProvider
from watchword.application.ports.channels import Accepted, Message, Rejected
from watchword.domain.accounts.account import AccountSuspendedError
from watchword.domain.channel import Channel
from watchword.domain.errors import DomainError
from watchword.domain.pin import DispatchFailedError
from watchword.domain.receipt import ReceiptStatus
from watchword.entrypoints.settings import SettingsError

DESTINATION = "+919812345610"


async def set_up(service: watchword.Service, provider: str, **limits: object) -> tuple[str, str]:
    """Create an account with a channel account and a template; return their ids."""
    account = await service.accounts.create("orchid")
    await service.channel_accounts.create(
        account=account, channel_type="sms", provider=provider, name="sms", config={}
    )
    template = await service.pin_templates.create(
        account=account, name="tea", channels=[{"channelType": "sms"}], **limits
    )
    return account.id, template.id


def code_of(phone: ScriptedProvider) -> str:
    """Read the code that was sent last."""
    return phone.messages[-1].text.removesuffix(".").rpartition(" ")[2]


async def test_a_pin_from_issue_to_verdict(store_url: str) -> None:
    """Open a store, send by an own channel, verify the code."""
    phone = ScriptedProvider()
    async with watchword.open(store_url, channels={"phone": phone}) as service:
        account, template = await set_up(service, "phone")
        issued = await service.pins.issue(
            account=account, template=template, destination=DESTINATION, reference_id="table-7"
        )
        typed = code_of(phone)
        verified = await service.pins.verify(account=account, pin=issued.pin_id, code=typed)
        history = [each.type for each in await service.events.get(issued.pin_id)]

    assert ("PENDING", 5) == (issued.status, issued.attempts_remaining)
    assert ["accepted"] == [each.status for each in issued.channels]
    assert (issued.pin_id, "VERIFIED", 5) == (
        verified.pin_id,
        verified.status,
        verified.attempts_remaining,
    )
    assert ["PinIssued", "PinDispatched", "PinVerified"] == history


async def test_results_cannot_be_changed() -> None:
    """No holder of a result can change it."""
    async with watchword.open(
        "memory://", channels={"phone": (phone := ScriptedProvider())}
    ) as service:
        account, template = await set_up(service, "phone")
        issued = await service.pins.issue(account, template, DESTINATION)
        verified = await service.pins.verify(account, issued.pin_id, code_of(phone))
    for result in (issued, verified, issued.channels[0]):
        with pytest.raises(FrozenInstanceError):
            result.status = "BLOCKED"  # type: ignore[misc, assignment]  # what nobody checks at run time


async def test_names_and_records_serve_as_ids(store_url: str) -> None:
    """Wherever an account is wanted its name will do, and wherever an id, the record itself."""
    async with watchword.open(store_url, channels={"phone": ScriptedProvider()}) as service:
        account_id, template_id = await set_up(service, "phone")
        template = await service.pin_templates.get(template_id)
        issued = await service.pins.issue("orchid", template, DESTINATION)
        found = await service.pins.get("orchid", issued.pin_id)
        with pytest.raises(watchword.PinIncorrectError):
            await service.pins.verify("orchid", issued, "let me in")
        with pytest.raises(watchword.ResendCooldownError):
            await service.pins.resend("orchid", found)
        again = await service.pins.get("orchid", found)
        told = await service.events.get(issued)
        replayed = await service.events.replay(found)
        of_the_template = await service.events.get(template)

    assert account_id == found.account_id
    assert issued.pin_id == again.pin_id
    assert told == replayed.events
    assert ["PinTemplateCreated"] == [each.type for each in of_the_template]


@pytest.mark.parametrize("wrong", [None, 7, object()])
async def test_what_is_no_pin_is_named(wrong: Any) -> None:
    """A value that is no PIN is validation_failed at its argument, for every call."""
    async with watchword.open("memory://", sandbox=True) as service:
        for asked in (
            service.pins.verify("demo", wrong, "123456"),
            service.pins.resend("demo", wrong),
            service.pins.get("demo", wrong),
        ):
            with pytest.raises(watchword.ValidationFailedError) as refusal:
                await asked
            assert ["pin"] == [each.path for each in refusal.value.problems]


async def test_a_store_on_disk_outlives_its_service(tmp_path: Path) -> None:
    """Its key is created beside it, and the next service verifies the last one's code."""
    phone, store = ScriptedProvider(), f"sqlite:///{tmp_path / 'tea' / 'watchword.db'}"
    async with watchword.open(store, channels={"phone": phone}) as service:
        account, template = await set_up(service, "phone")
        issued = await service.pins.issue(account, template, DESTINATION)
    async with watchword.open(store, channels={"phone": phone}) as service:
        verified = await service.pins.verify(account, issued.pin_id, code_of(phone))

    assert "VERIFIED" == verified.status
    assert (tmp_path / "tea" / "code.key").exists()


async def test_one_store_has_one_service(tmp_path: Path) -> None:
    """A second service names the first, and no command-line option; a folder is no store."""
    async with watchword.open(f"sqlite:///{tmp_path / 'watchword.db'}"):
        with pytest.raises(watchword.StoreUnavailable, match="is open already, in this process"):
            async with watchword.open(f"sqlite:///{tmp_path / 'watchword.db'}"):
                pass
    with pytest.raises(watchword.SettingsError, match=r"is a folder\. Name a file in it"):
        async with watchword.open(f"sqlite:///{tmp_path}"):
            pass


async def test_two_services_live_in_one_process(tmp_path: Path) -> None:
    """Each on a store of its own, and neither knows the other's PINs."""
    phone = ScriptedProvider()
    here = watchword.open(f"sqlite:///{tmp_path / 'here.db'}", channels={"phone": phone})
    there = watchword.open("memory://", channels={"phone": phone})
    async with here as first, there as second:
        account, template = await set_up(first, "phone")
        other, _ = await set_up(second, "phone")
        issued = await first.pins.issue(account, template, DESTINATION)
        code = code_of(phone)
        with pytest.raises(DomainError) as refusal:
            await second.pins.verify(other, issued.pin_id, code)
        verified = await first.pins.verify(account, issued.pin_id, code)

    assert "pin_not_found" == refusal.value.code
    assert "VERIFIED" == verified.status


async def test_refusals_carry_the_wires_code_and_details(store_url: str) -> None:
    """An embedder gets what a client of the HTTP endpoint gets (C-44)."""
    phone = ScriptedProvider()
    async with watchword.open(store_url, channels={"phone": phone}) as service:
        account, template = await set_up(service, "phone")
        issued = await service.pins.issue(account, template, DESTINATION)
        refusals = []
        for call in (
            service.pins.verify(account, issued.pin_id, "nonsense"),
            service.pins.verify(account, issued.pin_id, code_of(phone)),
            service.pins.resend(account, issued.pin_id),
            service.pins.issue(account, template, DESTINATION, channels=["email"]),
            service.pins.issue(account, "tpl_none", DESTINATION),
            service.pins.issue("nobody", template, DESTINATION),
            service.pins.verify(account, "pin_none", "1234"),
            service.accounts.create("orchid"),
            service.events.get("pin_none"),
        ):
            with pytest.raises(DomainError) as refusal:
                await call
            refusals.append((refusal.value.code, dict(refusal.value.details)))

    assert [
        (
            "pin_incorrect",
            {"pinId": issued.pin_id, "status": "PENDING", "attemptsRemaining": 4},
        ),
        ("rate_limited", {"retryAfterSeconds": 3, "rule": "verify"}),
        ("resend_cooldown", {"retryAfterSeconds": 30}),
        ("channel_not_configured", {"channel": "email", "configured": ["sms"]}),
        ("template_not_found", {}),
        ("account_not_found", {}),
        ("pin_not_found", {}),
        ("duplicate_name", {}),
        ("stream_not_found", {}),
    ] == refusals


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"destination": ""}, "destination"),
        ({"destination": "+91\ud800"}, "destination"),
        ({"destination": "+91\0"}, "destination"),
        ({"channels": []}, "channels"),
        ({"channels": ["pigeon"]}, "channels[0]"),
        ({"reference_id": "r" * 201}, "referenceId"),
        ({"params": {"tea": "x"}}, "templateParams"),
        ({"params": {"7": "x"}}, "templateParams.7"),
        ({"idempotency_key": ""}, "idempotencyKey"),
        ({"idempotency_key": "k" * 256}, "idempotencyKey"),
        ({"idempotency_key": "a b"}, "idempotencyKey"),
        ({"idempotency_key": "☃"}, "idempotencyKey"),
    ],
)
async def test_wrong_arguments_are_named_as_on_the_wire(
    wrong: dict[str, object], field: str
) -> None:
    """validation_failed, with the path of each wrong field."""
    async with watchword.open("memory://", channels={"phone": ScriptedProvider()}) as service:
        account, template = await set_up(service, "phone")
        arguments: dict[str, Any] = {"destination": "+919812345611", **wrong}
        with pytest.raises(DomainError) as refusal:
            await service.pins.issue(account, template, **arguments)

    assert "validation_failed" == refusal.value.code
    (named,) = cast("list[dict[str, str]]", refusal.value.details["fields"])

    assert field == named["field"]


async def test_an_idempotency_key_gives_the_first_result_again(store_url: str) -> None:
    """The same call gives the same result, and sends nothing; another one is refused (C-10)."""
    phone = ScriptedProvider()
    async with watchword.open(store_url, channels={"phone": phone}) as service:
        account, template = await set_up(service, "phone", resend_cooldown="0s")

        async def issue(destination: str = DESTINATION) -> object:
            return await service.pins.issue(account, template, destination, idempotency_key="tea")

        first = await service.pins.issue(account, template, DESTINATION, idempotency_key="tea")
        second = await issue()
        with pytest.raises(DomainError) as reuse:
            await issue("+919812345611")
        resent = [
            await service.pins.resend(account, first.pin_id, idempotency_key="tea")
            for _ in range(2)
        ]

    assert first == second
    assert "idempotency_key_reuse" == reuse.value.code
    assert resent[0] == resent[1]
    assert 2 == len(phone.messages)


async def test_a_failed_dispatch_is_saved_too() -> None:
    """The refusal is raised again with the same outcomes, and no provider is called again."""

    async def refuse(message: Message) -> Rejected:
        return Rejected("no_such_number", "Nobody has this number.")

    phone = ScriptedProvider(refuse)
    async with watchword.open("memory://", channels={"phone": phone}) as service:
        account, template = await set_up(service, "phone")
        told = []
        for _ in range(2):
            with pytest.raises(DomainError) as refusal:
                await service.pins.issue(account, template, DESTINATION, idempotency_key="tea")
            told.append((refusal.value.code, refusal.value.details))

    assert told[0] == told[1]
    assert "dispatch_failed" == told[0][0]
    assert 1 == len(phone.messages)


async def test_the_clock_is_the_embedders() -> None:
    """Expiry and cooldown follow the clock that was given."""
    phone, clock = ScriptedProvider(), StillClock()
    async with watchword.open("memory://", channels={"phone": phone}, clock=clock) as service:
        account, template = await set_up(service, "phone", pin_time_to_live="1h")
        issued = await service.pins.issue(account, template, DESTINATION)
        clock.move(3600)
        with pytest.raises(DomainError) as refusal:
            await service.pins.verify(account, issued.pin_id, code_of(phone))

    assert StillClock().now() + timedelta(hours=1) == issued.expires_at
    assert "pin_expired" == refusal.value.code


class ForgetfulHasher:
    """A hasher that takes every code for the right one."""

    async def hash(self, pin_id: str, issue: int, code: str) -> str:
        """Hash nothing."""
        return "1$nothing"

    async def matches(self, pin_id: str, issue: int, code: str, code_hash: str) -> bool:
        """Agree."""
        return code_hash == "1$nothing"


async def test_the_hasher_is_the_embedders() -> None:
    """The given hasher hashes and compares codes."""
    phone = ScriptedProvider()
    async with watchword.open(
        "memory://", channels={"phone": phone}, hasher=ForgetfulHasher()
    ) as service:
        account, template = await set_up(service, "phone")
        issued = await service.pins.issue(account, template, DESTINATION)

        assert "VERIFIED" == (await service.pins.verify(account, issued.pin_id, "any")).status


async def test_the_provider_timeout_is_the_embedders() -> None:
    """One that does not answer in time is unknown: the refusal names the PIN, also when given again."""
    phone = HesitantProvider()
    async with watchword.open(
        "memory://", channels={"phone": phone}, provider_timeout=0.01
    ) as service:
        account, template = await set_up(service, "phone")
        told = []
        for _ in range(2):
            with pytest.raises(DispatchFailedError) as refusal:
                await service.pins.issue(account, template, DESTINATION, idempotency_key="tea")
            told.append(refusal.value.details)
        pin_id = str(told[0]["pinId"])

        assert told[0] == told[1]
        assert "VERIFIED" == (await service.pins.verify(account, pin_id, code_of(phone))).status


async def test_every_service_attribute_creates_gets_and_lists(store_url: str) -> None:
    """Arguments are the wire's fields in snake case; results are records (C-65)."""
    async with watchword.open(store_url, channels={"phone": ScriptedProvider()}) as service:
        account, template = await set_up(service, "phone", pin_length=8)
        key = await service.api_keys.create(account, "web", scopes=["pins"])
        fallback = await service.fallback_configurations.create(account, "tea", ["wa", "phone"])
        issued = await service.pins.issue(account, template, DESTINATION)
        (channel_account,) = (await service.channel_accounts.list(account)).data

        assert "orchid" == (await service.accounts.get(account)).name
        assert [account] == [each.id for each in (await service.accounts.list()).data]
        assert key.record == await service.api_keys.get(key.record)
        assert [key.record] == list((await service.api_keys.list(account)).data)
        assert channel_account == await service.channel_accounts.get(channel_account)
        assert fallback == await service.fallback_configurations.get(fallback)
        assert [fallback] == list((await service.fallback_configurations.list(account)).data)
        assert ("whatsapp", "phone") == fallback.steps
        assert 8 == (await service.pin_templates.get(template)).pin_length
        assert [template] == [each.id for each in (await service.pin_templates.list()).data]
        assert [issued.pin_id] == [
            each.pin_id for each in (await service.pins.list(template_id=template)).data
        ]
        assert issued.pin_id == (await service.events.list())[-1].stream


async def test_templates_are_revised_and_retired() -> None:
    """The service's attributes do what the management routes do."""
    async with watchword.open("memory://", channels={"phone": ScriptedProvider()}) as service:
        _, template = await set_up(service, "phone")
        entry = watchword.ChannelEntry(channel_type=Channel.SMS, content_text="Tea: {{pin}}")
        revised = await service.pin_templates.revise(template, channels=[entry], pin_attempts=7)
        disabled = await service.pin_templates.disable(template)
        enabled = await service.pin_templates.enable(template)
        archived = await service.pin_templates.archive(template)

    assert ("Tea: {{pin}}", 7) == (revised.channels[0].content_text, revised.pin_attempts)
    assert ("disabled", "enabled") == (disabled.status, enabled.status)
    assert archived.archived_at is not None


async def test_a_history_can_be_replayed() -> None:
    """The state of a PIN as of any time, rebuilt from its events."""
    phone, clock = ScriptedProvider(), StillClock()
    async with watchword.open("memory://", channels={"phone": phone}, clock=clock) as service:
        account, template = await set_up(service, "phone")
        issued = await service.pins.issue(account, template, DESTINATION)
        before = clock.now()
        clock.move(60)
        await service.pins.verify(account, issued.pin_id, code_of(phone))
        then = await service.events.replay(issued.pin_id, at=before)
        now = await service.events.replay(issued.pin_id)

    assert ("pin", "PENDING", "VERIFIED") == (
        then.kind,
        then.state.life.status,
        now.state.life.status,
    )


NAIVE = datetime(2031, 5, 4, 12, 0)  # noqa: DTZ001  the zone is what is missing


@pytest.mark.parametrize(
    "call",
    [
        lambda service: service.events.replay("tpl_demo", at=NAIVE),
        lambda service: service.pins.list(since=NAIVE),
        lambda service: service.pins.list(until=NAIVE),
        lambda service: service.messages.history("demo", since=NAIVE),
        lambda service: service.messages.list("demo", until=NAIVE),
        lambda service: service.api_keys.create("demo", "web", expires_at=NAIVE),
    ],
)
async def test_a_time_without_a_zone_is_refused(
    call: Callable[[watchword.Service], Awaitable[object]],
) -> None:
    """A sentence names the argument: taken as UTC it may mean another moment than its author did."""
    async with watchword.open("memory://", sandbox=True) as service:
        with pytest.raises(ValueError, match=r"= has no time zone, so nobody knows which moment"):
            await call(service)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"template": None}, "templateId"),
        ({"template": 7}, "templateId"),
        ({"account": None}, "account"),
    ],
)
async def test_what_is_no_reference_is_named(wrong: dict[str, Any], field: str) -> None:
    """None in place of an id is validation_failed at its argument, not an AttributeError."""
    async with watchword.open("memory://", sandbox=True) as service:
        arguments = {"account": "demo", "template": "tpl_demo", **wrong}
        with pytest.raises(watchword.ValidationFailedError) as refusal:
            await service.pins.issue(destination=DESTINATION, **arguments)

    assert [field] == [each.path for each in refusal.value.problems]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"store": "postgresql://nobody@127.0.0.1:1/none"}, r"Give it as code_key=\."),
        ({"store": "memory://", "code_key": "nonsense"}, "is not of the form <version>:<base64>"),
        ({"store": "memory://", "receipt_key": "tea"}, "receipt_key= cannot be read"),
        ({"store": "memory://", "receipt_key": 7}, "receipt_key= is of the type int"),
        ({"store": "tea://"}, "is not a store"),
        ({"store": "memory://", "provider_timeout": 0}, "provider_timeout= must be above 0"),
        ({"store": "memory://", "channels": ["printer"]}, "channels= is a list"),
        (
            {"store": "memory://", "channels": {7: ScriptedProvider()}},
            "A name in channels= is no text",
        ),
        (
            {"store": "memory://", "public_url": "pins.example.com"},
            "public_url= has 'pins.example.com'",
        ),
        (
            {"store": "memory://", "short_domains": "https://t.example"},
            "short_domains= is 'https://t.ex",
        ),
        ({"store": "memory://", "short_domains": ["t.example"]}, "short_domains= has 't.example'"),
    ],
)
async def test_wrong_settings_name_arguments_of_open(settings: dict[str, Any], said: str) -> None:
    """Messages name `code_key=`, and never an option or a variable that embedders do not have."""
    with pytest.raises((watchword.SettingsError, watchword.KeyringError), match=said) as refusal:
        async with watchword.open(**settings):
            pass

    assert not re.search(r"--[a-z]|WATCHWORD_", str(refusal.value))


async def test_a_missing_key_file_is_told_without_a_flag(tmp_path: Path) -> None:
    """The message about a key that differs from the store's names no option either."""
    store = f"sqlite:///{tmp_path / 'watchword.db'}"
    async with watchword.open(store):
        pass
    (tmp_path / "code.key").unlink()
    with pytest.raises(watchword.KeyringError, match=r"Give it as code_key=\."):
        async with watchword.open(store):
            pass


async def test_a_sandbox_can_be_embedded() -> None:
    """The demo exists, the outbox shows sent messages, and phones report on them."""
    async with watchword.open("memory://", sandbox=True) as service:
        issued = await service.pins.issue("demo", "tpl_demo", DESTINATION)
        assert service.sandbox is not None
        (message,) = service.sandbox.provider.outbox()

        await service.sandbox.phones.report(message.provider_message_id, ReceiptStatus.READ)
        row = await service.pins.get("demo", issued.pin_id)

    assert issued.channels[0].provider_message_id == message.provider_message_id
    assert "read" == row.channels[0]["receipt"]["status"]


async def test_accepting_is_all_that_a_provider_has_to_do() -> None:
    """Its id is the one in the answer."""

    async def accept(message: Message) -> Accepted:
        return Accepted("by pigeon")

    phone = ScriptedProvider(accept)
    async with watchword.open("memory://", channels={"phone": phone}) as service:
        account, template = await set_up(service, "phone")
        issued = await service.pins.issue(account, template, DESTINATION)

    assert ["by pigeon"] == [each.provider_message_id for each in issued.channels]


def test_the_public_face_is_lazy() -> None:
    """Importing the package or its domain loads no server, loop, database or hash (C-44)."""
    program = (
        "import sys, watchword, watchword.domain.pin;"
        "print([name for name in"
        " ('aiohttp', 'asyncio', 'sqlite3', 'eventsourcing', 'passlib') if name in sys.modules])"
    )
    printed = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )

    assert "[]" == printed.stdout.strip()


async def test_a_sandbox_on_a_clock_of_ones_own_is_not_moved() -> None:
    """An embedder moves its own clock: the sandbox says so, and moves none itself."""
    async with watchword.open("memory://", sandbox=True, clock=StillClock()) as service:
        assert service.sandbox is not None
        with pytest.raises(SettingsError, match="clock of yours"):
            await service.sandbox.advance(timedelta(seconds=1))


async def test_callbacks_from_set_up_to_removal(tmp_path: Path, receiver: Receiver) -> None:
    """The same service without HTTP signs, lists, redelivers and removes."""
    store, phone = f"sqlite:///{tmp_path / 'told.db'}", ScriptedProvider()
    async with watchword.open(store, channels={"phone": phone}, allow_private_urls=True) as service:
        account, template = await set_up(service, "phone")
        made = await service.callbacks.create(account, receiver.url, events=["pin.issued"])
        issued = await service.pins.issue(account, template, DESTINATION)
        (came,) = await receiver.until(1)
        said = came.verified(made.secret)
        delivery = came.id
        # A delivery that is under way would be redelivered itself.
        async with asyncio.timeout(10):
            while (await service.callbacks.deliveries(made)).data[0].status != "delivered":  # noqa: ASYNC110  the worker makes it so
                await asyncio.sleep(0)
        again = await service.callbacks.redeliver(made, delivery)
        await receiver.until(2)
        listed = await service.callbacks.deliveries(made)
        whole = await service.callbacks.delivery(made, delivery)
        tested = await service.callbacks.test(made)
        sent = (await receiver.until(3))[2]
        removed = await service.callbacks.remove(made)
        with pytest.raises(DomainError) as refused:
            await service.callbacks.redeliver(made, delivery)

    assert issued.pin_id == said["data"]["pinId"]
    assert [delivery] == [each.id for each in listed.data] == [again.id]
    assert said == whole.request.body
    assert (tested.delivery_id, "callback.test") == (sent.id, sent.said["type"])
    assert ("***", "callback_removed") == (removed.secret, refused.value.code)
    assert removed.removed_at is not None


async def test_private_callbacks_are_refused_by_default() -> None:
    """The refusal is that of HTTP (C-47)."""
    async with watchword.open("memory://") as service:
        account = await service.accounts.create("orchid")
        with pytest.raises(DomainError) as refused:
            await service.callbacks.create(account, "http://127.0.0.1:9/", events=["pin.*"])
        listed = await service.callbacks.list(account)

    assert "validation_failed" == refused.value.code
    assert [] == list(listed.data)


async def test_a_misspelled_option_makes_no_endpoint() -> None:
    """Ignored, it would give the endpoint every event."""
    misspelled: dict[str, Any] = {"event": ["pin.*"]}
    async with watchword.open("memory://") as service:
        account = await service.accounts.create("orchid")
        with pytest.raises(TypeError):
            await service.callbacks.create(account, "https://192.0.43.8/told", **misspelled)
        listed = await service.callbacks.list(account)

    assert [] == list(listed.data)


@pytest.mark.parametrize(
    ("call", "wrong"),
    [
        (lambda service: service.api_keys.create("orchid", "web", scope=["pins"]), "scope"),
        (
            lambda service: service.channel_accounts.create(
                "orchid", "sms", "http", "main", senders="TEAHSE"
            ),
            "senders",
        ),
        (
            lambda service: service.pin_templates.create("orchid", "t", [], pin_lenght=8),
            "pin_lenght",
        ),
        (lambda service: service.pin_templates.revise("tpl_1", pin_lenght=8), "pin_lenght"),
        (
            lambda service: service.messages.history("orchid", recipients="+919812345611"),
            "recipients",
        ),
        (lambda service: service.messages.list("orchid", state="failed"), "state"),
    ],
    ids=["key", "channel account", "template", "revised template", "history", "search"],
)
async def test_a_misspelled_option_is_named(
    call: Callable[[watchword.Service], Awaitable[object]], wrong: str
) -> None:
    """Nothing is made, changed or shown as if it had been left out."""
    async with watchword.open("memory://") as service:
        await service.accounts.create("orchid")
        with pytest.raises(TypeError, match=f"'{wrong}'"):
            await call(service)


async def test_a_misspelt_filter_is_a_type_error() -> None:
    """Ignored, it would return other accounts' PINs (C-93)."""
    async with watchword.open("memory://") as service:
        lists = (
            service.accounts,
            service.api_keys,
            service.callbacks,
            service.channel_accounts,
            service.dlt_templates,
            service.events,
            service.fallback_configurations,
            service.legacy_users,
            service.media,
            service.messages,
            service.opt_lists,
            service.pin_templates,
            service.pins,
            service.rcs_templates,
            service.whatsapp_templates,
        )
        for each in cast("Any", lists):
            with pytest.raises(TypeError, match="acount"):
                await each.list(acount="other")
        with pytest.raises(TypeError, match="acount"):
            await cast("Any", service.messages).history(acount="other")


async def test_pins_are_searched_in_one_account(store_url: str) -> None:
    """The account is an id, a name or a record, and the channel has either of its names (C-45)."""
    async with watchword.open(store_url, channels={"phone": ScriptedProvider()}) as service:
        account, template = await set_up(service, "phone")
        other = await service.accounts.create("other")
        issued = await service.pins.issue(account, template, DESTINATION)
        theirs = await service.pins.list(account="orchid", channel="sms", status="PENDING")
        nobodys = await service.pins.list(account=other)
        on_whatsapp = await service.pins.list(account=account, channel="wa")

    assert [issued.pin_id] == [each.pin_id for each in theirs.data]
    assert ([], []) == (list(nobodys.data), list(on_whatsapp.data))


async def test_embedded_calls_of_a_suspended_account_are_refused(store_url: str) -> None:
    """Calls that its keys could make are refused until it is resumed; setting up is not (C-95)."""
    async with watchword.open(store_url, channels={"phone": ScriptedProvider()}) as service:
        account, template = await set_up(service, "phone")
        suspended = await service.accounts.suspend("orchid")
        for calling in (
            service.pins.issue(account=account, template=template, destination=DESTINATION),
            service.messages.history("orchid"),
            service.media.create(account, b"tea"),
            service.opt_lists.list(account, "in"),
        ):
            with pytest.raises(AccountSuspendedError):
                await calling
        await service.api_keys.create(account, "web")
        resumed = await service.accounts.resume(suspended)
        await service.pins.issue(account=account, template=template, destination=DESTINATION)

    assert suspended.suspended_at is not None
    assert resumed.suspended_at is None


async def test_limits_of_an_account_bound_embedded_calls(store_url: str) -> None:
    """Their stored bytes count as with keys; limits are set as a whole (C-94)."""
    async with watchword.open(store_url, channels={"phone": ScriptedProvider()}) as service:
        account, template = await set_up(service, "phone")
        before = await service.accounts.limits("orchid")
        limited = await service.accounts.set_limits(account, stored_bytes_per_day=1, media_bytes=2)
        with pytest.raises(watchword.DomainError) as stored:
            await service.pins.issue(account=account, template=template, destination=DESTINATION)
        await service.accounts.set_limits(account, media_bytes=2)
        with pytest.raises(watchword.DomainError) as hosted:
            await service.media.create(account, b"tea")
        with pytest.raises(watchword.DomainError, match="mediaBytes"):
            await service.accounts.set_limits(account, media_bytes=-1)

    assert (None, None, 2**30) == (
        before.requests_per_second,
        before.stored_bytes_per_day,
        before.media_bytes,
    )
    assert (1, 2) == (limited.stored_bytes_per_day, limited.media_bytes)
    assert "stored_bytes_per_day" == stored.value.details["rule"]
    assert "media_bytes" == hosted.value.details["rule"]
