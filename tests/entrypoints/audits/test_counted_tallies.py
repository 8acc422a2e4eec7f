"""An audit counts again what the guard's budgets count, as far as events say it (C-102, C-91)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

import watchword
from watchword.application.audit.checking import AuditInputs, Checking
from watchword.application.audit.differences import Difference, Kind
from watchword.application.caller import ADMIN, Caller
from watchword.application.ports.event_store import Repair, TallyCorrection
from watchword.application.ports.snapshot import KeptTally
from watchword.domain.guard import rule_and_window
from watchword.domain.pin import PinIssued
from watchword.entrypoints.demo.seeding import TEMPLATE_ID

POLICY = {
    "unverified": {
        "country": {"mode": "enforce", "limit": "50/1d"},
        "prefix": {"mode": "enforce", "limit": "20/1h"},
        "ip": {"mode": "record", "limit": "30/1h"},
    },
    "sends": {"account": {"mode": "enforce", "limit": "100/1d"}},
}
BY = Caller("", ADMIN, "req_audit")
ANNA, BERT = "+919812345610", "+919812345611"


@pytest.fixture
async def service(store_url: str) -> AsyncIterator[watchword.Service]:
    """Yield a service whose account has budgets, and some sends in them."""
    async with watchword.open(store_url, sandbox=True, run_worker=False) as opened:
        await opened.guard.set("demo", POLICY)
        for number in (ANNA, BERT, BERT):
            await opened.pins.issue("demo", TEMPLATE_ID, number)
        yield opened


def parts_of(service: watchword.Service) -> Any:
    """Return the use cases of a service."""
    return service._lease.parts


async def found(service: watchword.Service) -> list[Difference]:
    """Return the differences of the tallies."""
    parts = parts_of(service)
    inputs = AuditInputs(person_keys=parts.people._keys, now=parts.clock.real)
    checked = await Checking(parts.journal, inputs).check()
    return [each for each in checked.differences if each.kind is Kind.TALLY]


async def tallies(service: watchword.Service) -> list[KeptTally]:
    """Return what the store counts."""
    async with parts_of(service).journal.snapshot() as snapshot:
        return [each async for each in snapshot.tallies()]


async def corrected(service: watchword.Service, tally: KeptTally, sent: int) -> None:
    """Change a tally behind the back of the service."""
    rule = tally.subject.partition(":")[0]
    texts = [
        text
        for each in await parts_of(service).journal.read_log(0, 100)
        if isinstance(each.event, PinIssued)
        for text in each.event.counted
    ]
    (window,) = {span for name, span in map(rule_and_window, texts) if name == rule}
    change = TallyCorrection(tally.subject, tally.bucket, window, sent, 0)
    now = parts_of(service).clock.now()
    await parts_of(service).journal.write(BY, now, repair=Repair(tallies=(change,)))


async def test_what_is_counted_is_no_difference(service: watchword.Service) -> None:
    """Sends, verifications and releases leave the tallies that the log leads to."""
    issued = await service.pins.issue("demo", TEMPLATE_ID, ANNA)
    assert service.sandbox is not None
    code = service.sandbox.provider.outbox()[-1].text[-7:-1]
    await service.pins.verify("demo", issued, code)
    assert [] == await found(service)
    await service.guard.release("demo", rule="unverified.prefix", subject="+91981234")
    await service.pins.issue("demo", TEMPLATE_ID, BERT)

    assert any(each.verified for each in await tallies(service))
    assert [] == await found(service)


async def test_a_changed_missing_or_stray_tally_is_named_and_put_right(
    service: watchword.Service,
) -> None:
    """By its account and rule; the rebuild adds what is missing."""
    before = await tallies(service)
    more, gone, *_ = before
    await corrected(service, more, 2)
    await corrected(service, gone, -gone.sent)
    named = await found(service)
    rebuilt = await service.audit.rebuild(["tallies"])

    assert [
        (f"{each.subject.partition(':')[0]} {each.bucket}", f"{each.sent} sent, 0 verified")
        for each in (more, gone)
    ] == [(each.field, each.expected) for each in named]
    assert ({"tallies": 2}, {}) == (rebuilt.replaced, rebuilt.removed)
    assert before == await tallies(service)


async def test_what_an_erasure_left_is_not_judged(service: watchword.Service) -> None:
    """Nobody knows any more which prefix the sends to an erased person counted in."""
    await service.people.erase(account="demo", destination=BERT)
    await service.run_due()
    (prefix,) = [each for each in await tallies(service) if "prefix" in each.subject]
    await corrected(service, prefix, 5)

    assert [] == await found(service)
