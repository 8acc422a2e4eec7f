"""Test events and redeliveries: what operators have sent, on the record with their names (C-53, D-511)."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from tests.application.callbacks.conftest import Notified, at_machine_time, endpoint, work
from tests.application.house import House, build_house
from watchword.application.audit.checking import AuditInputs, Checking
from watchword.application.callbacks.deliveries import DeliveryNotFoundError
from watchword.application.callbacks.delivering import MOST_ANSWER
from watchword.application.caller import Caller
from watchword.application.journal import Journal
from watchword.application.ports.event_store import Recorded
from watchword.domain.callback_endpoint import (
    OPERATORS,
    CallbackEndpointTested,
    CallbackRedelivered,
    CallbackRemovedError,
)


def operator(house: House) -> Caller:
    """Return an operator who is no part of the house."""
    return replace(house.by, actor="tok_tea")


async def last_of(house: House, stream: str) -> Recorded:
    """Return the last event of a stream."""
    return (await house.service.journal.read_stream(stream))[-1]


async def test_a_test_event_is_sent_to_the_tested_endpoint_alone(notified: Notified) -> None:
    """It is signed and listed as any other, although the endpoint wants another type."""
    house = notified.house
    at_machine_time(house)
    picky = await endpoint(house, url="https://shop.example/pins", events=["pin.verified"])
    sent = await house.service.callbacks.test(operator(house), picky.id)
    await notified.work()
    (posted,) = house.web.posted
    delivery = await house.service.callbacks.delivery(house.by, picky.id, sent.delivery_id)

    assert "https://shop.example/pins" == posted.url
    assert sent.delivery_id == posted.headers["webhook-id"]
    assert ("callback.test", {"callbackId": picky.id}) == (
        notified.bodies[0]["type"],
        notified.bodies[0]["data"],
    )
    assert ("delivered", "callback.test", 1) == (
        delivery.status,
        delivery.type,
        delivery.attempts,
    )


async def test_an_endpoint_of_operators_is_tested_too() -> None:
    """It belongs to no account, and may be the only one that there is."""
    house = await build_house()
    owner = Caller(OPERATORS, "tok_tea", "req_1")
    made = await house.service.callbacks.create(owner, url="https://tea.example", events=["log.*"])
    await house.issue()
    await work(house)
    await house.service.callbacks.test(owner, made.id)
    await work(house)

    assert ["callback.test"] == [json.loads(each.body)["type"] for each in house.web.posted]


async def test_what_operators_have_sent_names_them(notified: Notified) -> None:
    """The log says who tested an endpoint, and who had a delivery attempted again."""
    house = notified.house
    by, own = operator(house), notified.endpoint.id
    sent = await house.service.callbacks.test(by, own)
    tested = await last_of(house, own)
    await notified.work()
    await house.service.callbacks.redeliver(by, own, sent.delivery_id)
    again = await last_of(house, own)

    assert ("tok_tea", "tok_tea") == (tested.actor, again.actor)
    assert tested.event == CallbackEndpointTested(at=tested.event.at, delivery_id=sent.delivery_id)
    assert again.event == CallbackRedelivered(at=again.event.at, delivery_id=sent.delivery_id)


async def test_a_removed_endpoint_is_not_tested(notified: Notified) -> None:
    """Nothing is sent there any more."""
    house = notified.house
    await house.service.callbacks.remove(house.by, notified.endpoint.id)

    with pytest.raises(CallbackRemovedError):
        await house.service.callbacks.test(house.by, notified.endpoint.id)


async def test_a_delivery_shows_its_request(notified: Notified) -> None:
    """What was posted, and where: the content without the signature of one attempt."""
    house = notified.house
    await house.issue()
    await notified.work()
    for each, body in zip(await notified.deliveries(), notified.bodies, strict=True):
        whole = await house.service.callbacks.delivery(house.by, notified.endpoint.id, each.id)

        assert (notified.endpoint.url, body) == (whole.request.url, whole.request.body)


async def test_a_delivery_belongs_to_its_endpoint(notified: Notified) -> None:
    """Under another endpoint's id it is unknown."""
    house = notified.house
    other = await endpoint(house)
    await house.issue()
    await notified.work()
    each = (await notified.deliveries())[0]

    with pytest.raises(DeliveryNotFoundError):
        await house.service.callbacks.delivery(house.by, other.id, each.id)


async def test_a_refusal_is_kept_until_a_success(notified: Notified) -> None:
    """What a receiver said to the last attempt tells operators what to mend."""
    house = notified.house
    house.web.status = 422
    house.web.contents = {notified.endpoint.url: b"no such \xff shop\0" + b"!" * 5_000}
    sent = await house.service.callbacks.test(house.by, notified.endpoint.id)
    await notified.work()
    refused = await house.service.callbacks.delivery(
        house.by, notified.endpoint.id, sent.delivery_id
    )
    house.web.status = 200
    await house.service.callbacks.redeliver(house.by, notified.endpoint.id, sent.delivery_id)
    await notified.work()
    taken = await house.service.callbacks.delivery(house.by, notified.endpoint.id, sent.delivery_id)

    assert (422, "not_2xx") == (refused.last_status, refused.error)
    assert refused.last_answer is not None
    assert refused.last_answer.startswith("no such \ufffd shop\ufffd!!")
    assert MOST_ANSWER == len(refused.last_answer)
    assert (200, None) == (taken.last_status, taken.last_answer)


async def test_the_audit_finds_nothing_in_tests_and_redeliveries(notified: Notified) -> None:
    """A test is a delivery that its endpoint never asked for, of an event that the log has."""
    house = notified.house
    picky = await endpoint(house, events=["pin.verified"])
    sent = await house.service.callbacks.test(house.by, picky.id)
    await notified.work()
    await house.service.callbacks.redeliver(house.by, picky.id, sent.delivery_id)
    await notified.work()
    inputs = AuditInputs(now=house.clock.now)
    checked = await Checking(Journal(house.store), inputs).check()

    assert 0 == checked.total
