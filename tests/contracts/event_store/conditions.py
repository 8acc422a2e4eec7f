"""The promises of every event store about rates and holders."""

from __future__ import annotations

import asyncio

import pytest

from tests.contracts.event_store.histories import (
    FERN,
    MOSS,
    NOON,
    ONE_MICROSECOND,
    ORCHID,
    grown,
    per_seconds,
    second,
    step,
)
from watchword.application.ports.event_store import (
    Append,
    EventStore,
    HeldByOthers,
    RateReached,
    StreamConflict,
)
from watchword.domain.conditions import Hold, Release, SoleHolder, WithinRate
from watchword.domain.legacy.legacy_user import legacy_email
from watchword.domain.rate_limit import Rate
from watchword.domain.receipt import provider_message

# A provider's id that holds the number, and an e-mail address.
PERSONAL = (
    provider_message("cha_1", "wamid.919812345610"),
    legacy_email("asha@tea.example"),
)


def use(rate: Rate, at: float, subject: str = "sends") -> Append:
    """Use a subject once, at so many seconds after noon, and write nothing else."""
    return step(at=second(at), conditions=(WithinRate(subject, rate, second(at)),))


class RatesContract:
    """A rate holds exactly: at most `count` uses in any window."""

    async def test_as_many_uses_as_the_count(self, store: EventStore) -> None:
        """The last use within the count is let through, the next is refused."""
        for at in (0, 1, 2):
            await store.append(use(per_seconds(3), at))

        with pytest.raises(RateReached) as reached:
            await store.append(use(per_seconds(3), 3))

        assert "sends" == reached.value.subject
        assert second(10) == reached.value.free_at

    async def test_a_use_is_free_again_exactly_a_window_later(self, store: EventStore) -> None:
        """A microsecond before `free_at` is too early; `free_at` is not."""
        rate = per_seconds(1)
        await store.append(use(rate, 0))
        free_at = second(10)
        early = free_at - ONE_MICROSECOND

        with pytest.raises(RateReached) as reached:
            await store.append(step(at=early, conditions=(WithinRate("sends", rate, early),)))
        await store.append(step(at=free_at, conditions=(WithinRate("sends", rate, free_at),)))

        assert free_at == reached.value.free_at

    async def test_the_window_slides(self, store: EventStore) -> None:
        """Each use counts for one window from its own time, not from the start of a period."""
        rate = per_seconds(3)
        allowed = []
        for at in (0, 4, 8, 9, 10, 11, 13, 14, 15, 18, 19, 20):
            try:
                await store.append(use(rate, at))
            except RateReached:
                continue
            allowed.append(at)

        assert [0, 4, 8, 10, 14, 18, 20] == allowed

    async def test_a_look_counts_nothing(self, store: EventStore) -> None:
        """It is refused exactly when a use would be, also beside uses of the same append."""
        rate = per_seconds(2)
        look = WithinRate("sends", rate, second(1), counted=False)
        for _ in range(3):
            await store.append(step(at=second(1), conditions=(look, look, look)))
        await store.append(use(rate, 1))
        await store.append(step(at=second(1), conditions=(look,)))
        await store.append(use(rate, 1))

        with pytest.raises(RateReached) as reached:
            await store.append(step(at=second(1), conditions=(look,)))
        assert second(11) == reached.value.free_at
        with pytest.raises(RateReached):
            await store.append(use(rate, 2))

    async def test_a_subject_under_two_rates_is_under_both(self, store: EventStore) -> None:
        """The one that is full refuses, whichever is named first."""
        for at in range(4):
            await store.append(use(per_seconds(5), at))
        full, free = [
            WithinRate("sends", per_seconds(each), second(4), counted=False) for each in (2, 9)
        ]
        for both in ((full, free), (free, full)):
            with pytest.raises(RateReached) as reached:
                await store.append(step(at=second(4), conditions=both))

            assert second(12) == reached.value.free_at

    async def test_old_uses_are_forgotten_by_subject(self, store: EventStore) -> None:
        """All of a subject whose newest is old, and of no other; the rate then begins anew."""
        for at, subject in ((0, "login:a"), (1, "login:a"), (0, "login:b"), (5, "login:b")):
            await store.append(use(per_seconds(2), at, subject))
        await store.append(use(per_seconds(1), 0, "login;"))

        assert 2 == await store.forget_uses("login:", second(5))
        assert 0 == await store.forget_uses("login:", second(5))
        await store.append(use(per_seconds(2), 5, "login:a"))
        for full, subject in ((per_seconds(2), "login:b"), (per_seconds(1), "login;")):
            with pytest.raises(RateReached):
                await store.append(use(full, 6, subject))

    async def test_a_refused_use_does_not_count(self, store: EventStore) -> None:
        """Repeated refusals do not move the time at which a use is free again."""
        rate = per_seconds(1)
        await store.append(use(rate, 0))
        for at in (1, 5, 9):
            with pytest.raises(RateReached):
                await store.append(use(rate, at))

        await store.append(use(rate, 10))

    async def test_an_append_that_is_refused_for_another_reason_is_no_use(
        self, store: EventStore
    ) -> None:
        """A conflict, or another ceiling, takes the use back."""
        rate, wide = per_seconds(1), per_seconds(100)
        await store.append(use(rate, 0, "full"))
        spend = WithinRate("sends", rate, second(1))
        with pytest.raises(StreamConflict):
            await store.append(step(grown(MOSS, at=3), conditions=(spend,)))
        with pytest.raises(RateReached) as reached:
            await store.append(step(conditions=(spend, WithinRate("full", rate, second(1)), spend)))
        await store.append(use(wide, 1, "other"))

        assert "full" == reached.value.subject
        await store.append(use(rate, 1))

    async def test_subjects_are_counted_apart(self, store: EventStore) -> None:
        """A ceiling that one subject reached leaves the others alone."""
        rate = per_seconds(1)
        await store.append(use(rate, 0, "sends:tea"))
        await store.append(use(rate, 0, "sends:tea:house"))
        await store.append(use(rate, 0, "sends:te_"))

        with pytest.raises(RateReached):
            await store.append(use(rate, 0, "sends:tea"))

    async def test_several_uses_in_one_append_count_each(self, store: EventStore) -> None:
        """Two uses of a subject in one append need room for two."""
        both = (WithinRate("sends", per_seconds(1), NOON),) * 2
        with pytest.raises(RateReached) as reached:
            await store.append(step(conditions=both))

        assert second(10) == reached.value.free_at
        three = (WithinRate("sends", per_seconds(4), second(1)),) * 3
        await store.append(step(conditions=three))
        with pytest.raises(RateReached):
            await store.append(
                step(conditions=(WithinRate("sends", per_seconds(4), second(2)),) * 2)
            )
        await store.append(use(per_seconds(4), 2))

    async def test_a_lower_ceiling_looks_at_the_uses_under_the_higher_one(
        self, store: EventStore
    ) -> None:
        """A use is measured by the ceiling it is made under, against all uses before."""
        for at in range(5):
            await store.append(use(per_seconds(5), at))

        with pytest.raises(RateReached) as reached:
            await store.append(use(per_seconds(2), 12))

        assert second(13) == reached.value.free_at
        await store.append(use(per_seconds(2), 13))

    async def test_a_higher_ceiling_looks_at_the_uses_under_the_lower_one(
        self, store: EventStore
    ) -> None:
        """After a ceiling is raised, earlier uses still count."""
        for at in (0, 10, 20):
            await store.append(use(per_seconds(1), at))
        await store.append(use(per_seconds(3), 25))
        await store.append(use(per_seconds(3), 26))

        with pytest.raises(RateReached) as reached:
            await store.append(use(per_seconds(3), 27))

        assert second(30) == reached.value.free_at

    async def test_a_wider_window_looks_further_back(self, store: EventStore) -> None:
        """After a window is widened, uses outside the old window count in the new one."""
        for at in (0, 1, 2):
            await store.append(use(Rate("1/s"), at))

        with pytest.raises(RateReached) as reached:
            await store.append(use(Rate("3/1d"), 3))

        assert second(24 * 60 * 60) == reached.value.free_at

    async def test_a_clock_that_steps_back_makes_no_room(self, store: EventStore) -> None:
        """After the clock stepped back, no window ever holds more uses than the ceiling."""
        rate = per_seconds(2)
        made: list[float] = []
        for at in (100, 95, 101, 104, 110, 105, 111, 120, 116, 121):
            try:
                await store.append(use(rate, at))
            except RateReached:
                continue
            made.append(at)

        assert [100, 95, 110, 105, 120, 116] == made
        assert 2 == max(sum(start <= at < start + 10 for at in made) for start in made)

    @pytest.mark.parametrize("limit", [1, 37])
    async def test_of_many_at_once_exactly_the_limit_is_let_through(
        self, store: EventStore, limit: int
    ) -> None:
        """Two hundred tasks spend one subject: as many as the ceiling succeed, no more, no fewer."""
        rate = Rate(f"{limit}/1h")

        told = await asyncio.gather(
            *(
                store.append(
                    step(
                        grown(f"key-{number}"),
                        conditions=(WithinRate("sends", rate, second(number / 1000)),),
                    )
                )
                for number in range(200)
            ),
            return_exceptions=True,
        )

        assert 200 - limit == sum(isinstance(each, RateReached) for each in told)
        assert limit == sum(not isinstance(each, BaseException) for each in told)
        assert limit == len(await store.read_log(0, 1000))

    async def test_different_ceilings_on_one_subject_at_once(self, store: EventStore) -> None:
        """Arriving together, uses under a higher and under a lower ceiling see each other."""
        await store.append(use(per_seconds(50), 0))

        await asyncio.gather(
            *(store.append(use(per_seconds(50 if each % 2 else 10), 1)) for each in range(200)),
            return_exceptions=True,
        )

        with pytest.raises(RateReached):
            await store.append(use(per_seconds(50), 9))
        await store.append(use(per_seconds(51), 9))


class HoldersContract:
    """The holders of a subject are known exactly, and change with the append that says so."""

    async def test_nobody_holds_what_nobody_asked_for(self, store: EventStore) -> None:
        """A subject that was never held has no holders."""
        assert frozenset() == await store.holders("name:garden")

    async def test_several_may_hold_together(self, store: EventStore) -> None:
        """`Hold` joins, as often as it is said; other subjects are not touched."""
        await store.append(step(conditions=(Hold("pot", ORCHID), Hold("pot", FERN))))
        await store.append(step(conditions=(Hold("pot", ORCHID),)))

        assert {ORCHID, FERN} == await store.holders("pot")
        assert frozenset() == await store.holders("po_")

    async def test_who_releases_holds_no_more(self, store: EventStore) -> None:
        """`Release` removes one holder, and accepts one that never held the subject."""
        await store.append(step(conditions=(Hold("pot", ORCHID), Hold("pot", FERN))))
        await store.append(step(conditions=(Release("pot", ORCHID), Release("pot", MOSS))))

        assert {FERN} == await store.holders("pot")

    async def test_a_name_is_taken_once(self, store: EventStore) -> None:
        """`SoleHolder` without retired holders is a unique name: the second append is refused."""
        await store.append(step(grown(ORCHID), conditions=(SoleHolder("name", ORCHID),)))

        with pytest.raises(HeldByOthers) as held:
            await store.append(step(grown(FERN), conditions=(SoleHolder("name", FERN),)))

        assert "name" == held.value.subject
        assert {ORCHID} == held.value.holders
        assert {ORCHID} == await store.holders("name")
        assert [] == list(await store.read_stream(FERN))

    @pytest.mark.parametrize("subject", PERSONAL)
    async def test_a_personal_subject_is_stored_as_its_hmac(
        self, store: EventStore, subject: str
    ) -> None:
        """It is taken, looked up, released and refused by its text, which the store does not have."""
        await store.append(step(conditions=(SoleHolder(subject, ORCHID), Hold("name", ORCHID))))
        with pytest.raises(HeldByOthers) as held:
            await store.append(step(grown(FERN), conditions=(SoleHolder(subject, FERN),)))
        async with store.snapshot() as snapshot:
            subjects = [each.subject async for each in snapshot.holders()]

        assert subject == held.value.subject
        assert {ORCHID} == await store.holders(subject)
        assert frozenset() == await store.holders(f"{subject}0")
        kind = subject.partition(":")[0]
        assert {kind, "name"} == {each.partition(":")[0] for each in subjects}
        assert subject.partition(":")[2] not in str(subjects)

        await store.append(step(conditions=(Release(subject, ORCHID),)))
        assert frozenset() == await store.holders(subject)

    async def test_the_sole_holder_may_say_so_again(self, store: EventStore) -> None:
        """A sole holder does not conflict with itself."""
        await store.append(step(conditions=(SoleHolder("name", ORCHID),)))
        await store.append(step(conditions=(SoleHolder("name", ORCHID),)))

        assert {ORCHID} == await store.holders("name")

    async def test_a_name_is_free_when_it_is_released(self, store: EventStore) -> None:
        """After `Release`, another may have the subject."""
        await store.append(step(conditions=(SoleHolder("name", ORCHID),)))
        await store.append(step(conditions=(Release("name", ORCHID),)))
        await store.append(step(conditions=(SoleHolder("name", FERN),)))

        assert {FERN} == await store.holders("name")

    async def test_the_retired_give_way(self, store: EventStore) -> None:
        """Retired holders lose the subject, and the sole holder has it alone."""
        await store.append(step(conditions=(Hold("live", ORCHID), Hold("live", FERN))))
        await store.append(
            step(conditions=(SoleHolder("live", MOSS, retiring=frozenset({ORCHID, FERN})),))
        )

        assert {MOSS} == await store.holders("live")

    async def test_one_of_several_becomes_the_sole_holder(self, store: EventStore) -> None:
        """A holder may retire the others and stay."""
        await store.append(step(conditions=(Hold("live", ORCHID), Hold("live", FERN))))
        await store.append(
            step(conditions=(SoleHolder("live", FERN, retiring=frozenset({ORCHID})),))
        )

        assert {FERN} == await store.holders("live")

    async def test_whoever_is_not_retired_is_in_the_way(self, store: EventStore) -> None:
        """A holder that came in between makes the store refuse, and name all holders."""
        await store.append(step(conditions=(Hold("live", ORCHID), Hold("live", FERN))))

        with pytest.raises(HeldByOthers) as held:
            await store.append(
                step(conditions=(SoleHolder("live", MOSS, retiring=frozenset({ORCHID})),))
            )

        assert {ORCHID, FERN} == held.value.holders
        assert {ORCHID, FERN} == await store.holders("live")

    async def test_the_retired_may_have_gone_already(self, store: EventStore) -> None:
        """A retired holder that no longer holds the subject is no conflict."""
        await store.append(
            step(conditions=(SoleHolder("live", MOSS, retiring=frozenset({ORCHID})),))
        )

        assert {MOSS} == await store.holders("live")

    async def test_of_many_who_want_one_name_one_has_it(self, store: EventStore) -> None:
        """A hundred appends want one name: one gets it, the others learn the holder."""
        told = await asyncio.gather(
            *(
                store.append(
                    step(grown(f"key-{number}"), conditions=(SoleHolder("name", f"key-{number}"),))
                )
                for number in range(100)
            ),
            return_exceptions=True,
        )

        (winner,) = await store.holders("name")
        assert [{winner}] * 99 == [each.holders for each in told if isinstance(each, HeldByOthers)]
        assert [winner] == [each.stream for each in await store.read_log(0, 1000)]
