"""The lines that an operator reads when sends or the store fail (C-32)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from tests.application.house import House, build_house
from tests.application.post_office import CODE, fallback, falls_back, message, send, work
from tests.fakes.clocks import MachineSeconds
from tests.fakes.providers import HesitantProvider, QuotingProvider, ScriptedProvider
from watchword.adapters.logging_observer import LoggingObserver
from watchword.application.channel_tests.views import ChannelTestRequest
from watchword.application.errors import UnavailableError
from watchword.application.paging import Paging
from watchword.application.ports.channels import Accepted, Message, Rejected, SentMessage
from watchword.application.ports.event_store import StoreUnavailable
from watchword.domain.channel import Channel
from watchword.domain.fallback_run import RevokeOutcome
from watchword.domain.pin import DispatchFailedError


def said(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    """Return the facts of our lines, without the ids that differ each time."""
    entries: list[Any] = [record.msg for record in caplog.records]
    return [
        {
            name: value
            for name, value in entry.items()
            if name not in ("pin", "message", "channel_account")
        }
        for entry in entries
    ]


async def house_with(provider: ScriptedProvider, seconds: MachineSeconds | None = None) -> House:
    """Build the house with a logging observer."""
    observer = LoggingObserver(seconds or MachineSeconds())
    return await build_house(provider, [observer], provider_observers=[observer])


async def test_a_rejection_is_a_line(caplog: pytest.LogCaptureFixture) -> None:
    """With request, channel and the provider's code; the destination is masked."""

    async def refuse(message: Message) -> Rejected:
        return Rejected("no_such_number", f"Nobody has {message.destination}.")

    house = await house_with(ScriptedProvider(refuse))
    with pytest.raises(DispatchFailedError):
        await house.issue()

    assert [
        {
            "event": "dispatch_rejected",
            "request_id": "req_one",
            "issue": 1,
            "channel": "sms",
            "code": "no_such_number",
            "destination": "+9198******10",
        }
    ] == said(caplog)


async def test_a_provider_that_quotes_is_not_repeated(caplog: pytest.LogCaptureFixture) -> None:
    """An error code that is no plain name could be the message, and reads `provider_rejected`."""
    house = await house_with(QuotingProvider())
    with pytest.raises(DispatchFailedError):
        await house.issue()

    assert ["provider_rejected"] == [line["code"] for line in said(caplog)]


@pytest.mark.parametrize("code", ["whatsapp_131026", "whatsapp_2388023"])
async def test_a_number_of_meta_is_named(caplog: pytest.LogCaptureFixture, code: str) -> None:
    """Though it has as many digits as a code that is sent: the guide's table is looked up by it."""

    async def refuse(message: Message) -> Rejected:
        return Rejected(code, "Meta refused the message.")

    house = await house_with(ScriptedProvider(refuse))
    with pytest.raises(DispatchFailedError):
        await house.issue()

    assert [code] == [line["code"] for line in said(caplog)]


async def test_a_number_of_meta_that_is_the_code_is_not_repeated(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A provider that puts the code that it sends behind its name is not quoted."""

    async def quote(message: Message) -> Rejected:
        (digits,) = re.findall("[0-9]{6,}", message.text)
        return Rejected(f"whatsapp_{digits}", "Meta refused the message.")

    house = await house_with(ScriptedProvider(quote))
    with pytest.raises(DispatchFailedError):
        await house.issue()

    assert ["provider_rejected"] == [line["code"] for line in said(caplog)]


async def test_an_accepted_send_is_no_line(caplog: pytest.LogCaptureFixture) -> None:
    """Successes leave no line, so they cost nothing."""
    caplog.set_level("INFO")
    house = await house_with(ScriptedProvider())
    await house.issue()

    assert [] == said(caplog)


async def test_silence_is_a_line(caplog: pytest.LogCaptureFixture) -> None:
    """A send without an answer has an unknown outcome, and the line says so."""
    house = await build_house(HesitantProvider(), [LoggingObserver()], provider_timeout=0.01)
    with pytest.raises(DispatchFailedError):
        await house.issue()

    assert [("dispatch_unknown", "provider_timeout")] == [
        (line["event"], line["code"]) for line in said(caplog)
    ]


async def test_a_recovered_dispatch_is_a_line(caplog: pytest.LogCaptureFixture) -> None:
    """The worker closed a dispatch of a dead process (C-15)."""

    async def accept_and_vanish(message: Message) -> Accepted:
        house.store.reachable = False
        return Accepted("taken")

    house = await house_with(ScriptedProvider(accept_and_vanish))
    with pytest.raises(UnavailableError):
        await house.issue()
    house.store.reachable = True
    house.clock.move_real(31)
    await house.recovering.run_due()

    assert ["store_unavailable", "dispatch_recovered"] == [line["event"] for line in said(caplog)]


async def test_a_rejected_message_is_a_line(caplog: pytest.LogCaptureFixture) -> None:
    """A code, a message and a fallback's step have the same line, without a word of the text (C-23)."""

    async def refuse(message: Message) -> Rejected:
        return Rejected("no_such_number", f"Refused: {message.text}")

    house = await house_with(ScriptedProvider(refuse))
    await falls_back(house)
    await send(house, message(CODE), fallback=fallback())
    await work(house)

    assert ["dispatch_rejected"] * 2 == [line["event"] for line in said(caplog)]
    assert ["+4477******23"] * 2 == [line["destination"] for line in said(caplog)]
    assert "CANARY" not in caplog.text


async def test_an_outage_is_two_lines(caplog: pytest.LogCaptureFixture) -> None:
    """One at its begin and one at its end, for any number of requests."""
    seconds = MachineSeconds()
    house = await house_with(ScriptedProvider(), seconds)
    house.store.reachable = False
    for _ in range(5):
        with pytest.raises(UnavailableError):
            await house.issue()
        seconds.forward(1)
    house.store.reachable = True
    for _ in range(2):
        await house.issue()
        seconds.forward(1)

    assert [
        {"event": "store_unavailable", "reason": "other"},
        {"event": "store_available", "seconds": 5.0},
    ] == said(caplog)


def test_a_store_at_its_limit_does_not_flood_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """It refuses and takes by turns: it is back when nothing was refused for a second."""
    seconds = MachineSeconds()
    observer = LoggingObserver(seconds)
    for _ in range(100):
        observer.unavailable(StoreUnavailable("full"))
        observer.available()
        seconds.forward(0.5)
    seconds.forward(0.5)
    observer.available()

    assert ["store_unavailable", "store_available"] == [line["event"] for line in said(caplog)]


def test_the_reason_is_a_kind(caplog: pytest.LogCaptureFixture) -> None:
    """The line contains the kind of a database failure, since its text may quote values."""
    LoggingObserver().unavailable(StoreUnavailable("The disk is full: CANARY.", "SQLITE_FULL"))

    assert [{"event": "store_unavailable", "reason": "SQLITE_FULL"}] == said(caplog)


def test_a_slow_commit_is_a_line(caplog: pytest.LogCaptureFixture) -> None:
    """A commit of a second or more is a line, with the number of its appends."""
    observer = LoggingObserver()
    observer.wrote(3, 0.999)
    observer.wrote(7, 1.25)

    assert [{"event": "slow_commit", "appends": 7, "seconds": 1.25}] == said(caplog)


async def test_a_fault_of_an_adapter_is_a_line_with_its_place(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """File, line and class, and neither the text nor the source, which may have a secret; once a minute."""

    async def blab(message: Message) -> Accepted:
        raise KeyError(message.text)

    seconds = MachineSeconds()
    house = await house_with(ScriptedProvider(blab), seconds)
    for pause in (0, 59, 2):
        seconds.forward(pause)
        with pytest.raises(DispatchFailedError):
            await house.issue()
    lines = [each for each in said(caplog) if each["event"] == "adapter_failed"]

    assert [("send", "KeyError")] * 2 == [(each["call"], each["error"]) for each in lines]
    assert re.fullmatch(rf"{re.escape(__file__)}:\d+ in blab", lines[0]["places"][-1])
    assert "verification code" not in caplog.text
    assert "message.text" not in caplog.text


async def test_a_fault_of_a_log_in_and_of_a_revoke_are_lines(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The line names the call."""

    class Faulty(ScriptedProvider):
        async def probe(self, config: Mapping[str, Any]) -> None:
            raise LookupError("hunter2")

        async def revoke(self, *_: object) -> Any:
            raise LookupError("hunter2")

    house = await house_with(Faulty())
    account = (await house.service.channel_accounts.list(None, Paging())).data[0]
    await house.service.channel_tests.whole(
        house.by, account.id, ChannelTestRequest(to="+4477009123456")
    )
    sent = SentMessage(reference="msg_tea", destination="+4477009123456")
    revoked = await house.service.provider_calls.revoke(Channel.SMS, account.id, sent)

    assert RevokeOutcome.NOT_REVOKED is revoked
    assert ["probe", "revoke"] == [
        each["call"] for each in said(caplog) if each["event"] == "adapter_failed"
    ]
    assert "hunter2" not in caplog.text


def test_a_look_up_of_templates_that_failed_is_a_line(caplog: pytest.LogCaptureFixture) -> None:
    """With the code; one that does not look like a code is not quoted."""
    observer = LoggingObserver()
    observer.templates_not_looked_up("cha_tea", "whatsapp_190")
    observer.templates_not_looked_up("cha_tea", "EAAJB secret")

    event = {"event": "templates_not_looked_up"}
    assert [event | {"code": "whatsapp_190"}, event | {"code": "other"}] == said(caplog)
