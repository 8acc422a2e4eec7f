"""A guard policy replayed over the recorded sends of an account (C-78)."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from attrs import evolve
from msgspec.structs import replace

from tests.application.house import House, build_house
from watchword.application.guard.replay_figures import Figures, ReplayReport
from watchword.application.pins.issuing_pins import IssueRequest
from watchword.application.pins.resending_pins import ResendRequest
from watchword.application.ports.event_store import EventStore
from watchword.domain.guard import Budgeted, GuardPolicy, Mode, Unverified
from watchword.domain.rate_limit import Rate

OFF = Budgeted(mode=Mode.OFF)
TWO = GuardPolicy(
    guesses=OFF,
    unverified=Unverified(
        country=OFF, prefix=Budgeted(mode=Mode.ENFORCE, limit=Rate("2/1h")), ip=OFF
    ),
)


async def send(house: House, number: str) -> str:
    """Send a code to a number; return the PIN's id."""
    request = IssueRequest(destination=number, template_id=house.template_id)
    return (await house.service.issuing.issue(house.by, request)).pin_id


async def replay(
    house: House, policy: GuardPolicy = TWO, since: datetime | None = None, hours: float = 24
) -> ReplayReport:
    """Return the report on the day before now, or on the hours from `since` on."""
    now = house.clock.now()
    begin = since or now - timedelta(hours=hours)
    replaying = house.service.replaying_policies
    report: object = None
    async for report in replaying.replay(
        house.by.account_id, policy, begin, begin + timedelta(hours=hours, seconds=1)
    ):
        assert isinstance(report, ReplayReport) or 0 <= report <= 1
    assert isinstance(report, ReplayReport)
    return report


async def test_the_report_says_what_would_have_been_refused_and_verified_later(
    store: EventStore,
) -> None:
    """Of four sends into one prefix two are refused, of which one was verified; others are untouched."""
    house = await build_house(inside=store)
    pins = [await send(house, f"+98912345{each:04}") for each in range(4)]
    await house.service.verifying.verify(house.by, pins[3], house.code())
    await send(house, "+447700900123")

    report = await replay(house)

    refused = Figures(sends=4, refused=2, refused_that_verified=1)
    assert report.whole == evolve(refused, sends=5)
    assert report.by_country == {"IR": refused, "GB": Figures(sends=1)}
    assert report.by_prefix == {"+98912345": refused}
    assert report.by_day == {house.clock.now().date(): evolve(refused, sends=5)}
    assert report.inexact_because_refused == 0


async def test_a_resend_is_a_send(store: EventStore) -> None:
    """A resend counts in the budgets, and is refused like a create."""
    house = await build_house(inside=store)
    pin_id = await send(house, "+989123450001")
    await house.service.resending.resend(house.by, pin_id, ResendRequest())
    await house.service.resending.resend(house.by, pin_id, ResendRequest())

    assert (await replay(house)).whole == Figures(sends=3, refused=1)


async def test_sends_before_the_first_that_counts_still_fill_the_budgets(store: EventStore) -> None:
    """A replay from noon on knows the sends of the hour before noon."""
    house = await build_house(inside=store)
    for each in range(2):
        await send(house, f"+98912345{each:04}")
    house.clock.move(1800)
    noon = house.clock.now()
    await send(house, "+989123450009")

    report = await replay(house, since=noon)

    assert report.whole == Figures(sends=1, refused=1)


async def test_days_are_those_of_utc_and_in_order(store: EventStore) -> None:
    """Each day has its own figures."""
    house = await build_house(inside=store)
    await send(house, "+989123450001")
    first = house.clock.now().date()
    house.clock.move(86_400)
    await send(house, "+989123450002")

    report = await replay(house, hours=48)

    days: dict[date, Figures] = {
        first: Figures(sends=1),
        first + timedelta(days=1): Figures(sends=1),
    }
    assert report.by_day == days
    assert list(report.by_day) == sorted(report.by_day)


async def test_sends_of_other_accounts_do_not_count(store: EventStore) -> None:
    """The report is of one account."""
    house = await build_house(inside=store)
    await send(house, "+989123450001")

    other = evolve(house, by=replace(house.by, account_id="acc_other"))

    assert (await replay(other)).whole == Figures()
