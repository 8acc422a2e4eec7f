"""Providers of embedders: incomplete ones are refused at once, unclear answers are unknown."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

import watchword
from tests.fakes.providers import ScriptedProvider
from watchword import (
    Accepted,
    ChannelProvider,
    Message,
    Rejected,
    Setting,
    SettingsError,
    Unknown,
)

DESTINATION = "+919812345610"


def loose(kind: Any, *members: object) -> Any:
    """Make a value without regard to its types, which nothing checks at run time."""
    return kind(*members)


class Plain:
    """A class with only the parts that sending needs."""

    def check_config(self, config: Mapping[str, Any]) -> Mapping[str, Any]:
        """Take any settings."""
        return config

    async def send(self, config: Mapping[str, Any], message: Message) -> Accepted:
        """Take the message."""
        return Accepted(message.reference)


class Inheriting(Plain, ChannelProvider):
    """The same, with the rest of the port."""


class Silent(ChannelProvider):
    """A provider that forgot to say how it sends."""

    def check_config(self, config: Mapping[str, Any]) -> Mapping[str, Any]:
        """Take any settings."""
        return config


class Whole(Plain):
    """A provider that inherits nothing, and has all of the port."""

    settings = ()
    channels = None
    deduplicates = False
    signing_setting = None
    id_of = ChannelProvider.id_of
    can_revoke = ChannelProvider.can_revoke
    submits_templates = ChannelProvider.submits_templates
    callback_query = ChannelProvider.callback_query
    open = ChannelProvider.open
    listen = ChannelProvider.listen
    close = ChannelProvider.close
    probe = ChannelProvider.probe
    reachability = ChannelProvider.reachability
    revoke = ChannelProvider.revoke
    submit_template = ChannelProvider.submit_template
    template_states = ChannelProvider.template_states
    set_webhook = ChannelProvider.set_webhook
    hear = ChannelProvider.hear
    reports = ChannelProvider.reports


class Patched(Inheriting):
    """A provider with parts of another making."""

    def __init__(self, **parts: Any) -> None:
        vars(self).update(parts)


class Declaring(Inheriting):
    """A provider that declares settings."""

    def __init__(self, *settings: Setting) -> None:
        self._settings = settings

    @property
    def settings(self) -> tuple[Setting, ...]:
        """Declare what it was made with."""
        return self._settings


def plain_send(config: Mapping[str, Any], message: Message) -> Accepted:
    """Send as a library that knows no event loop does."""
    return Accepted(message.reference)


async def async_send(config: Mapping[str, Any], message: Message) -> Accepted:
    """Send as the port declares it."""
    return plain_send(config, message)


@functools.wraps(async_send)
def decorated_send(config: Mapping[str, Any], message: Message) -> Any:
    """Send by a decorator that is no coroutine function."""
    return async_send(config, message)


class SendingObject:
    """Something to call that has state."""

    async def __call__(self, config: Mapping[str, Any], message: Message) -> Accepted:
        """Send as the port declares it."""
        return await async_send(config, message)


@pytest.mark.parametrize(
    ("provider", "said"),
    [
        (
            Plain(),
            "The provider 'printer' in channels= (Plain) has no settings, no channels,"
            " no open, no listen, no close, no probe, no reachability, no deduplicates,"
            " no id_of, no can_revoke, no revoke, no submits_templates, no submit_template,"
            " no template_states, no set_webhook, no hear, no reports, no callback_query,"
            " no signing_setting."
            " Have its class inherit watchword.ChannelProvider",
        ),
        (loose(Silent), "(Silent) has no send. Have its class inherit watchword.ChannelProvider"),
        (object(), "(object) has no settings, no channels, no check_config"),
        (Inheriting, "is the class Inheriting. Give an object of it."),
        (
            Patched(send=plain_send),
            "The send of the provider 'printer' in channels= (Patched) is no async function."
            " Define it with async def.",
        ),
        (Patched(send=None), "(Patched) has no send."),
        (
            loose(Declaring, "url"),
            "The settings of the provider 'printer' in channels= are no list of watchword.Setting.",
        ),
        (
            Patched(reports=async_send),
            "The reports of the provider 'printer' in channels= (Patched) is an async function."
            " Define it with def alone.",
        ),
    ],
    ids=[
        "plain",
        "silent",
        "anything",
        "class",
        "plain send",
        "no call",
        "no settings",
        "async reports",
    ],
)
async def test_what_is_no_whole_provider_is_refused(provider: Any, said: str) -> None:
    """`open` names the provider and the class to inherit, before a fallback or a report is lost."""
    with pytest.raises(SettingsError) as refusal:
        async with watchword.open("memory://", channels={"printer": provider}):
            pass

    assert said in str(refusal.value)


@pytest.mark.parametrize(
    "provider",
    [
        Inheriting(),
        Whole(),
        Patched(send=decorated_send),
        Patched(send=functools.partial(async_send)),
        Patched(send=SendingObject()),
    ],
    ids=["inherits", "has all itself", "decorated", "partial", "object"],
)
async def test_a_whole_provider_is_taken(provider: Any) -> None:
    """An object with every part is a provider, wherever the parts come from."""
    async with watchword.open("memory://", channels={"printer": provider}) as service:
        shop = await service.accounts.create("shop")
        made = await service.channel_accounts.create(shop, "sms", "printer", "printed")

    assert "printer" == made.provider


async def test_settings_that_a_check_forgot_to_return_are_refused() -> None:
    """The channel account is not made with nothing, for the first send to find out."""

    class Forgetful(ScriptedProvider):
        def check_config(self, config: Mapping[str, Any]) -> Any:
            """Check, and return nothing."""

    async with watchword.open("memory://", channels={"phone": Forgetful()}) as service:
        shop = await service.accounts.create("shop")
        with pytest.raises(
            TypeError, match="check_config of the provider 'phone' returned a NoneType"
        ):
            await service.channel_accounts.create(shop, "sms", "phone", "sms")
        listed = await service.channel_accounts.list(shop)

    assert 0 == listed.total


class Timeless:
    """A clock that lacks the machine's time."""

    def now(self) -> datetime:
        """Return the time."""
        return datetime.now(UTC)


class Zoneless(Timeless):
    """A clock whose times have no zone."""

    def now(self) -> datetime:
        """Tell the time of the machine's place."""
        return datetime.now()  # noqa: DTZ005  the zone is what is missing

    real = now


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"clock": Timeless()}, "clock= (Timeless) has no real. See watchword.Clock."),
        ({"clock": Zoneless()}, "The now() of clock= (Zoneless) tells no time with a zone."),
        ({"clock": Zoneless}, "clock= is the class Zoneless. Give an object of it."),
        ({"hasher": object()}, "hasher= (object) has no hash, no matches."),
        (
            {"code_key": 5},
            "code_key= is of the type int. Give a text of the form <version>:<base64>.",
        ),
        (
            {"store": None},
            "The store is of the type NoneType. Give its address, such as 'memory://'.",
        ),
    ],
    ids=["clock without a part", "clock without a zone", "clock class", "hasher", "key", "store"],
)
async def test_a_clock_or_hasher_that_cannot_serve_is_refused(
    given: dict[str, Any], said: str
) -> None:
    """`open` names the mistake before two times are compared or a code is hashed."""
    with pytest.raises(SettingsError) as refusal:
        async with watchword.open(**{"store": "memory://", **given}):
            pass

    assert said in str(refusal.value)


async def test_the_name_of_a_provider_of_watchwords_own_is_refused() -> None:
    """Yours would stand in for it, or never be asked (C-72)."""
    with pytest.raises(
        SettingsError, match="The name 'sandbox' in channels= is that of a provider"
    ):
        async with watchword.open("memory://", channels={"sandbox": ScriptedProvider()}):
            pass


@pytest.mark.parametrize(
    "answer",
    [
        None,
        True,
        "sms-4711",
        {"status": "accepted", "id": "sms-4711"},
        loose(Accepted, 4711),
        loose(Accepted, None),
        loose(Rejected, None, "no"),
        loose(Rejected, "no_such_number", {"text": "no"}),
        loose(Unknown, b"cut"),
        Accepted("sms-\ud800"),
        Accepted("sms-\x00"),
        Rejected("no_such_number", "No \udc41."),
    ],
    ids=repr,
)
async def test_an_answer_that_cannot_be_read_is_unknown(
    answer: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """It may have been sent: the code stays valid, and the log quotes nothing (C-68)."""

    async def mumble(message: Message) -> Any:
        return answer

    phone = ScriptedProvider(mumble)
    async with watchword.open("memory://", channels={"phone": phone}) as service:
        shop = await service.accounts.create("shop")
        await service.channel_accounts.create(shop, "sms", "phone", "sms")
        template = await service.pin_templates.create(shop, "tea", [{"channel_type": "sms"}])
        with pytest.raises(watchword.DispatchFailedError) as refusal:
            await service.pins.issue(shop, template, DESTINATION)
        (sent,) = phone.messages
        pin_id = str(refusal.value.details["pinId"])
        code = sent.text.removesuffix(".").rpartition(" ")[2]
        verified = await service.pins.verify(shop, pin_id, code)
        dispatched = (await service.events.get(pin_id))[1]

    assert "VERIFIED" == verified.status
    (outcome,) = watchword.to_json(dispatched)["data"]["outcomes"]
    assert ("unknown", "provider_unknown") == (outcome["status"], outcome["errorCode"])
    assert "4711" not in caplog.text
    assert "Traceback" not in caplog.text


async def test_a_cancelled_task_of_a_provider_is_unknown() -> None:
    """A cancelled task of the provider's own is an unknown outcome: the code stays valid (C-68)."""

    async def cancelled(message: Message) -> Any:
        call = asyncio.create_task(asyncio.sleep(60))
        call.cancel()
        return await call

    async with watchword.open(
        "memory://", channels={"phone": ScriptedProvider(cancelled)}
    ) as service:
        shop = await service.accounts.create("shop")
        await service.channel_accounts.create(shop, "sms", "phone", "sms")
        template = await service.pin_templates.create(shop, "login", [{"channel_type": "sms"}])
        with pytest.raises(watchword.DispatchFailedError) as refusal:
            await service.pins.issue(shop, template, DESTINATION)

    assert refusal.value.pin_id is not None
    assert ["unknown"] == [each.status for each in refusal.value.outcomes]


async def test_a_caller_that_is_cancelled_ends() -> None:
    """A cancelled caller gets its cancellation, not a provider's outcome."""
    asked = asyncio.Event()

    async def slow(message: Message) -> Any:
        asked.set()
        await asyncio.sleep(60)

    async with watchword.open("memory://", channels={"phone": ScriptedProvider(slow)}) as service:
        shop = await service.accounts.create("shop")
        await service.channel_accounts.create(shop, "sms", "phone", "sms")
        template = await service.pin_templates.create(shop, "login", [{"channel_type": "sms"}])
        issuing = asyncio.ensure_future(service.pins.issue(shop, template, DESTINATION))
        await asked.wait()
        issuing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await issuing


async def test_an_embedder_tests_a_channel_account() -> None:
    """Each step is told when it has happened; the result has all of them (C-67)."""
    told: list[watchword.StepResult] = []
    phone = ScriptedProvider()
    async with watchword.open("memory://", channels={"phone": phone}) as service:
        shop = await service.accounts.create("shop")
        account = await service.channel_accounts.create(shop, "sms", "phone", "main")
        test = await service.channel_accounts.test(
            account, DESTINATION, text="Hello", on_step=told.append
        )
        with pytest.raises(watchword.ValidationFailedError):
            await service.channel_accounts.test(account, DESTINATION, wait_seconds=61)

    assert [*test.steps] == told
    assert ("accepted", "scripted-1") == (test.outcome, test.provider_message_id)
    assert ["Hello"] == [each.text for each in phone.messages]
