"""A test sends one message through one channel account, and says what each step did (C-67)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import aclosing
from functools import partial
from typing import Any

import pytest

from tests.application.channel_tests.benches import (
    TO,
    Bench,
    Probed,
    answering,
    bench,
    details,
    steps,
)
from tests.application.house import build_house, node_on
from tests.fakes.providers import BlabbingProvider, ScriptedProvider
from watchword.adapters.keyring import Keyring
from watchword.application.channel_tests.views import (
    ChannelTestRequest,
)
from watchword.application.errors import UnavailableError
from watchword.application.messages.looking_up.searching_messages import MessageSearch
from watchword.application.paging import Paging
from watchword.application.ports.channels import (
    Accepted,
    Connected,
    Fault,
    Message,
    Rejected,
    Unknown,
)
from watchword.domain.accounts.channel_account import ChannelAccountNotFoundError
from watchword.domain.channel import Channel, OutcomeStatus
from watchword.domain.errors import FieldProblem, ValidationFailedError

OPERATOR_TEXT = "CANARY tea at 4711"


async def test_each_step_is_ok_when_the_provider_works() -> None:
    """The message goes out with the account's sender, under a reference of its own."""
    there = await bench(
        Probed(Connected("api.example.com:443 TLSv1.3")), {"token": "s", "key": "t"}
    )
    test = await there.run(text=OPERATOR_TEXT)
    (sent,) = there.house.provider.messages

    assert [
        ("config", "ok"),
        ("connect", "ok"),
        ("send", "ok"),
        ("receipt", "skipped"),
    ] == steps(test)
    assert [
        "2 secrets sealed under code key 1",
        "api.example.com:443 TLSv1.3",
        "accepted as scripted-1",
        "not waited for",
    ] == details(test)
    assert (OutcomeStatus.ACCEPTED, "scripted-1") == (test.outcome, test.provider_message_id)
    assert (TO, "BENCH", OPERATOR_TEXT) == (sent.destination, sent.sender, sent.text)
    assert sent.reference.startswith("cht_")


class Reaching(Probed):
    """A provider that answers, in a way of its own, whether it reaches a recipient."""

    def __init__(self, said: Any) -> None:
        super().__init__(Connected("api.example.com:443 TLSv1.3"))
        self.said = said
        self.asked: list[str] = []

    async def reachability(self, config: Mapping[str, Any], destination: str) -> Any:
        """Say it."""
        self.asked.append(destination)
        if isinstance(self.said, Exception):
            raise self.said
        return self.said


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("the number takes RCS", "; the number takes RCS"),
        (None, ""),
        (TimeoutError(), ""),
        (RuntimeError("CANARY"), ""),
        (7, ""),
    ],
    ids=["words", "nothing", "late", "failing", "odd"],
)
async def test_the_log_in_says_whether_the_recipient_is_reached(said: Any, shown: str) -> None:
    """Where the provider tells; one that fails in it does not stop the send."""
    provider = Reaching(said)
    test = await (await bench(provider)).run()

    assert f"api.example.com:443 TLSv1.3{shown}" == details(test)[1]
    assert ("connect", "ok") == steps(test)[1]
    assert [TO] == provider.asked
    assert "accepted" == test.outcome


async def test_a_test_is_recorded_and_is_no_message() -> None:
    """The account's stream has the outcome and the provider's id; no event has the text or the number."""
    there = await bench()
    await there.run(text=OPERATOR_TEXT)
    (event,) = await there.recorded()
    log = await there.house.store.read_log(0, 1000)
    search = MessageSearch(account_id=there.house.by.account_id)
    listed = await there.house.service.searching_messages.search(search, Paging())

    assert (OutcomeStatus.ACCEPTED, "scripted-1", None) == (
        event.status,
        event.provider_message_id,
        event.code,
    )
    assert [] == [each for each in log if "CANARY" in repr(each) or TO in repr(each)]
    assert {"ChannelAccountTested"} == {
        each.type for each in log if each.stream == there.account.id
    } - {"ChannelAccountCreated"}
    assert 0 == listed.total


@pytest.mark.parametrize(
    ("answer", "status", "outcome", "said", "code"),
    [
        (
            Rejected("gateway_21211", "The number does not exist."),
            "failed",
            "rejected",
            "gateway_21211: The number does not exist.",
            "gateway_21211",
        ),
        (
            Unknown(message="The answer was cut off."),
            "unknown",
            "unknown",
            "provider_unknown: The answer was cut off.",
            "provider_unknown",
        ),
        (
            Rejected("cannot_send_4711", "No."),
            "failed",
            "rejected",
            "provider_rejected: No.",
            "provider_rejected",
        ),
        (
            Rejected("no_447700900123", "No."),
            "failed",
            "rejected",
            "provider_rejected: No.",
            "provider_rejected",
        ),
        (
            Rejected("No such number", "No."),
            "failed",
            "rejected",
            "provider_rejected: No.",
            "provider_rejected",
        ),
    ],
    ids=["rejected", "unknown", "quotes the text", "quotes the number", "no name"],
)
async def test_a_send_that_fails_is_told_with_its_code(
    answer: Any, status: str, outcome: str, said: str, code: str
) -> None:
    """The event stores the code, without a part of the message."""
    there = await bench(answering(answer))
    test = await there.run(text=OPERATOR_TEXT)
    (event,) = await there.recorded()

    assert ("send", status) == steps(test)[2]
    assert said == details(test)[2]
    assert (outcome, code) == (test.outcome, event.code)


async def test_an_adapter_that_fails_leaves_the_outcome_unknown() -> None:
    """The words of its error are shown to nobody."""
    there = await bench(BlabbingProvider())
    test = await there.run(text=OPERATOR_TEXT)

    assert "unknown" == test.outcome
    assert "CANARY" not in repr(test)


@pytest.mark.parametrize(
    ("answer", "status", "said"),
    [
        (None, "skipped", "this provider has nothing to log in to"),
        (Connected(), "ok", "logged in"),
        (Unknown(message="No answer."), "unknown", "No answer."),
        (
            RuntimeError("password hunter2"),
            "unknown",
            "the provider's adapter failed (RuntimeError); the log says where",
        ),
        (Unknown(), "unknown", "nobody knows whether the provider answers"),
        (
            True,
            "unknown",
            "the provider's adapter answered the log-in with a bool, and not with Connected, Rejected,"
            " Unknown or None; have it corrected",
        ),
        (Connected("a \ud800" + 1_000 * "x"), "ok", "a ?" + 597 * "x"),
    ],
    ids=[
        "nothing",
        "without words",
        "unknown",
        "raises",
        "without a reason",
        "not of the port",
        "too much",
    ],
)
async def test_a_doubtful_log_in_does_not_stop_the_send(
    answer: Any, status: str, said: str
) -> None:
    """The send says more than a log-in whose answer nobody understood."""
    test = await (await bench(Probed(answer))).run()

    assert ("connect", status) == steps(test)[1]
    assert said == details(test)[1]
    assert "accepted" == test.outcome


async def test_a_refused_log_in_ends_the_test() -> None:
    """Nothing is sent and nothing recorded; the outcome is a certain one."""
    there = await bench(Probed(Rejected("wrong_password", "Give another password.")))
    test = await there.run(wait_seconds=60)

    assert [
        ("config", "ok"),
        ("connect", "failed"),
        ("send", "skipped"),
        ("receipt", "skipped"),
    ] == steps(test)
    assert "wrong_password: Give another password." == details(test)[1]
    assert ("rejected", None) == (test.outcome, test.provider_message_id)
    assert [] == there.house.provider.messages
    assert [] == await there.recorded()


async def test_a_log_in_that_hangs_is_unknown() -> None:
    """It has the time-out of a send."""

    class Hanging(ScriptedProvider):
        async def probe(self, config: Mapping[str, Any]) -> None:
            """Hang."""
            await asyncio.Event().wait()

    house = await build_house(Hanging(), provider_timeout=0.01)
    (account, *_) = (await house.service.channel_accounts.list(house.by.account_id, Paging())).data
    test = await Bench(house, account).run()

    assert ("unknown", "no answer within 0.01 s") == (steps(test)[1][1], details(test)[1])


async def test_secrets_that_this_node_cannot_open_end_the_test() -> None:
    """The detail tells what to do."""
    there = await bench(config={"token": "s"})
    elsewhere = Bench(node_on(there.house, Keyring(2, {2: b"n" * 32})), there.account)
    test = await elsewhere.run()

    assert ("config", "failed") == steps(test)[0]
    assert "start it with the code key that seals them" in details(test)[0]
    assert "rejected" == test.outcome


async def test_a_config_that_its_provider_no_longer_takes_ends_the_test() -> None:
    """A newer release of an adapter may know other settings; the problem is told by its path."""

    class Changed(ScriptedProvider):
        strict = False

        def check_config(self, config: Mapping[str, Any]) -> Mapping[str, Any]:
            """Refuse everything once it is strict."""
            if self.strict:
                raise ValidationFailedError([FieldProblem("config.port", "is required")])
            return dict(config)

    provider = Changed()
    there = await bench(provider)
    provider.strict = True
    test = await there.run()

    assert "the provider no longer takes the config: config.port is required" == details(test)[0]


async def test_a_provider_that_this_node_lacks_ends_the_test() -> None:
    """As after a plugin was uninstalled."""
    house = await build_house(others={"pigeon": ScriptedProvider()})
    account = await house.service.channel_accounts.create(
        house.by, channel_type=Channel.SMS, provider="pigeon", name="loft", config={}
    )
    test = await Bench(node_on(house), account).run()

    assert "this node has no provider 'pigeon'" == details(test)[0]


@pytest.mark.parametrize(
    ("channel", "given", "fields"),
    [
        (Channel.SMS, {"to": "nobody"}, ["to"]),
        (Channel.EMAIL, {"to": TO}, ["to"]),
        (Channel.SMS, {"template": "hello"}, ["template"]),
        (Channel.WHATSAPP, {"language": "en"}, ["language"]),
        (Channel.SMS, {"to": "x", "template": "y", "language": "en"}, ["to", "template"]),
    ],
)
async def test_a_wrong_request_is_refused_before_the_test(
    channel: Channel, given: dict[str, Any], fields: list[str]
) -> None:
    """All problems at once, by their paths."""
    there = await bench(channel=channel)
    with pytest.raises(ValidationFailedError) as refusal:
        await there.run(**given)

    assert fields == [each.path for each in refusal.value.problems]
    assert [] == there.house.provider.messages


async def test_an_unknown_channel_account_is_not_found() -> None:
    """So is the id of another record."""
    house = await build_house()
    for unknown in ("cha_0", house.by.account_id):
        with pytest.raises(ChannelAccountNotFoundError):
            await house.service.channel_tests.whole(house.by, unknown, ChannelTestRequest(to=TO))


async def test_a_template_goes_to_the_provider() -> None:
    """With the text as its value, where one is given."""
    there = await bench(channel=Channel.WHATSAPP)
    await there.run(template="hello_world", language="en_US", text="4711")
    (sent,) = there.house.provider.messages

    assert sent.template is not None
    assert ("hello_world", "en_US", "4711") == (
        sent.template.name,
        sent.template.language,
        sent.template.code,
    )


async def test_mail_has_a_subject() -> None:
    """A message without a subject is often taken for spam."""
    there = await bench(channel=Channel.EMAIL)
    await there.run("asha@example.com")

    assert "Test message" == there.house.provider.messages[0].subject


async def test_the_send_is_recorded_before_anybody_is_told() -> None:
    """A client that goes away during the wait leaves a recorded test."""
    there = await bench()
    asked = ChannelTestRequest(to=TO, wait_seconds=60)
    async with aclosing(
        await there.house.service.channel_tests.begin(there.house.by, there.account.id, asked)
    ) as test:
        told = [await anext(test) for _ in range(3)]

    assert "send" == getattr(told[-1], "step", None)
    assert 1 == len(await there.recorded())


async def test_a_store_out_of_reach_ends_a_test() -> None:
    """What cannot be recorded is an error, as for any send."""

    async def gone(message: Message) -> Accepted:
        there.house.store.reachable = False
        return Accepted("p-1")

    there = await bench(ScriptedProvider(gone))
    with pytest.raises(UnavailableError):
        await there.run()


async def test_a_disabled_account_is_tested_all_the_same() -> None:
    """Operators test an account before they enable it (D-223)."""
    there = await bench()
    await there.house.service.revising_channel_accounts.disable(there.house.by, there.account.id)
    test = await there.run()

    assert "accepted" == test.outcome


async def test_a_test_tries_no_other_account() -> None:
    """Failover would hide that this account does not work."""

    async def away(message: Message) -> Rejected:
        return Rejected("gateway_away", "Nobody answers.", Fault.AWAY)

    house = await build_house(ScriptedProvider(away))
    create = partial(
        house.service.channel_accounts.create,
        house.by,
        channel_type=Channel.SMS,
        provider="scripted",
        config={},
    )
    second = await create(name="second")
    first = await create(name="first", failover=(second.id,))
    test = await Bench(house, first).run()

    assert "rejected" == test.outcome
    assert [first.id] == [each.channel_account_id for each in house.provider.messages]
