"""The search for PINs with live codes, among many that were never verified (C-15, C-37)."""

from __future__ import annotations

import asyncio

from attrs import evolve

from tests.application.house import House, build_house
from tests.fakes.providers import HesitantProvider
from watchword.application.paging import Paging
from watchword.application.pins.issuing_pins import IssueRequest
from watchword.application.pins.resending_pins import ResendRequest
from watchword.application.pins.searching_verifications import VerificationSearch
from watchword.domain.channel import Channel
from watchword.domain.pin import PinStatus

PENDING = VerificationSearch(status=PinStatus.PENDING)


async def issue(house: House, number: int) -> str:
    """Issue a PIN of its own to everybody, a second after the one before."""
    house.clock.move(1)
    request = IssueRequest(destination=f"+91981234{number:04}", template_id=house.template_id)
    return (await house.service.issuing.issue(house.by, request)).pin_id


async def test_live_codes_are_listed_by_creation() -> None:
    """The newest PIN comes first, whichever expires first; expired ones are not listed."""
    house = await build_house()
    for number in range(3):
        await issue(house, number)
    house.clock.move(3600)
    live = [await issue(house, number) for number in range(10, 15)]
    await house.service.resending.resend(house.by, live[0], ResendRequest())
    pages = [
        await house.service.verifications.search(PENDING, Paging(page=page, page_size=2))
        for page in (1, 2, 3, 4)
    ]

    assert [5] * 4 == [page.total for page in pages]
    assert [2, 2, 1, 0] == [len(page.data) for page in pages]
    assert live[::-1] == [row.pin_id for page in pages for row in page.data]


async def test_live_codes_are_narrowed_by_the_rest_of_a_search() -> None:
    """Account and destination narrow the search here."""
    house = await build_house()
    first, *others = [await issue(house, number) for number in range(3)]
    own = evolve(PENDING, account_id=house.by.account_id)
    found = [
        await house.service.verifications.search(search, Paging())
        for search in (
            own,
            evolve(own, destination="+91 98123 40000"),
            evolve(own, account_id="acc_other"),
        )
    ]

    assert [[*others[::-1], first], [first], []] == [
        [row.pin_id for row in page.data] for page in found
    ]


async def test_a_pin_under_way_is_found_by_the_channels_it_goes_by() -> None:
    """Its dispatch has no outcome yet that names them."""
    provider = HesitantProvider()
    house = await build_house(provider)
    issuing = asyncio.create_task(issue(house, 1))
    await provider.asked.wait()
    found = [
        await house.service.verifications.search(VerificationSearch(channel=channel), Paging())
        for channel in (Channel.SMS, Channel.WHATSAPP)
    ]
    provider.may_answer.set()

    assert [[await issuing], []] == [[row.pin_id for row in page.data] for page in found]
