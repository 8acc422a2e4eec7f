"""The filters of the log, its next event, and streams as they were (C-82)."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

import pytest
from aiohttp import ClientSession

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import Listening
from watchword.entrypoints.http.app import Exposure, build_app
from watchword.entrypoints.http.listener import leaving
from watchword.entrypoints.http.listener.listeners import Listener
from watchword.entrypoints.http.listener.server import open_listeners
from watchword.entrypoints.wired import Wired


async def the_log(caller: Caller, query: str = "") -> list[dict[str, object]]:
    """Return the events of the log that a query finds."""
    return list((await caller.operated("GET", f"/events?limit=1000&{query}"))["data"])


async def test_the_log_is_narrowed_by_actor_stream_and_time(caller: Caller) -> None:
    """Each filter gives what the whole log has of it; filters hold together."""
    first = await caller.created()
    await caller.advance(60)
    second = await caller.created("+919812345611")
    whole = await the_log(caller)
    issued = next(each for each in whole if each["streamId"] == second)
    actor, at = issued["actor"], str(issued["occurredAt"])

    for query, wanted in (
        (f"actor={actor}", [each for each in whole if each["actor"] == actor]),
        (f"stream={first}", [each for each in whole if each["streamId"] == first]),
        (
            f"stream={first}&stream={second}",
            [each for each in whole if each["streamId"] in (first, second)],
        ),
        (f"from={at}", [each for each in whole if str(each["occurredAt"]) >= at]),
        (f"to={at}", [each for each in whole if str(each["occurredAt"]) < at]),
        (
            f"type=PinIssued&from={at}",
            [each for each in whole if each["type"] == "PinIssued" and each["occurredAt"] == at],
        ),
        ("type=&actor=&stream=&from=&to=", whole),
    ):
        assert wanted, query
        assert wanted == await the_log(caller, query), query


async def test_pages_of_one_stream_lead_behind_the_end_of_the_log(caller: Caller) -> None:
    """`next` goes from event to event, then to the end, where a reader waits for more."""
    pin_id = await caller.created()
    story = await caller.events(pin_id)
    newest = (await the_log(caller))[-1]["position"]
    first = await caller.operated("GET", f"/events?stream={pin_id}&limit=1")
    rest = await caller.operated("GET", f"/events?stream={pin_id}&after={first['next']}")

    assert (story[:1], story[0]["position"]) == (first["data"], first["next"])
    assert (story[1:], newest) == (rest["data"], rest["next"])


@pytest.mark.parametrize(
    ("query", "field"),
    [("from=yesterday", "from"), ("to=soon", "to"), ("type=PinIsued", "type")],
)
async def test_a_filter_that_cannot_be_read_is_400(caller: Caller, query: str, field: str) -> None:
    """A filter that were ignored would widen the answer."""
    reply = await caller.operate("GET", f"/events?{query}")

    assert [field] == reply.wrong


async def test_a_reader_waits_for_the_next_event(caller: Caller) -> None:
    """The answer comes with the event, and not before (C-82)."""
    end = (await caller.operated("GET", "/events?limit=1000"))["next"]
    waiting = asyncio.create_task(
        caller.operated("GET", f"/events?after={end}&type=PinIssued&wait=30")
    )
    pin_id = await caller.created()
    page = await waiting

    assert [(pin_id, "PinIssued")] == [(each["streamId"], each["type"]) for each in page["data"]]


async def test_a_stop_ends_the_wait(service: Wired) -> None:
    """A service that stops answers its readers at once, with nothing new, and does not wait for them."""
    app, loop = (
        build_app(service, Exposure(admin_token="sandbox-admin")),
        asyncio.get_running_loop(),
    )
    async with ClientSession() as session:
        async with open_listeners(Listener(app, "127.0.0.1", 0, "--port"), drain_timeout=20) as (
            port,
        ):
            caller = Caller(session, Listening(port))
            waiting = asyncio.create_task(caller.operate("GET", "/events?after=999&wait=30"))
            while not service.watching_log.waiting:  # noqa: ASYNC110  it is a step, no event
                await asyncio.sleep(0)
            began = loop.time()
        reply = await waiting

    assert (200, {"data": [], "next": 999}) == (reply.status, reply.json)
    assert loop.time() - began < 15


async def test_a_reader_that_goes_away_makes_room(
    service: Wired, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The places of those who wait are few, so a reader that hung up does not keep one (D-476)."""
    monkeypatch.setattr(leaving, "LOOK_EVERY", 0.01)
    waiting = asyncio.create_task(caller.operate("GET", "/events?after=999&wait=30"))
    async with asyncio.timeout(20):
        while not service.watching_log.waiting:  # noqa: ASYNC110  it is a step, no event
            await asyncio.sleep(0)
        waiting.cancel()
        while service.watching_log.waiting:  # noqa: ASYNC110  it is a step, no event
            await asyncio.sleep(0)


@pytest.mark.parametrize("wait", ["0", "-3", "long", ""])
async def test_who_does_not_wait_gets_an_empty_page(caller: Caller, wait: str) -> None:
    """What is no number of seconds is none."""
    end = (await caller.operated("GET", "/events?limit=1000"))["next"]

    assert [] == (await caller.operated("GET", f"/events?after={end + 99}&wait={wait}"))["data"]


async def test_a_stream_is_shown_as_of_a_position_or_a_time(caller: Caller) -> None:
    """A position is exact; a time has all events of the millisecond that it names (D-443)."""
    pin_id = await caller.created()
    await caller.advance(60)
    await caller.verify(pin_id, await caller.wrong_code())
    await caller.advance(60)
    await caller.verify(pin_id, await caller.code())
    story = await caller.events(pin_id)
    assert 4 == len(story)

    for count, event in enumerate(story, start=1):
        path = f"/streams/{pin_id}/events?asOf="
        by_position = await caller.operated("GET", f"{path}{event['position']}")
        assert (story[:count], event["position"]) == (by_position["data"], by_position["next"])
        by_time = await caller.operated("GET", f"{path}{event['occurredAt']}")
        assert [each for each in story if each["occurredAt"] <= event["occurredAt"]] == (
            by_time["data"]
        )


async def test_a_stream_that_had_not_begun_is_404(caller: Caller) -> None:
    """At that time nothing had this id."""
    pin_id = await caller.created()
    first = (await caller.events(pin_id))[0]
    before = datetime.fromisoformat(first["occurredAt"]) - timedelta(milliseconds=1)

    for cut in (first["position"] - 1, f"{before:%Y-%m-%dT%H:%M:%S.%f}Z"):
        reply = await caller.operate("GET", f"/streams/{pin_id}/events?asOf={cut}")
        assert (404, "stream_not_found") == reply.refusal


@pytest.mark.parametrize("cut", ["then", "-1", "9" * 19])
async def test_a_cut_that_cannot_be_read_is_400(caller: Caller, cut: str) -> None:
    """A whole history in the place of an older one would be wrong evidence."""
    reply = await caller.operate("GET", f"/streams/{await caller.created()}/events?asOf={cut}")

    assert ["asOf"] == reply.wrong
