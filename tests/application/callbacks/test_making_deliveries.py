"""The callbacks that follow from the log: each event once, for each endpoint that wants it (D-66)."""

from __future__ import annotations

import asyncio

import pytest

from tests.application.callbacks.conftest import Notified, endpoint, issue, work
from tests.application.house import build_house, node_on
from watchword.application.callbacks.making_deliveries import FOLLOWER
from watchword.application.caller import Caller
from watchword.application.errors import UnavailableError
from watchword.application.log_follower import LogFollower
from watchword.entrypoints.worker import run_due


async def test_an_event_is_notified_once(notified: Notified) -> None:
    """Reading the log again makes no second delivery."""
    await notified.house.issue()
    await notified.work()
    await notified.work()

    assert {"pin.issued", "pin.dispatched"} == {each.type for each in await notified.deliveries()}
    assert 2 == len(set(notified.ids)) == len(notified.ids)


async def test_nothing_is_read_while_nobody_is_notified() -> None:
    """Without an endpoint the log is not followed, and appends wake no follower."""
    house = await build_house()
    await house.issue()
    await work(house)

    assert 0 == await house.store.position(FOLLOWER)
    assert [] == house.web.posted


async def test_an_endpoint_is_notified_of_what_comes_after_it() -> None:
    """It gets no event before its creation; a newer endpoint gets none that only the older saw."""
    house = await build_house()
    await house.issue()
    first = await endpoint(house)
    house.clock.move(60)
    await house.issue()
    second = await endpoint(house, "https://other.example/callbacks")
    house.clock.move(60)
    await house.issue()
    await work(house)
    urls = [each.url for each in house.web.posted]

    # Each PIN is issued, dispatched, and supersedes the one before.
    assert [6, 3] == [urls.count(first.url), urls.count(second.url)]


async def test_an_old_log_is_not_read_for_a_new_endpoint() -> None:
    """After a time without endpoints, the log is followed from the new endpoint's creation on."""
    house = await build_house()
    gone = await endpoint(house)
    await house.service.callbacks.remove(house.by, gone.id)
    for _ in range(3):
        house.clock.move(60)
        await house.issue()
    await endpoint(house)
    read: list[int] = []
    read_log = house.store.read_log

    async def noted(after: int, limit: int) -> object:
        read.append(after)
        return await read_log(after, limit)

    house.store.read_log = noted  # type: ignore[method-assign,assignment]  # what is read is the question
    # The statistics follow the whole log.
    (follower,) = [
        each
        for each in house.service.due_work
        if isinstance(each, LogFollower) and each.name == FOLLOWER
    ]
    await run_due([follower])

    created = (await house.store.read_stream(gone.id))[0].position
    assert read
    assert all(after > created + 6 for after in read)


async def test_two_nodes_make_one_delivery(notified: Notified) -> None:
    """The node that moves the position has written the deliveries; the other writes none."""
    await notified.house.issue()
    other = node_on(notified.house)
    await asyncio.gather(notified.work(), work(other), work(other), notified.work())

    assert 2 == len(await notified.deliveries())
    assert 2 == len(notified.ids)


async def test_a_store_that_goes_away_meanwhile_loses_nothing(notified: Notified) -> None:
    """Events that are not followed yet are followed when the store is back."""
    await notified.house.issue()
    notified.house.store.reachable = False
    with pytest.raises(UnavailableError):
        await notified.work()
    notified.house.store.reachable = True
    await notified.work()

    assert 2 == len(notified.ids)


async def test_only_what_is_wanted_is_notified() -> None:
    """Names and patterns choose; without a match nothing is kept."""
    house = await build_house()
    await endpoint(house, "https://a.example/", events=["pin.issued"])
    await endpoint(house, "https://b.example/", events=["message.*", "fallback.*"])
    await endpoint(house, "https://c.example/", events=["pin.*", "pin.issued"])
    await house.issue()
    await work(house)

    assert ["https://a.example/", "https://c.example/", "https://c.example/"] == sorted(
        each.url for each in house.web.posted
    )


async def test_another_account_is_notified_of_nothing(notified: Notified) -> None:
    """An endpoint receives the events of its own account alone (C-7)."""
    service = notified.house.service
    stranger = await service.accounts.create(notified.house.by, "neighbour")
    by = Caller(stranger.id, "key_other", "req_other")
    await service.callbacks.create(by, url="https://neighbour.example/")
    await notified.house.issue()
    await notified.work()

    assert {notified.endpoint.url} == {each.url for each in notified.house.web.posted}


async def test_a_backlog_is_followed_whole(notified: Notified) -> None:
    """In parts, with nothing lost or delivered twice between them."""
    await issue(notified.house, 90)
    await notified.work()

    assert 180 == len(set(notified.ids)) == len(notified.ids)
