"""How callbacks arrive: signed, again and again under one id, and each endpoint on its own (C-33)."""

from __future__ import annotations

import asyncio
import base64
from datetime import timedelta

import pytest
from attrs import frozen
from standardwebhooks.webhooks import Webhook

from tests.application.callbacks.conftest import Notified, at_machine_time, endpoint, issue, work
from tests.application.house import build_house, node_on
from tests.application.rotations import NEWEST, rotate
from tests.fakes.clocks import StillClock
from watchword.adapters.sealing import AesGcmSealer
from watchword.adapters.standard_webhooks import StandardWebhooksSigner
from watchword.application.audit.checking import AuditInputs, Checking
from watchword.application.callbacks.call_queues import MOST_CALLS_TO_ONE, MOST_QUEUED
from watchword.application.callbacks.deliveries import DeliveryNotFoundError
from watchword.application.callbacks.endpoint_secrets import EndpointSecrets
from watchword.application.callbacks.schedule import (
    GIVES_UP_AFTER,
    LONGEST_PAUSE,
    next_attempt,
)
from watchword.application.journal import Journal
from watchword.application.ports.event_store import Append
from watchword.application.ports.web import WebFailure
from watchword.application.records.callback_delivery import CallbackDeliveryRow
from watchword.domain.callback_endpoint import CallbackRemovedError

DAY = 24 * 60 * 60


@frozen
class Reading:
    """A call, as the library of Standard Webhooks reads it."""

    secret: str

    def of(self, headers: object, body: bytes) -> object:
        """Verify; raises `WebhookVerificationError`."""
        return Webhook(self.secret).verify(body, dict(headers))  # type: ignore[call-overload]  # a mapping of texts


async def test_the_reference_library_verifies_every_call(notified: Notified) -> None:
    """Its own verification accepts the posted call, and returns the body."""
    at_machine_time(notified.house)
    await notified.house.issue()
    await notified.work()
    reading = Reading(notified.endpoint.secret)

    assert notified.bodies == [
        reading.of(each.headers, each.body) for each in notified.house.web.posted
    ]
    assert 2 == len(notified.bodies)


async def test_a_given_secret_signs() -> None:
    """The receiver's own secret is used as it is."""
    secret = "whsec_" + base64.b64encode(b"tea" * 10).decode()
    house = await build_house()
    at_machine_time(house)
    made = await endpoint(house, secret=secret)
    await house.issue()
    await work(house)

    assert secret == made.secret
    for each in house.web.posted:
        Reading(secret).of(each.headers, each.body)


@pytest.mark.parametrize("trouble", [500, 301, 404, 410, WebFailure.TIMEOUT])
async def test_a_receiver_that_was_down_gets_it_under_the_same_id(
    notified: Notified, trouble: int | WebFailure
) -> None:
    """Anything but 2xx is tried again, 410 too (D-70); a day later it still arrives."""
    notified.house.web.status = trouble
    await notified.house.issue()
    for _ in range(6):
        await notified.work()
        notified.house.clock.move(DAY / 6)
    failed = await notified.deliveries()
    notified.house.web.status = 200
    notified.house.clock.move(LONGEST_PAUSE.total_seconds() * 1.25)
    await notified.work()

    assert {"pending"} == {each.status for each in failed}
    assert all(each.attempts >= 3 for each in failed)
    ended = await notified.deliveries()
    assert [("delivered", 200, None)] * 2 == [
        (each.status, each.last_status, each.error) for each in ended
    ]
    assert {each.id for each in ended} == set(notified.ids)
    bodies = {(each.headers["webhook-id"], each.body) for each in notified.house.web.posted}
    assert 2 == len(bodies)


async def test_it_is_given_up_after_three_days(notified: Notified) -> None:
    """With the last failure in its record, and no more calls."""
    notified.house.web.status = 503
    await notified.house.issue()
    for _ in range(24):
        await notified.work()
        notified.house.clock.move(DAY / 6)
    calls = len(notified.ids)
    notified.house.clock.move(DAY)
    await notified.work()

    assert [("failed", 503, "not_2xx", None)] * 2 == [
        (each.status, each.last_status, each.error, each.next_attempt_at)
        for each in await notified.deliveries()
    ]
    assert calls == len(notified.ids)
    assert await notified.house.store.position((await notified.deliveries())[0].id) == 0


@pytest.mark.parametrize("chance", [0.0, 0.5, 1.0])
def test_pauses_grow_and_end_after_three_days(chance: float) -> None:
    """They grow from seconds to hours: a few dozen attempts, the last when three days are over."""
    pauses: list[timedelta] = []
    queued = now = StillClock().now()
    while (at := next_attempt(queued, now, chance)) is not None:
        pauses.append(at - now)
        now = at

    assert queued + GIVES_UP_AFTER == now
    assert pauses[0] < timedelta(seconds=7)
    assert max(pauses) <= LONGEST_PAUSE * 1.25
    assert 15 <= len(pauses) <= 50


async def test_one_that_hangs_delays_no_other() -> None:
    """Its calls hold their own few places; all of the other's arrive while they hang."""
    house = await build_house()
    await endpoint(house, "https://hangs.example/")
    await endpoint(house, "https://answers.example/")
    house.web.hanging.add("https://hangs.example/")
    await issue(house, 60)
    for each in house.service.due_work:
        while await each.run_due():
            pass
    for _ in range(500):
        await asyncio.sleep(0)
    urls = [each.url for each in house.web.posted]

    assert 120 == urls.count("https://answers.example/")
    assert MOST_CALLS_TO_ONE == urls.count("https://hangs.example/")
    house.web.let_go.set()
    await house.service.callback_tasks.finish()


async def test_what_waited_for_a_place_arrives_when_there_is_one(notified: Notified) -> None:
    """Waiting deliveries go out at once, those that found the line full soon after; none is lost."""
    notified.house.web.hanging.add(notified.endpoint.url)
    await issue(notified.house, MOST_QUEUED // 2 + 30)
    for each in notified.house.service.due_work:
        while await each.run_due():
            pass
    notified.house.web.let_go.set()
    notified.house.web.hanging.clear()
    await notified.work()
    at_once = len(notified.ids)
    notified.house.clock.move(6)
    await notified.work()

    assert MOST_QUEUED + MOST_CALLS_TO_ONE == at_once
    assert MOST_QUEUED + 60 == len(notified.ids) == len(set(notified.ids))
    assert {"delivered"} == {each.status for each in await notified.deliveries()}


async def test_a_process_that_dies_in_a_call_leaves_it_to_be_repeated(notified: Notified) -> None:
    """Under the same id, once the time of a call is over; never at once by two nodes."""
    notified.house.web.hanging.add(notified.endpoint.url)
    await notified.house.issue()
    for each in notified.house.service.due_work:
        while await each.run_due():
            pass
    await asyncio.sleep(0)
    notified.house.service.callback_tasks.abandon()
    await notified.house.service.callback_tasks.finish()
    notified.house.web.hanging.clear()
    other = node_on(notified.house)
    await work(other)
    died = len(notified.ids)
    notified.house.clock.move(45)
    await work(other)

    assert 2 == died
    assert 4 == len(notified.ids)
    assert 2 == len(set(notified.ids))
    assert ["delivered"] * 2 == [each.status for each in await notified.deliveries()]


async def test_nodes_share_the_attempts(notified: Notified) -> None:
    """Each attempt is begun by one of them."""
    nodes = [notified.house, node_on(notified.house), node_on(notified.house)]
    await issue(notified.house, 20)
    await asyncio.gather(*(work(each) for each in nodes))

    assert 40 == len(notified.ids) == len(set(notified.ids))


async def test_a_delivery_is_redelivered_on_demand(notified: Notified) -> None:
    """One that has arrived, or was given up, comes again under the same id; a waiting one at once."""
    await notified.house.issue()
    await notified.work()
    (first, _) = await notified.deliveries()
    callbacks = notified.house.service.callbacks
    again = await callbacks.redeliver(notified.house.by, notified.endpoint.id, first.id)
    notified.house.web.status = 500
    await notified.work()
    waiting = (await notified.deliveries())[0]
    notified.house.web.status = 200
    await callbacks.redeliver(notified.house.by, notified.endpoint.id, first.id)
    await notified.work()
    last = (await notified.deliveries())[0]

    assert "pending" == again.status == waiting.status
    assert 3 == notified.ids.count(first.id)
    assert ("delivered", 3) == (last.status, last.attempts)


async def test_what_cannot_be_redelivered(notified: Notified) -> None:
    """A delivery of another endpoint is unknown; to a removed endpoint nothing goes."""
    await notified.house.issue()
    await notified.work()
    (first, _) = await notified.deliveries()
    callbacks = notified.house.service.callbacks
    other = await endpoint(notified.house)
    for endpoint_id, delivery_id in ((other.id, first.id), (notified.endpoint.id, "dlv_0")):
        with pytest.raises(DeliveryNotFoundError):
            await callbacks.redeliver(notified.house.by, endpoint_id, delivery_id)
    await callbacks.remove(notified.house.by, notified.endpoint.id)
    with pytest.raises(CallbackRemovedError):
        await callbacks.redeliver(notified.house.by, notified.endpoint.id, first.id)


async def test_a_removed_endpoint_is_called_no_more(notified: Notified) -> None:
    """Its waiting deliveries end, and its secret is removed from the store."""
    notified.house.web.status = 500
    await notified.house.issue()
    await notified.work()
    calls = len(notified.ids)
    await notified.house.service.callbacks.remove(notified.house.by, notified.endpoint.id)
    notified.house.clock.move(DAY)
    await notified.house.issue()
    await notified.work()

    assert calls == len(notified.ids)
    assert [("failed", "endpoint_removed")] * 2 == [
        (each.status, each.error) for each in await notified.deliveries()
    ]
    assert await notified.house.store.seal_key(notified.endpoint.id) is None


async def test_ended_deliveries_are_forgotten_after_a_week(notified: Notified) -> None:
    """Their rows do not grow without end; deliveries that are still tried stay."""
    await notified.house.issue()
    await notified.work()
    (first, _) = await notified.deliveries()
    notified.house.clock.move(7 * DAY + 1)
    notified.house.web.status = 500
    await notified.house.issue()
    await notified.work()

    # Issued, dispatched, and the first PIN superseded.
    assert ["pending"] * 3 == [each.status for each in await notified.deliveries()]
    assert await notified.house.store.row(CallbackDeliveryRow, first.id) is None


async def test_the_audit_finds_nothing(notified: Notified) -> None:
    """Deliveries are rows that no event determines: the check ignores them (D-67)."""
    notified.house.web.status = 500
    await notified.house.issue()
    await notified.work()
    inputs = AuditInputs(now=notified.house.clock.now)
    checked = await Checking(Journal(notified.house.store), inputs).check()

    assert 0 == checked.total


async def test_a_secret_is_wrapped_anew_for_a_new_code_key(notified: Notified) -> None:
    """The worker of a node with both versions does it; afterwards the secret signs as before."""
    at_machine_time(notified.house)
    await rotate(notified.house.store)
    secret = await EndpointSecrets(
        Journal(notified.house.store), AesGcmSealer(NEWEST), StandardWebhooksSigner()
    ).of(notified.endpoint.id)

    assert [False, True] == [await notified.house.store.seals_under(each) for each in (1, 2)]
    assert notified.endpoint.secret == StandardWebhooksSigner().secret_text(secret)


async def test_a_removed_endpoint_gets_no_seal_back(notified: Notified) -> None:
    """A rotation that meets the removal of an endpoint leaves its seal dropped."""
    house = notified.house

    async def meanwhile() -> None:
        await house.service.callbacks.remove(house.by, notified.endpoint.id)

    house.store.meanwhile = meanwhile
    await rotate(house.store)

    assert await house.store.seal_key(notified.endpoint.id) is None


async def test_a_secret_that_cannot_be_opened_is_no_call(notified: Notified) -> None:
    """Nothing is sent unsigned; the delivery waits for the key to come back."""
    await notified.house.issue()
    await notified.house.store.append(
        Append(
            at=notified.house.clock.now(), actor="", request_id="", dropping=(notified.endpoint.id,)
        )
    )
    await notified.work()

    assert [] == notified.ids
    assert {("pending", "secret_unreadable")} == {
        (each.status, each.error) for each in await notified.deliveries()
    }
