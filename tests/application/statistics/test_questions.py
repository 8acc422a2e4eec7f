"""Questions for the statistics: their ranges, and what happens at the edges (C-80, C-103)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from attrs import evolve

from tests.application.statistics.pin_histories import GUEST, NOON, Histories, Node
from tests.contracts.event_store.histories import step
from tests.contracts.event_store.outlines import ISSUED
from watchword.application.ports.event_store import Change, EventStore
from watchword.application.statistics import asking
from watchword.application.statistics.asking import Question
from watchword.application.statistics.views import By, Group, SecondsToVerify
from watchword.domain.errors import ValidationFailedError
from watchword.domain.pin import PinVerified, pin_decider

MICROSECOND = timedelta(microseconds=1)


async def test_a_pin_expires_to_the_microsecond_when_asked(store: EventStore) -> None:
    """One of two PINs that end in one second is expired a microsecond earlier than the other."""
    first, second = evolve(ISSUED, at=NOON), evolve(ISSUED, at=NOON)
    first = evolve(first, expires_at=NOON + timedelta(seconds=60, microseconds=5))
    second = evolve(second, expires_at=NOON + timedelta(seconds=60, microseconds=6))
    changes = [
        Change(f"pin_{number}", 0, (each,), pin_decider.fold((each,)))
        for number, each in enumerate((first, second))
    ]
    await store.append(step(*changes, new_people=(GUEST,)))
    happening = Histories(store)
    node = Node(store, happening.clock)
    await node.follower.run_due()
    happening.clock.move(60.000004)
    seen = []
    for _ in range(3):
        seen.append((await node.asking.ask(Question())).data[0].expired)
        happening.clock.move(0.000001)

    assert [0, 1, 2] == seen


async def test_a_late_verification_takes_an_expiry_back(store: EventStore) -> None:
    """What became of a PIN is what the log says, although its rows of expiries were dropped."""
    happening = Histories(store)
    issued = evolve(ISSUED, at=NOON, expires_at=NOON + timedelta(seconds=60))
    change = Change("pin_1", 0, (issued,), pin_decider.fold((issued,)))
    await store.append(step(change, new_people=(GUEST,)))
    node = Node(store, happening.clock)
    await node.follower.run_due()
    happening.clock.move(7_200)
    expired = (await node.asking.ask(Question())).data[0]
    verified = PinVerified(at=NOON + timedelta(hours=2), issue=1)
    change = Change("pin_1", 1, (verified,), pin_decider.fold((issued, verified)))
    await store.append(step(change))
    await node.follower.run_due()
    after = (await node.asking.ask(Question())).data[0]

    assert (1, 0) == (expired.expired, expired.verified)
    assert (0, 1) == (after.expired, after.verified)
    assert 21_600 == after.seconds_to_verify.p95


@pytest.mark.parametrize(
    ("by", "days", "field"),
    [
        (By.HOUR, 93, "from"),
        (By.DAY, 1_101, "from"),
        (By.HOUR, 0, "to"),
        (By.DAY, -1, "to"),
    ],
)
async def test_a_range_is_bounded(store: EventStore, by: By, days: int, field: str) -> None:
    """One that is too long, empty or backwards is refused by its path."""
    node = Node(store, Histories(store).clock)
    question = Question(by=by, since=NOON, until=NOON + timedelta(days=days))
    with pytest.raises(ValidationFailedError) as refused:
        await node.asking.ask(question)

    assert [field] == [each.field for each in refused.value.problems]
    longest = evolve(question, until=NOON + asking.LONGEST[by])
    assert () == (await node.asking.ask(longest)).data


async def test_an_answer_is_bounded(store: EventStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """One with too many rows is refused, and not cut off."""
    happening = Histories(store)
    await happening.begin()
    for number in range(4):
        await happening.step("create", number, 0)
    node = Node(store, happening.clock)
    while await node.follower.run_due():
        pass
    by_template = Question(group=Group.TEMPLATE)
    assert 2 == len((await node.asking.ask(by_template)).data)
    for most in (1, 0):
        # At 1, the rows of the answer are counted; at 0, the store stops.
        monkeypatch.setattr(asking, "MOST_ROWS", most)
        with pytest.raises(ValidationFailedError):
            await node.asking.ask(by_template)


async def test_without_a_range_the_newest_figures_are_told(store: EventStore) -> None:
    """Those of a day by the hour, and those of thirty days by the day."""
    happening = Histories(store)
    await happening.begin()
    await happening.step("create", 0, 0)
    happening.clock.move(25 * 3_600)
    await happening.step("create", 0, 0)
    node = Node(store, happening.clock)
    while await node.follower.run_due():
        pass

    by_hour = await node.asking.ask(Question())
    by_day = await node.asking.ask(Question(by=By.DAY))
    assert [NOON + timedelta(hours=25)] == [each.at for each in by_hour.data]
    assert [1, 1] == [each.sent for each in by_day.data]


async def test_a_whole_range_is_one_row(store: EventStore) -> None:
    """It begins where the range does, and a group has a row for each of its members (D-516)."""
    happening = Histories(store)
    await happening.begin()
    for number in range(4):
        await happening.step("create", number, 0)
        happening.clock.move(3_600)
    node = Node(store, happening.clock)
    while await node.follower.run_due():
        pass
    question = Question(by=By.DAY, since=NOON - timedelta(hours=1))

    (whole,) = (await node.asking.ask_whole(question)).data
    templates = (await node.asking.ask_whole(evolve(question, group=Group.TEMPLATE))).data
    hours = (await node.asking.ask(evolve(question, by=By.HOUR))).data

    assert (NOON - timedelta(hours=1), 4, 4) == (whole.at, whole.sent, len(hours))
    assert 4 == sum(each.sent for each in templates)
    assert len(templates) == len({each.of for each in templates}) == 2


async def test_seconds_to_verify_are_told_if_they_are_asked_for(store: EventStore) -> None:
    """An answer without them has the same counts."""
    happening = Histories(store)
    await happening.begin()
    for name in ("create", "dispatch", "verify"):
        await happening.step(name, 0, 0)
    node = Node(store, happening.clock)
    while await node.follower.run_due():
        pass

    (told,) = (await node.asking.ask_whole(Question())).data
    (counted,) = (await node.asking.ask_whole(Question(), seconds=False)).data

    assert (1, True) == (told.verified, told.seconds_to_verify.p95 is not None)
    assert evolve(told, seconds_to_verify=SecondsToVerify(None, None)) == counted
