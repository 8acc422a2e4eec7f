"""Events that an embedder follows from a position of its own (D-541)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, aclosing, suppress
from itertools import islice

import pytest

import watchword
from tests.crash.waiting import until
from tests.databases import own_server
from watchword.application.ports.event_store import LONGEST_SLEEP

STORES = ("memory", "sqlite", "postgresql")
CODE_KEY = f"1:{'A' * 43}="
NUMBERS = [f"+9198123456{each:02}" for each in range(100)]
# Far from when a reader would have looked by itself, on a busy machine too.
IN_TIME = LONGEST_SLEEP.total_seconds() / 4
LONG = 60.0


@pytest.fixture
async def service(store_url: str) -> AsyncIterator[watchword.Service]:
    """Yield a sandbox on each kind of store."""
    async with watchword.open(store_url, sandbox=True, code_key=CODE_KEY) as opened:
        yield opened


async def issue(service: watchword.Service, number: int) -> str:
    """Issue a PIN to a number of its own, and return its id."""
    return (await service.pins.issue("demo", "tpl_demo", NUMBERS[number])).pin_id


async def first(service: watchword.Service, count: int, after: int = 0) -> list[watchword.Recorded]:
    """Return so many events after a position."""
    found: list[watchword.Recorded] = []
    async with asyncio.timeout(LONG), aclosing(service.events.follow(after)) as events:
        async for each in events:
            found.append(each)
            if len(found) == count:
                break
    return found


async def whole_log(service: watchword.Service) -> list[watchword.Recorded]:
    """Return all events, page by page."""
    found: list[watchword.Recorded] = []
    while page := await service.events.list(found[-1].position if found else 0, 1000):
        found += page
    return found


async def of_new_pins(service: watchword.Service, after: int, issued: list[str]) -> list[str]:
    """Note the PINs that are issued after a position, until the service ends."""
    async for each in service.events.follow(after):
        if each.type == "PinIssued":
            issued.append(each.stream)
    return issued


async def test_the_history_comes_first_and_then_what_happens(service: watchword.Service) -> None:
    """A loop that begins in the middle of a burst gets every event once, in the order of the log."""
    before = await whole_log(service)
    burst = [asyncio.create_task(issue(service, each)) for each in range(60)]
    followed = await first(service, len(before) + 2 * 60)
    await asyncio.gather(*burst)

    assert followed == await whole_log(service)
    assert [*range(1, len(followed) + 1)] == [each.position for each in followed]


async def test_a_loop_goes_on_behind_its_position(service: watchword.Service) -> None:
    """Whoever kept the position of the last event handled gets the next one, and none again."""
    for each in range(3):
        await issue(service, each)
    log = await whole_log(service)
    some = await first(service, 7)
    rest = await first(service, len(log) - 7, after=some[-1].position)

    assert log == [*some, *rest]


async def test_an_event_ends_the_wait_at_once(service: watchword.Service) -> None:
    """An append of this process wakes the loop; nothing waits for the next look."""
    after = (await whole_log(service))[-1].position
    waiting = asyncio.create_task(first(service, 1, after))
    await asyncio.sleep(0)
    async with asyncio.timeout(IN_TIME):
        pin_id = await issue(service, 0)
        (event,) = await waiting

    assert (pin_id, "PinIssued") == (event.stream, event.type)


async def test_the_loop_sees_what_the_embedder_may_see(service: watchword.Service) -> None:
    """Personal members are in clear, as in every history, and codes are in no event."""
    pin_id = await issue(service, 5)
    event = next(each for each in await whole_log(service) if each.stream == pin_id)
    (followed,) = await first(service, 1, event.position - 1)

    assert watchword.to_json(followed, mask=False)["data"]["destination"] == NUMBERS[5]
    assert watchword.to_json(followed)["data"]["destination"] != NUMBERS[5]
    assert watchword.to_json(followed, mask=False)["data"]["codeHash"] == "***"


async def test_of_an_erased_person_nothing_is_seen(service: watchword.Service) -> None:
    """A position from before the erasure brings back the events, without what was personal."""
    pin_id = await issue(service, 5)
    await service.people.erase(account="demo", destination=NUMBERS[5])
    await service.run_due()
    log = await first(service, len(await whole_log(service)))
    (issued,) = (each for each in log if (each.stream, each.type) == (pin_id, "PinIssued"))

    assert watchword.to_json(issued, mask=False)["data"]["destination"] == "(erased)"


async def test_a_wait_ends_with_the_service(store_url: str) -> None:
    """The loop of a task of one's own ends as if there were no more events, and not with an error."""
    issued: list[str] = []
    async with watchword.open(store_url, sandbox=True, code_key=CODE_KEY) as service:
        loop = asyncio.create_task(of_new_pins(service, 0, issued))
        pin_id = await issue(service, 0)
        await until(lambda: bool(issued), IN_TIME)
    async with asyncio.timeout(IN_TIME):
        assert [pin_id] == await loop


async def test_a_loop_that_is_in_an_event_ends_after_it(store_url: str) -> None:
    """What was read ahead is not handed out once the service has ended: it is there after the position."""
    async with watchword.open(store_url, sandbox=True, code_key=CODE_KEY) as service:
        events = service.events.follow()
        handled = [await anext(events)]
    handled += [each async for each in events]

    assert [1] == [each.position for each in handled]


async def test_several_loops_do_not_share_a_position(service: watchword.Service) -> None:
    """Each has its own, and a slow one misses nothing for being slow."""
    slow = service.events.follow()
    begun = [await anext(slow)]
    fast = await first(service, len(await whole_log(service)))
    async with aclosing(slow):
        for _ in islice(fast, 1, None):
            begun.append(await anext(slow))

    assert fast == begun


@pytest.mark.parametrize("after", [-1, -100])
async def test_what_is_no_position_is_refused(service: watchword.Service, after: int) -> None:
    """Only the program can have made it."""
    with pytest.raises(ValueError, match=r"^after= must be a position"):
        await anext(service.events.follow(after))


async def test_a_position_beyond_the_log_is_refused(service: watchword.Service) -> None:
    """The loop would pass over the events that are given those positions next, so it says what to do."""
    newest = (await whole_log(service))[-1].position
    with pytest.raises(watchword.PositionAheadError, match=rf"ends at position {newest}, before"):
        await anext(service.events.follow(newest + 1))


@pytest.mark.stores("postgresql")
async def test_another_node_wakes_the_loop(store_url: str) -> None:
    """Events of another node come by its notice, long before this one would look by itself."""
    async with AsyncExitStack() as stack:
        here, there = [
            await stack.enter_async_context(
                watchword.open(store_url, sandbox=True, code_key=CODE_KEY, run_worker=worker)
            )
            for worker in (False, True)
        ]
        issued: list[str] = []
        after = (await whole_log(here))[-1].position
        loop = asyncio.create_task(of_new_pins(here, after, issued))
        expected = []
        for number in range(3):
            expected.append(await issue(there, number))
            await until(lambda: issued == expected, IN_TIME)
    await loop


async def test_all_events_of_two_nodes_come_in_order() -> None:
    """Two nodes write at once, and each follows the other: both loops get the same log."""
    with own_server() as server:
        async with AsyncExitStack() as stack:
            nodes = [
                await stack.enter_async_context(
                    watchword.open(server.url, sandbox=True, code_key=CODE_KEY)
                )
                for _ in range(2)
            ]
            before = len(await whole_log(nodes[0]))
            count = before + 2 * 80
            loops = [asyncio.create_task(first(each, count)) for each in nodes]
            await asyncio.gather(*(issue(nodes[each % 2], each) for each in range(80)))
            one, other = [await each for each in loops]
            log = await whole_log(nodes[0])

    assert one == other == log


async def test_a_loop_waits_until_the_store_is_back() -> None:
    """A database that is stopped and started ends no loop, and costs it no event."""
    with own_server() as server:
        async with watchword.open(server.url, sandbox=True, code_key=CODE_KEY) as service:
            issued: list[str] = []
            after = (await whole_log(service))[-1].position
            loop = asyncio.create_task(of_new_pins(service, after, issued))
            expected = [await issue(service, 0)]
            await asyncio.to_thread(server.stop, "immediate")
            with pytest.raises(watchword.UnavailableError):
                await issue(service, 1)
            await asyncio.to_thread(server.start)
            async with asyncio.timeout(LONG):
                while len(expected) < 2:
                    with suppress(watchword.UnavailableError):
                        expected.append(await issue(service, 2))
            await until(lambda: issued == expected)
            assert not loop.done()
    await loop

    assert expected == issued
