"""Callbacks about an erased person that wait or are in flight: none is made any more (D-338)."""

from __future__ import annotations

import asyncio

import pytest

from tests.application.callbacks.conftest import URL, Notified, endpoint
from tests.application.house import build_house
from tests.application.post_office import RECIPIENT, message, send
from watchword.application.callbacks.deliveries import DeliveryStatus
from watchword.application.ports.event_store import DueKind, EventStore
from watchword.application.records.callback_delivery import CallbackDeliveryRow
from watchword.domain.event import ERASED
from watchword.domain.person import PERSON_ERASED
from watchword.entrypoints.worker import run_due

DAY = 86_400


@pytest.mark.parametrize("status", [500, 204])
async def test_a_delivery_in_flight_ends_with_its_person(store: EventStore, status: int) -> None:
    """Whatever its receiver answers: it is not tried again, and its body is gone."""
    house = await build_house(inside=store)
    notified = Notified(house, await endpoint(house))
    house.web.hanging.add(URL)
    await send(house, message())
    await run_due(house.service.due_work)
    while not house.web.posted:  # noqa: ASYNC110  the scripted web has no event
        await asyncio.sleep(0)
    calls = len(house.web.posted)
    assert (await house.service.erasing_people.erase(house.by, RECIPIENT)).finished
    house.web.status = status
    house.web.let_go.set()
    house.web.hanging.clear()
    await house.service.callback_tasks.finish()
    house.clock.move(DAY)
    await notified.work()

    await ended(house.store, notified)
    assert calls == len(house.web.posted)


async def test_a_delivery_that_waits_ends_with_its_person(store: EventStore) -> None:
    """Its receiver has failed before; it is due later, and never tried again."""
    house = await build_house(inside=store)
    notified = Notified(house, await endpoint(house))
    house.web.status = 500
    await send(house, message())
    await notified.work()
    calls = len(house.web.posted)
    assert (await house.service.erasing_people.erase(house.by, RECIPIENT)).finished
    house.web.status = 204
    house.clock.move(DAY)
    await notified.work()

    await ended(house.store, notified)
    assert calls == len(house.web.posted)


async def ended(store: EventStore, notified: Notified) -> None:
    """Assert that all deliveries have ended for good, without their bodies."""
    deliveries = await notified.deliveries()
    assert {(DeliveryStatus.FAILED, PERSON_ERASED)} == {
        (each.status, each.error) for each in deliveries
    }
    assert await store.next_due(DueKind.CALLBACK) is None
    rows = await store.rows(CallbackDeliveryRow, [each.id for each in deliveries])
    assert {ERASED} == {each.body for each in rows.values()}
