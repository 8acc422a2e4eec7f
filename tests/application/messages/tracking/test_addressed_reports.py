"""The reports of a post find the channel accounts that they concern in one look (C-99, D-221, D-281)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from attrs import evolve

from tests.application.house import House, build_house
from tests.fakes.hearing import HearingProvider, about
from tests.fakes.signing import SECRET, SIGNATURE, letter, receipt, signature
from watchword.application.caller import Caller
from watchword.application.messages.tracking.addressed_reports import AddressedReports
from watchword.application.ports.channels import (
    Post,
    ProviderReport,
    Report,
    TemplateReview,
)
from watchword.domain.channel import Channel
from watchword.domain.receipt import Receipt, ReceiptStatus

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
PAGE = 100


async def a_courier() -> House:
    """Return a service with a courier."""
    return await build_house(others={"courier": HearingProvider()})


async def account(house: House, phone: str, secret: str = SECRET, by: Caller | None = None) -> str:
    """Create a channel account of the courier with a phone, younger than all others; return its id."""
    house.clock.move(1)
    made = await house.service.channel_accounts.create(
        by or house.by,
        channel_type=Channel.SMS,
        provider="courier",
        name=phone,
        config={"secret": secret, "phone": phone},
    )
    return made.id


def news(phone: str, number: int = 1) -> ProviderReport:
    """Return a receipt that is addressed to a phone."""
    return ProviderReport(
        provider_message_id=f"p-{number}",
        receipt=Receipt(status=ReceiptStatus.SENT, reported_at=NOON),
        addressed_to={"phone": phone},
    )


def review(phone: str) -> TemplateReview:
    """Return a decision on a template that is addressed to a phone."""
    return TemplateReview(name="tea", approved=True, addressed_to={"phone": phone})


async def concerned(house: House, called: str, *reports: Report) -> Sequence[Sequence[str]]:
    """Return the channel accounts that reports concern."""
    addressed = AddressedReports(
        house.service.journal,
        {"courier": HearingProvider()},
        house.service.channel_secrets,
    )
    return await addressed.concerned(called, reports)


async def test_a_post_with_any_number_of_addresses_looks_once() -> None:
    """A thousand phones of others cost two pages of accounts, and each report finds its own."""
    house = await a_courier()
    phones = {f"C-{number}": "" for number in range(PAGE + 20)}
    known: Mapping[str, str] = {each: await account(house, each) for each in phones}
    reports = [news(f"C-{number}", number) for number in range(1_000)]
    pages = house.store.sliced
    found = await concerned(house, known["C-0"], *reports)

    assert 2 == house.store.sliced - pages
    assert [[known[f"C-{number}"]] for number in range(PAGE + 20)] == [
        [*each] for each in found[: PAGE + 20]
    ]
    assert not any(found[PAGE + 20 :])


async def test_a_look_ends_with_the_last_address() -> None:
    """An account on the first page is found without the second; the called account without any."""
    house = await a_courier()
    ids = [await account(house, f"C-{number}") for number in range(PAGE + 1)]
    pages = house.store.sliced

    assert [[ids[0]]] == [[*each] for each in await concerned(house, ids[0], news("C-0"))]
    assert 0 == house.store.sliced - pages
    assert [[ids[1]]] == [[*each] for each in await concerned(house, ids[0], news("C-1"))]
    assert 1 == house.store.sliced - pages


async def test_another_secret_and_a_report_of_nobody_find_nothing() -> None:
    """In the same post, the others are found."""
    house = await a_courier()
    called, other = await account(house, "C-1"), await account(house, "C-3")
    await account(house, "C-2", "of another shop")
    found = await concerned(house, called, news("C-2"), news("C-9"), news("***"), news("C-3"))

    assert [[], [], [], [other]] == [[*each] for each in found]


async def test_a_receipt_concerns_one_account_and_a_decision_one_of_each_account() -> None:
    """A template exists once at the provider, for all whose channel accounts share its business."""
    house = await a_courier()
    lily = Caller((await house.service.accounts.create(house.by, "lily")).id, "key", "req_two")
    older, younger = await account(house, "C-1"), await account(house, "C-1")
    lilys, _ = await account(house, "C-1", by=lily), await account(house, "C-1", by=lily)
    called = await account(house, "C-9")
    receipts, decision = news("C-1"), review("C-1")

    assert [[older], [older, lilys]] == [
        [*each] for each in await concerned(house, called, receipts, decision)
    ]
    assert [[younger, lilys], [younger]] == [
        [*each] for each in await concerned(house, younger, decision, receipts)
    ]


async def test_a_report_without_an_address_concerns_the_account_that_was_called() -> None:
    """No other account is looked at."""
    house = await a_courier()
    called = await account(house, "C-1")
    pages = house.store.sliced
    plain: list[Report] = [
        evolve(news("C-1"), addressed_to={}),
        evolve(review("C-1"), addressed_to={}),
    ]

    assert [[called], [called]] == [[*each] for each in await concerned(house, called, *plain)]
    assert 0 == house.store.sliced - pages


async def test_each_report_of_a_post_is_recorded_for_its_account() -> None:
    """The events name the accounts; the one for nobody is acknowledged."""
    house = await a_courier()
    called, other = await account(house, "C-1"), await account(house, "C-2")
    body = letter(
        about("C-2", receipt("p-2", ReceiptStatus.SENT)),
        about("C-9", receipt("p-9", ReceiptStatus.SENT)),
        receipt("p-1", ReceiptStatus.SENT),
    )
    post = Post(headers={SIGNATURE: signature(body)}, body=body)
    await house.service.provider_webhooks.receive(called, post, "req_post")
    log = await house.store.read_log(0, 1000)

    assert {called, other} == {each.actor for each in log if each.request_id == "req_post"}
