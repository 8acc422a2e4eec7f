"""The guard's rules about numbers hold for messages: for sends, and for the steps of fallbacks (C-77)."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from tests.application.house import House, build_house, node_on
from tests.application.post_office import READY, WAIT, fallback, falls_back, message, send, work
from watchword.application.messages.sending_messages import SentMessage
from watchword.domain.channel import Channel
from watchword.domain.destination import masked
from watchword.domain.fallback_run import FallbackRejected
from watchword.domain.guard import (
    Countries,
    GuardPolicy,
    Mode,
    Moded,
    Rule,
    SendsFlagged,
    SendsRefused,
    Verdict,
)

INDIAN, BRITISH = "+919812345610", "+447700900123"
# A digit too few for its country, and of no country that there is.
IMPOSSIBLE, NOWHERE = "+1415555010", "+9991234567"
NOT_ALLOWED = (False, "destination_not_allowed")
SENT = (True, None)


def only(mode: Mode, *countries: str) -> GuardPolicy:
    """Return a policy that allows some countries alone."""
    allowed = Countries(mode=mode, allow=frozenset(countries))
    return GuardPolicy(numbers=Moded(mode=Mode.OFF), countries=allowed)


def numbers(mode: Mode) -> GuardPolicy:
    """Return a policy about numbers that cannot exist."""
    return GuardPolicy(numbers=Moded(mode=mode))


async def guarded(policy: GuardPolicy) -> House:
    """Return a house whose account has a policy."""
    house = await build_house()
    await house.service.managing_guard.put(house.by, policy)
    return house


async def sent(house: House, *recipients: str) -> list[tuple[bool, str | None]]:
    """Send a text to each, and say how the entries were answered."""
    entries = await send(house, *(message(READY, recipient=each) for each in recipients))
    return [answer_to(each) for each in entries]


def answer_to(entry: SentMessage) -> tuple[bool, str | None]:
    """Say how an entry was answered."""
    return entry.accepted, entry.error_code


async def counted(house: House) -> Counter[tuple[Verdict, Rule, str]]:
    """Return what the guard put on the record, by the subjects as they are shown."""
    await house.service.recording_decisions.end()
    counts: Counter[tuple[Verdict, Rule, str]] = Counter()
    for each in await house.store.read_log(0, 1000):
        match each.event:
            case SendsRefused(rule=rule, subject=subject, count=count):
                counts[Verdict.REFUSED, rule, subject] += count
            case SendsFlagged(rule=rule, subject=subject, count=count):
                counts[Verdict.FLAGGED, rule, subject] += count
    return counts


async def test_a_country_that_is_not_allowed_rejects_its_entry() -> None:
    """Only its entry, in any spelling; no provider is called, and the message has its history."""
    house = await guarded(only(Mode.ENFORCE, "IN"))
    answers = await sent(house, INDIAN, BRITISH, "00447700900123", NOWHERE)

    assert [SENT, NOT_ALLOWED, NOT_ALLOWED, NOT_ALLOWED] == answers
    assert [INDIAN] == [each.destination for each in house.provider.messages]
    assert {
        (Verdict.REFUSED, Rule.COUNTRIES, "GB"): 2,
        (Verdict.REFUSED, Rule.COUNTRIES, "none"): 1,
    } == await counted(house)


async def test_a_rejected_entry_is_recorded_like_any_other() -> None:
    """Its message was submitted, and dispatched as rejected."""
    house = await guarded(only(Mode.ENFORCE, "IN"))
    (entry,) = await send(house, message(READY, recipient=BRITISH))

    assert ["MessageSubmitted", "MessageDispatched"] == await house.story(entry.message_id)


async def test_a_recorded_rule_lets_all_entries_through() -> None:
    """What would be rejected is counted as flagged."""
    house = await guarded(only(Mode.RECORD, "IN"))

    assert [SENT, SENT] == await sent(house, INDIAN, BRITISH)
    assert {(Verdict.FLAGGED, Rule.COUNTRIES, "GB"): 1} == await counted(house)


@pytest.mark.parametrize(
    ("mode", "answer", "verdict"),
    [
        (Mode.OFF, SENT, None),
        (Mode.RECORD, SENT, Verdict.FLAGGED),
        (Mode.ENFORCE, NOT_ALLOWED, Verdict.REFUSED),
    ],
)
async def test_a_number_that_cannot_exist(
    mode: Mode, answer: tuple[bool, str | None], verdict: Verdict | None
) -> None:
    """It is judged by the mode; the count shows it masked."""
    house = await guarded(numbers(mode))

    assert [SENT, answer] == await sent(house, INDIAN, IMPOSSIBLE)
    expected = {} if verdict is None else {(verdict, Rule.NUMBERS, masked(IMPOSSIBLE)): 1}
    assert expected == await counted(house)


async def test_an_account_without_a_policy_flags_impossible_numbers() -> None:
    """That is the default: everything is sent, and what looks wrong is on the record."""
    house = await build_house()

    assert [SENT, SENT] == await sent(house, BRITISH, IMPOSSIBLE)
    assert {(Verdict.FLAGGED, Rule.NUMBERS, masked(IMPOSSIBLE)): 1} == await counted(house)


async def test_a_new_policy_holds_for_the_next_call() -> None:
    """A policy is obeyed from its commit on, and forgotten with it."""
    house = await guarded(only(Mode.ENFORCE, "IN"))
    first = await sent(house, BRITISH)
    await house.service.managing_guard.put(house.by, GuardPolicy())

    assert [[NOT_ALLOWED], [SENT]] == [first, await sent(house, BRITISH)]


async def test_a_step_of_a_fallback_is_judged_when_it_fires() -> None:
    """Where the country was refused meanwhile, the run ends as rejected, with the code."""
    house = await build_house()
    await falls_back(house, Channel.SMS)
    (entry,) = await send(house, message(READY, recipient=BRITISH), fallback=fallback())
    await house.service.managing_guard.put(house.by, only(Mode.ENFORCE, "IN"))
    house.clock.move(WAIT)
    await work(house)

    last = (await house.store.read_stream(str(entry.run_id)))[-1].event
    assert isinstance(last, FallbackRejected)
    assert "destination_not_allowed" == last.error_code
    assert 1 == len(house.provider.messages)
    assert {(Verdict.REFUSED, Rule.COUNTRIES, "GB"): 1} == await counted(house)


async def test_a_step_that_is_flagged_is_sent_and_counted_once() -> None:
    """The primary and the step are one count each."""
    house = await guarded(only(Mode.RECORD, "IN"))
    await falls_back(house, Channel.SMS)
    await send(house, message(READY, recipient=BRITISH), fallback=fallback())
    house.clock.move(WAIT)
    await work(house)

    assert 2 == len(house.provider.messages)
    assert {(Verdict.FLAGGED, Rule.COUNTRIES, "GB"): 2} == await counted(house)


async def test_a_policy_that_comes_between_plan_and_append_holds() -> None:
    """Another node sets it: the call is planned again, and counted once."""
    house = await build_house()
    other = node_on(house)
    house.store.meanwhile = partial(
        other.service.managing_guard.put, house.by, only(Mode.ENFORCE, "IN")
    )

    assert [NOT_ALLOWED] == await sent(house, BRITISH)
    assert {(Verdict.REFUSED, Rule.COUNTRIES, "GB"): 1} == await counted(house)


async def test_a_policy_that_was_lifted_in_between_refuses_nothing() -> None:
    """A remembered policy rejects an entry only while it holds."""
    house = await guarded(only(Mode.ENFORCE, "IN"))
    other = node_on(house)
    house.store.meanwhile = partial(other.service.managing_guard.put, house.by, GuardPolicy())

    assert [SENT] == await sent(house, BRITISH)
    assert {} == await counted(house)
