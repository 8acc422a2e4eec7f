"""Links are created with their messages, and redirect even if the click cannot be recorded."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import attrs
import pytest

from tests.application.house import House, build_house
from tests.application.post_office import (
    CODE,
    WAIT,
    fallback,
    falls_back,
    message,
    send,
    step,
    work,
)
from watchword.application.concurrency.bulk_lane import BulkLane
from watchword.application.errors import UnavailableError
from watchword.application.messages.planning.measuring_links import shortened_contents
from watchword.application.messages.planning.send_requests import (
    LinkRequest,
    MessageRequest,
    SendRequest,
)
from watchword.application.ports.event_store import StoreUnavailable
from watchword.application.records.short_link import ShortLinkRow
from watchword.application.short_links import following_short_links
from watchword.domain import short_link
from watchword.domain.errors import ValidationFailedError
from watchword.domain.event import MASK
from watchword.domain.message import SmsContent
from watchword.domain.short_link import (
    ShortLinkClicked,
    ShortLinkCreated,
    ShortLinkNotFoundError,
    link_id,
)

MENU = "https://tea.example/menu?for=CANARY4711X"
SEE = SmsContent(type="SI", text=f"See {MENU}.")


def link(url: str = MENU, *, per_message: bool = False, number: int = 0) -> LinkRequest:
    """Ask for a short link."""
    return LinkRequest(
        long_url=url,
        base="https://go.example",
        per_message=per_message,
        path=f"links[{number}]",
    )


def codes(house: House) -> list[str]:
    """Return the codes in what was sent, in order."""
    texts = " ".join(each.text for each in house.provider.messages)
    return re.findall(r"https://go\.example/s/([A-Za-z0-9]{16})\.", texts)


async def created(house: House) -> list[ShortLinkCreated]:
    """Return the links that were made."""
    log = await house.store.read_log(0, 10_000)
    return [each.event for each in log if isinstance(each.event, ShortLinkCreated)]


async def follow(house: House, code: str, **options: Any) -> str:
    """Follow a link."""
    return await house.service.following_short_links.follow(code, "req_click", **options)


async def clicks(house: House, code: str) -> int:
    """Return how often a link was followed."""
    row = await house.store.row(ShortLinkRow, link_id(code))
    assert row is not None
    return row.clicks


async def refused(
    house: House, *messages: MessageRequest, links: Sequence[LinkRequest]
) -> list[str]:
    """Send in vain, and return the named fields."""
    with pytest.raises(ValidationFailedError) as refusal:
        await send(house, *messages, links=tuple(links))
    assert not await created(house)
    return [each.field for each in refusal.value.problems]


async def test_one_link_for_the_call_or_one_for_each_message() -> None:
    """With `per_message`, each click names its message (C-29)."""
    house = await build_house()
    await send(house, message(SEE), message(SEE), links=(link(),))
    sent = await send(house, message(SEE), message(SEE), links=(link(per_message=True),))
    shared, again, first, second = codes(house)

    assert shared == again
    assert 3 == len({shared, first, second})
    assert {None, *(each.message_id for each in sent)} == {
        each.message_id for each in await created(house)
    }
    assert MENU == await follow(house, first) == await follow(house, shared)


async def test_a_node_that_cannot_open_an_address_redirects_nowhere() -> None:
    """During a rotation a node may lack the newest code key: another one can redirect."""
    house = await build_house()
    await send(house, message(SEE), links=(link(),))
    (code,) = codes(house)
    row = await house.store.row(ShortLinkRow, link_id(code))
    assert row is not None
    masked = attrs.evolve(row, url=MASK)
    await house.service.journal.write(house.by, house.clock.now(), rows=(masked,))
    with pytest.raises(UnavailableError):
        await follow(house, code)

    assert 0 == await clicks(house, code)


async def test_a_click_is_recorded_with_its_message() -> None:
    """Each click is an event on the link's own stream, without a visitor."""
    house = await build_house()
    (sent,) = await send(house, message(SEE), links=(link(per_message=True),))
    (code,) = codes(house)
    await follow(house, code)
    await follow(house, code, counted=False)
    first, clicked = await house.store.read_stream(link_id(code))

    assert isinstance(first.event, ShortLinkCreated)
    assert clicked.event == ShortLinkClicked(
        at=house.clock.now(), message_id=sent.message_id, url=MENU, clicks=1
    )
    assert ("public", "req_click") == (clicked.actor, clicked.request_id)


async def test_clicks_at_once_are_all_counted() -> None:
    """A click that loses a race for the link's next version is counted after it."""
    house = await build_house()
    await send(house, message(SEE), links=(link(),))
    (code,) = codes(house)
    await asyncio.gather(*(follow(house, code) for _ in range(50)))

    assert 50 == await clicks(house, code)
    assert 0 == (await house.service.reading_log.check()).total
    assert 51 == len(await house.store.read_stream(link_id(code)))


async def test_a_link_leads_on_when_its_clicks_are_no_longer_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A stranger cannot fill the store with one link (D-77)."""
    monkeypatch.setattr(short_link, "MAX_CLICKS", 2)
    house = await build_house()
    await send(house, message(SEE), links=(link(),))
    (code,) = codes(house)
    led = await asyncio.gather(*(follow(house, code) for _ in range(5)))

    assert [MENU] * 5 == led
    assert 2 == await clicks(house, code)
    assert 3 == len(await house.store.read_stream(link_id(code)))


async def unavailable() -> None:
    """Fail as a disk that is full."""
    raise StoreUnavailable("The disk is full.")


async def hanging() -> None:
    """Never come to an end."""
    await asyncio.Event().wait()


@pytest.mark.parametrize("trouble", [unavailable, hanging])
async def test_a_link_leads_on_while_nothing_can_be_written(
    trouble: Callable[[], Awaitable[None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An outage costs clicks, and no visit; neither does a store that hangs (D-77)."""
    monkeypatch.setattr(following_short_links, "PATIENCE", 0.05)
    house = await build_house()
    await send(house, message(SEE), links=(link(),))
    (code,) = codes(house)
    house.store.meanwhile = trouble

    assert MENU == await follow(house, code)
    assert 0 == await clicks(house, code)


async def test_a_link_that_cannot_be_read_is_told_as_an_outage() -> None:
    """The visitor is not redirected, and may try again."""
    house = await build_house()
    house.store.reachable = False
    with pytest.raises(UnavailableError):
        await follow(house, "x" * 16)


@pytest.mark.parametrize("code", ["x" * 16, "none", "../../x", ""])
async def test_an_unknown_code_leads_nowhere_and_leaves_nothing(code: str) -> None:
    """Guesses store nothing."""
    house = await build_house()
    before = len(await house.store.read_log(0, 1000))
    with pytest.raises(ShortLinkNotFoundError):
        await follow(house, code)

    assert before == len(await house.store.read_log(0, 1000))


async def test_an_address_beside_a_code_is_opened_by_its_link_alone() -> None:
    """It may sign its reader in: no event, row or history shows it, nor the code in its link (D-76)."""
    house = await build_house()
    await falls_back(house)
    text = SmsContent(type="OTP", text=f"{CODE.text} Or {MENU}.")
    shown = SmsContent(type="SI", text=f"Go to {MENU}.")
    await send(
        house, message(text), fallback=fallback(step(shown)), links=(link(per_message=True),)
    )
    house.clock.move(WAIT)
    await work(house)
    code, again = codes(house)

    assert MENU == await follow(house, code)
    assert code == again
    row = await house.store.row(ShortLinkRow, link_id(code))
    told = repr(
        [attrs.asdict(each.event) for each in await house.store.read_log(0, 1000)]
        + [attrs.asdict(row)]  # type: ignore[arg-type]  # it is there
    )
    assert "CANARY4711X" not in told
    assert code not in told


async def test_a_step_has_the_link_of_its_message() -> None:
    """Its clicks are the same recipient's, whichever channel brought the link."""
    house = await build_house()
    await falls_back(house)
    sent = await send(
        house,
        message(),
        message(),
        fallback=fallback(step(SEE)),
        links=(link(per_message=True),),
    )
    house.clock.move(WAIT)
    await work(house)

    assert 2 == len(set(codes(house)))
    assert [each.message_id for each in sent] == [each.message_id for each in await created(house)]
    assert MENU not in house.provider.messages[-1].text


async def test_an_address_that_stands_nowhere_is_refused() -> None:
    """It was misspelt in one of the two places."""
    house = await build_house()

    assert ["links[1].long_url"] == await refused(
        house, message(SEE), links=[link(), link("https://tea.example/men", number=1)]
    )


async def test_links_of_a_call_are_bounded() -> None:
    """2,000, each an event of its own: two for each of 1,000 messages are, and one more for all is not."""
    first, second, third = (f"https://tea.example/{number}" for number in range(3))
    text = SmsContent(type="SI", text=f"{first} {second} {third}")
    most = SendRequest(
        messages=(message(text),) * 1_000,
        links=(link(first, per_message=True), link(second, per_message=True, number=1)),
    )
    work = BulkLane().work("acc_tea")
    await shortened_contents(most, work)
    more = attrs.evolve(most, links=(*most.links, link(third, number=2)))
    with pytest.raises(ValidationFailedError) as refusal:
        await shortened_contents(more, work)

    assert ["links"] == [each.field for each in refusal.value.problems]


async def test_a_content_is_weighed_with_its_short_links() -> None:
    """Many short addresses may grow into longer links (D-54)."""
    house = await build_house()
    url = "http://t.co"
    text = SmsContent(type="SI", text=" ".join([url] * 2_700))
    await send(house, message(text))

    assert ["sms[0]"] == await refused(house, message(text), links=[link(url)])
