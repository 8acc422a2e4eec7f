"""A message's own URL receives each status once and in order (C-33)."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from attrs import define, field

from tests.application.callbacks.conftest import endpoint, issue, work
from tests.application.house import House, build_house
from tests.application.post_office import RECIPIENT, message, send
from tests.application.receipts import DELIVERED, FAILED, READ, SENT, audited, report, take_receipts
from tests.fakes.providers import ScriptedProvider
from watchword.application.callbacks.call_queues import (
    MOST_CALLS,
    MOST_CALLS_OF_QUOTA,
    MOST_CALLS_SHARED,
    MOST_CALLS_TO_ONE,
    CallQueue,
    CallQueues,
)
from watchword.application.callbacks.making_deliveries import FOLLOWER
from watchword.application.concurrency.bounded_tasks import BoundedTasks
from watchword.application.ports.channels import Message, Rejected
from watchword.application.ports.event_store import DueKind
from watchword.application.records.callback_delivery import CallbackDeliveryRow
from watchword.domain.receipt import ReceiptStatus

URL = "https://shop.example/whatsapp?key=CANARY"
TAGS = {"tag1": "tea", "tag3": "spring"}


@define
class Shop:
    """A house whose messages name a URL."""

    house: House
    ids: list[str] = field(factory=list)

    async def sends(self, url: str = URL) -> str:
        """Send a message, and return its id."""
        house = self.house
        (sent,) = await send(house, message(), callback_url=url, tags=TAGS)
        self.ids.append(sent.message_id)
        return sent.message_id

    async def receives(
        self, *statuses: ReceiptStatus, number: int = 1, code: str | None = None
    ) -> None:
        """Let receipts of a message come in, the first one's by default."""
        receipts = [report(each, f"scripted-{number}", code) for each in statuses]
        await take_receipts(self.house, self.house.provider.messages[number - 1], *receipts)

    async def works(self, seconds: float = 0) -> None:
        """Do what is due after some seconds, calls included."""
        self.house.clock.move(seconds)
        await work(self.house)

    @property
    def words(self) -> list[str]:
        """The statuses that were posted, in order."""
        return [json.loads(each.body)["event"]["status"] for each in self.house.web.posted]


@pytest.fixture
async def shop() -> Shop:
    """Return a shop that has no endpoint."""
    return Shop(await build_house())


async def test_each_status_is_notified_once_and_in_order(shop: Shop) -> None:
    """No endpoint is needed; a status that repeats, or falls behind, is not sent again (C-22)."""
    async with audited(shop.house):
        sent = await shop.sends()
        await shop.works()
        assert [] == shop.words
        for statuses in ((SENT, SENT), (DELIVERED, SENT), (READ, DELIVERED, FAILED)):
            await shop.receives(*statuses)
            await shop.works(10)
    first = shop.house.web.posted[0]

    assert ["SENT", "DELIVERED", "READ"] == shop.words
    assert {
        "event": {"status": "SENT", "messageId": sent, "timestamp": "2031-05-04T12:00:00.000Z"},
        "phone": RECIPIENT,
        "tags": TAGS,
    } == json.loads(first.body)
    assert {URL} == {each.url for each in shop.house.web.posted}
    assert {"webhook-id", "content-type"} == first.headers.keys()
    assert 3 == len({each.headers["webhook-id"] for each in shop.house.web.posted})


@pytest.mark.parametrize(("code", "reason"), [("absent", "absent"), (None, "failed")])
async def test_a_failure_has_a_reason(shop: Shop, code: str | None, reason: str) -> None:
    """The provider's code, or how the message ended."""
    await shop.sends()
    await shop.receives(FAILED, code=code)
    await shop.works()

    assert [("FAILED", reason)] == [
        (each["event"]["status"], each["event"]["reason"])
        for each in (json.loads(each.body) for each in shop.house.web.posted)
    ]


async def test_a_refused_message_failed() -> None:
    """An immediate refusal reads FAILED, like a later failure."""

    async def refuse(_: Message) -> Rejected:
        return Rejected("absent", "No.")

    shop = Shop(await build_house(ScriptedProvider(refuse)))
    await shop.sends()
    await shop.works()

    assert ["FAILED"] == shop.words


async def test_a_later_status_waits_for_an_earlier_one(shop: Shop) -> None:
    """A receiver that is away for long never reads `SENT` after `READ`."""
    await shop.sends()
    await shop.receives(SENT, DELIVERED)
    shop.house.web.status = 503
    await shop.works()
    await shop.receives(READ)
    for _ in range(4):
        await shop.works(3_600)
    away = set(shop.words)
    shop.house.web.status = 204
    shop.house.web.posted.clear()
    for _ in range(4):
        await shop.works(8 * 3_600)

    assert {"SENT"} == away
    assert ["SENT", "DELIVERED", "READ"] == shop.words


async def test_an_endpoint_is_notified_beside_the_sender(shop: Shop) -> None:
    """Each in its own form, and neither in the other's place."""
    await endpoint(shop.house, "https://account.example/", events=["message.*"])
    await shop.sends()
    await send(shop.house, message())
    await shop.receives(SENT)
    await shop.receives(SENT, number=2)
    await shop.works()
    called = [(each.url, "event" in json.loads(each.body)) for each in shop.house.web.posted]

    assert 1 == called.count((URL, True))
    # Two were accepted, and two were sent.
    assert 4 == called.count(("https://account.example/", False)) == len(called) - 1


async def test_the_log_is_followed_from_the_first_message_with_a_url(shop: Shop) -> None:
    """The log is not read before it, and PINs are never read."""
    await send(shop.house, message())
    await shop.works()
    unread = await shop.house.store.position(FOLLOWER)
    await shop.sends()
    await issue(shop.house, 3)
    read: list[str] = []
    read_stream = shop.house.store.read_stream

    async def noted(stream: str) -> Any:
        read.append(stream)
        return await read_stream(stream)

    shop.house.store.read_stream = noted  # type: ignore[method-assign]  # what is read is the question
    await shop.works()

    assert 0 == unread < await shop.house.store.position(FOLLOWER)
    assert set(shop.ids) == set(read)


async def test_a_url_that_hangs_holds_up_no_other(shop: Shop) -> None:
    """Not those of its own account, nor the account's endpoints."""
    await endpoint(shop.house, "https://account.example/", events=["message.accepted"])
    shop.house.web.hanging = {f"https://hangs.example/{number}" for number in range(40)}
    for number, url in enumerate(sorted(shop.house.web.hanging), start=1):
        await shop.sends(url)
        await shop.receives(SENT, number=number)
    await shop.sends()
    await shop.receives(SENT, number=41)
    for each in shop.house.service.due_work:
        while await each.run_due():
            pass
    for _ in range(500):
        await asyncio.sleep(0)
    urls = [each.url for each in shop.house.web.posted]

    assert 1 == urls.count(URL)
    assert 41 == urls.count("https://account.example/")
    assert MOST_CALLS_TO_ONE == len(urls) - 42
    shop.house.web.let_go.set()
    await shop.house.service.callback_tasks.finish()
    assert 82 == len(shop.house.web.posted)


async def test_any_number_of_hosts_takes_one_share_and_leaves_nothing() -> None:
    """An account's hosts together have few of all calls; a host that is done costs no memory."""
    tasks, let_go = BoundedTasks(512, MOST_CALLS_TO_ONE), asyncio.Event()
    calls = CallQueues(tasks, 25)
    queues = [CallQueue(f"acc_one host-{number}", "acc_one") for number in range(1_000)]
    for queue in queues:
        calls.add(queue, lambda: hang(let_go))

    assert MOST_CALLS_OF_QUOTA == sum(calls.has_place(queue) for queue in queues)
    assert calls.has_place(CallQueue("acc_two host-1", "acc_two"))
    let_go.set()
    await tasks.finish()
    assert all(calls.has_place(queue) for queue in queues)
    assert ({}, 0) == (calls._states, calls._by_quota.total())


async def test_hosts_of_all_accounts_leave_calls_for_endpoints() -> None:
    """Hosts that hang, of any number of accounts, leave calls for endpoints."""
    tasks, let_go = BoundedTasks(MOST_CALLS, MOST_CALLS_TO_ONE), asyncio.Event()
    calls = CallQueues(tasks, 25)
    for number in range(1_000):
        account = f"acc_{number % 10}"
        calls.add(CallQueue(f"{account} host-{number}", account), lambda: hang(let_go))

    assert not calls.has_place(CallQueue("acc_new host", "acc_new"))
    for number in range(MOST_CALLS - MOST_CALLS_SHARED):
        assert calls.has_place(CallQueue(f"cbk_{number}", f"cbk_{number}"))
        calls.add(CallQueue(f"cbk_{number}", f"cbk_{number}"), lambda: hang(let_go))
    let_go.set()
    await tasks.finish()
    assert calls.has_place(CallQueue("acc_new host", "acc_new"))


async def hang(until: asyncio.Event) -> None:
    """Make a call that takes until then."""
    await until.wait()


async def test_a_process_that_dies_in_a_call_leaves_it_to_be_repeated(shop: Shop) -> None:
    """The repetition has the same id, and later statuses wait for it."""
    shop.house.web.hanging.add(URL)
    await shop.sends()
    await shop.receives(SENT, READ)
    for each in shop.house.service.due_work:
        while await each.run_due():
            pass
    await asyncio.sleep(0)
    shop.house.service.callback_tasks.abandon()
    await shop.house.service.callback_tasks.finish()
    shop.house.web.hanging.clear()
    for _ in range(3):
        await shop.works(60)

    assert ["SENT", "SENT", "READ"] == shop.words
    assert 2 == len({each.headers["webhook-id"] for each in shop.house.web.posted})


async def test_what_is_given_up_keeps_nothing_waiting(shop: Shop) -> None:
    """After three days; its row stays for a week, as all deliveries do."""
    shop.house.web.status = 500
    await shop.sends()
    await shop.receives(SENT, DELIVERED)
    for _ in range(30):
        await shop.works(4 * 3_600)
    rows = await shop.house.store.due(DueKind.CALLBACK, shop.house.clock.now(), 10)

    assert [] == list(rows)
    assert {"SENT", "DELIVERED"} == set(shop.words)
    await shop.works(8 * 24 * 3_600)
    assert 0 == await shop.house.service.journal.forget_rows(
        CallbackDeliveryRow, "ended_at", shop.house.clock.now()
    )
