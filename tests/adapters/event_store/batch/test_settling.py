"""Settling a batch: each append is decided as if those before it had been written already."""

from __future__ import annotations

from datetime import datetime

from hypothesis import given
from hypothesis import strategies as st

from tests.contracts.event_store.histories import (
    FERN,
    MOSS,
    NOON,
    ORCHID,
    grown,
    per_seconds,
    second,
    step,
)
from watchword.adapters.event_store.batch.facts import (
    Facts,
    Questions,
    Uses,
    questions,
)
from watchword.adapters.event_store.batch.idempotency import KeyRecord
from watchword.adapters.event_store.batch.settling import Writes, settle
from watchword.application.ports.event_store import (
    Append,
    Due,
    DueKind,
    HeldByOthers,
    KeyInProgress,
    LeaseLost,
    Overtaken,
    RateReached,
    Repair,
    Reservation,
    StreamConflict,
)
from watchword.domain.conditions import Hold, Release, SoleHolder, Unchanged, WithinRate

REAL_NOW = 1000.0
TEA, POT = (Due(DueKind.FALLBACK, stream, 1, second(1)) for stream in ("tea", "pot"))
KEY = Reservation(scope="key", fingerprints=("body",), owner="first")


def uses_of(*counts_and_times: tuple[int, float]) -> list[Append]:
    """Return one append per use of one subject: under which ceiling, at which second."""
    return [
        step(conditions=(WithinRate("sends", per_seconds(count), second(at)),))
        for count, at in counts_and_times
    ]


def facts_for(asked: Questions, used: list[datetime]) -> Facts:
    """Answer questions about the uses of one subject, as a store does, and no others."""
    if not asked.uses:
        return Facts()
    last = len(used)
    numbers = {
        number
        for (_, count), hits in asked.uses.items()
        for number in range(last + 1 - count, last + hits - count + 1)
    }
    times = {number: at for number, at in enumerate(used, 1) if number in numbers}
    return Facts(uses={"sends": Uses(last, times)})


def test_a_batch_asks_for_all_that_it_looks_at() -> None:
    """It asks for each stream, key and sole holder once; joining asks for nothing."""
    asked = questions(
        [
            step(grown(ORCHID), conditions=(Unchanged(FERN, 1), Hold("a", ORCHID))),
            step(grown(ORCHID), conditions=(SoleHolder("b", FERN), Release("c", FERN))),
            step(grown(MOSS), taking=KEY),
            step(completing=Reservation(scope="done", fingerprints=("body",), owner="first")),
            step(renewing=Reservation(scope="slow", fingerprints=("body",), owner="first")),
        ]
    )

    assert {ORCHID, FERN, MOSS} == asked.streams
    assert {"b"} == asked.holders
    assert {"key", "done", "slow"} == asked.keys


def test_who_holds_alone_already_is_not_written_again() -> None:
    """A renewed holder writes nothing; taking over writes, also within the batch."""
    batch = [
        step(conditions=(SoleHolder("mine", FERN),)),
        step(conditions=(SoleHolder("theirs", FERN, frozenset({ORCHID})),)),
        step(conditions=(Release("back", FERN),)),
        step(conditions=(SoleHolder("back", FERN),)),
    ]
    holders = {"mine": {FERN}, "theirs": {FERN, ORCHID}, "back": {FERN}}
    verdicts, writes = settle(batch, Facts(holders=holders), REAL_NOW)

    assert [None] * 4 == verdicts
    assert {
        ("theirs", FERN): True,
        ("theirs", ORCHID): False,
        ("back", FERN): True,
    } == writes.held


def test_uses_under_different_ceilings_in_one_batch_see_each_other() -> None:
    """The batch asks for all uses that its ceilings need, whatever uses come before in the batch."""
    used = [second(at) for at in range(20)]
    batch = uses_of((100, 20), (100, 20), (100, 20), (10, 22))
    verdicts, _ = settle(batch, facts_for(questions(batch), used), REAL_NOW)

    assert [None, None, None] == verdicts[:3]
    assert isinstance(verdicts[3], RateReached)
    assert second(23) == verdicts[3].free_at


@given(
    used=st.lists(st.integers(0, 30), max_size=12).map(sorted),
    batch=st.lists(st.tuples(st.integers(1, 8), st.integers(25, 45)), max_size=8),
)
def test_a_batch_is_settled_as_if_one_by_one(
    used: list[int], batch: list[tuple[int, float]]
) -> None:
    """With the facts that the batch asked for, every verdict is the one that all facts would give."""
    before = [second(at) for at in used]
    appends = uses_of(*batch)
    together, _ = settle(appends, facts_for(questions(appends), before), REAL_NOW)
    alone = Facts(uses={"sends": Uses(len(before), dict(enumerate(before, 1)))})
    one_by_one = [settle([each], alone, REAL_NOW)[0][0] for each in appends]

    assert [repr(each) for each in one_by_one] == [repr(each) for each in together]
    assert [each.free_at for each in one_by_one if isinstance(each, RateReached)] == [
        each.free_at for each in together if isinstance(each, RateReached)
    ]


@given(
    used=st.lists(st.integers(0, 30), max_size=12).map(sorted),
    batch=st.lists(st.tuples(st.integers(1, 8), st.integers(25, 45)), min_size=1, max_size=8),
    on_time=st.integers(1, 8),
)
def test_what_late_ones_need_is_asked_on_top(
    used: list[int], batch: list[tuple[int, float]], on_time: int
) -> None:
    """A batch asked for in two parts is settled like one that was asked for at once."""
    before = [second(at) for at in used]
    appends = uses_of(*batch)
    first = questions(appends[:on_time])
    facts = facts_for(first, before)
    facts.add(facts_for(questions(appends).beyond(first), before))
    in_parts, _ = settle(appends, facts, REAL_NOW)
    at_once, _ = settle(appends, facts_for(questions(appends), before), REAL_NOW)

    assert [repr(each) for each in at_once] == [repr(each) for each in in_parts]


def test_nothing_is_asked_twice() -> None:
    """Known facts are not asked for again; of a subject with more uses, all are."""
    first = step(grown(ORCHID), conditions=(WithinRate("sends", per_seconds(2), NOON),), taking=KEY)
    second_one = step(grown(FERN), conditions=(SoleHolder("name", FERN),), completing=KEY)
    again = step(grown(ORCHID, at=1), conditions=(WithinRate("sends", per_seconds(2), NOON),))

    asked = questions([first])
    assert Questions(streams={FERN}, holders={"name"}) == questions([first, second_one]).beyond(
        asked
    )
    assert Questions(uses={("sends", 2): 2}) == questions([first, again]).beyond(asked)


def test_a_refused_append_changes_no_facts() -> None:
    """Appends behind a refused one are decided as if it were absent."""
    facts = Facts(versions={ORCHID: 3})
    verdicts, writes = settle(
        [
            step(
                grown(ORCHID, at=2),
                conditions=(WithinRate("sends", per_seconds(1), NOON), Hold("pot", FERN)),
                taking=KEY,
            )
        ],
        facts,
        REAL_NOW,
    )

    assert [StreamConflict] == [type(each) for each in verdicts]
    assert Facts(versions={ORCHID: 3}) == facts
    assert Writes() == writes


def test_each_append_sees_what_those_before_it_wrote() -> None:
    """Versions, holders, uses and keys move on within the batch."""
    verdicts, _ = settle(
        [
            step(grown(ORCHID), conditions=(SoleHolder("name", ORCHID),), taking=KEY),
            step(grown(ORCHID)),
            step(grown(ORCHID, at=1), conditions=(SoleHolder("name", FERN),)),
            step(grown(ORCHID, at=1), conditions=(Release("name", ORCHID),)),
            step(grown(ORCHID, at=2), conditions=(SoleHolder("name", FERN),)),
            step(taking=KEY),
            step(completing=KEY, answer=b"done"),
            step(completing=KEY, answer=b"again"),
        ],
        Facts(),
        REAL_NOW,
    )

    assert [
        type(None),
        StreamConflict,
        HeldByOthers,
        type(None),
        type(None),
        KeyInProgress,
        type(None),
        LeaseLost,
    ] == [type(each) for each in verdicts]


def test_what_is_written_is_where_the_batch_ends() -> None:
    """If a value changes more than once in a batch, the last value is written."""
    _, writes = settle(
        [
            step(conditions=(Hold("live", ORCHID), WithinRate("sends", per_seconds(2), second(1)))),
            step(conditions=(SoleHolder("live", FERN, frozenset({ORCHID, MOSS})),)),
            step(conditions=(Hold("live", MOSS), WithinRate("sends", per_seconds(2), second(2)))),
            step(taking=KEY),
            step(completing=KEY, answer=b"done"),
        ],
        Facts(holders={"live": {MOSS}}, uses={"sends": Uses(7)}),
        REAL_NOW,
    )

    assert {("live", ORCHID): False, ("live", MOSS): True, ("live", FERN): True} == writes.held
    assert {("sends", 8): second(1), ("sends", 9): second(2)} == writes.uses
    assert {"key": KeyRecord("body", "first", REAL_NOW + 30, NOON, b"done")} == writes.keys


def test_a_due_row_is_asked_for_by_who_counts_on_it_alone() -> None:
    """What puts or ends a row asks for nothing, and a late append asks for what was not asked before."""
    first = [step(standing=(TEA,)), step(due=(POT,), done=(POT,))]
    late = step(standing=(TEA, POT))

    assert {TEA.key} == questions(first).due
    assert {POT.key} == questions([*first, late]).beyond(questions(first)).due


def test_who_counts_on_a_due_row_sees_the_batch_before() -> None:
    """A row that was put, ended or removed by a repair just before is so for the next append."""
    batch = [
        step(standing=(TEA,)),
        step(standing=(POT,)),
        step(due=(POT,)),
        step(standing=(TEA, POT), done=(TEA,)),
        step(standing=(TEA,)),
        step(repair=Repair(stray_due=(POT.key,))),
        step(standing=(POT,)),
    ]
    facts = Facts(due={POT.key: None})
    facts.add(Facts(due={TEA.key: TEA.at}))
    verdicts, _ = settle(batch, facts, REAL_NOW)

    assert [None, "pot", None, None, "tea", None, "pot"] == [
        each.name if isinstance(each, Overtaken) else each for each in verdicts
    ]
