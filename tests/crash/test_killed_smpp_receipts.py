"""
Killed in the middle of receipts over SMPP, the service has each one that it answered (C-70).

The issue's mark is 20 kills among 10,000 receipts: `WATCHWORD_CRASH_RECEIPTS=10000
WATCHWORD_CRASH_RECEIPT_KILLS=20 pytest tests/crash/test_killed_smpp_receipts.py`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from pathlib import Path
from random import Random

from aiohttp import ClientSession
from attrs import define, field

from tests.adapters.channels.smpp.deliveries import receipt, tlv_receipt
from tests.adapters.channels.smpp.smsc import Delivery, Session, Smsc, Submit
from tests.crash.load import ADMIN, SEED
from tests.crash.record import Record
from tests.crash.server import START_SECONDS, Server, connected, serving
from tests.crash.test_killed_receipts import KILLS, RECEIPTS, RECIPIENTS
from watchword.domain.message import MessageReported
from watchword.domain.receipt import ReceiptStatus
from watchword.entrypoints.demo.seeding import API_KEY

# The receipts before an answer: more than the service records at once, so a kill hits some in every state.
WINDOW = 100
SENDER = "CARRIER"


@define
class Carrier:
    """Sends a receipt of each message, and sends it again until it is answered with success."""

    smsc: Smsc
    waiting: deque[str] = field(factory=deque)
    acknowledged: set[str] = field(factory=set)
    repeated: int = 0

    async def deliver_until(self, number: int, server: Server) -> None:
        """Deliver until so many are acknowledged; kill the server then."""
        await self.smsc.until(lambda: any(each.hears for each in self.smsc.sessions), START_SECONDS)
        (session,) = [each for each in self.smsc.sessions if each.hears]
        under_way: dict[str, Delivery] = {}
        while under_way or (self.waiting and not session.ended):
            self._fill(session, under_way)
            await self.smsc.until(
                lambda: any(each.ended for each in under_way.values()), START_SECONDS
            )
            for message_id in [each for each, delivery in under_way.items() if delivery.ended]:
                if under_way.pop(message_id).status == 0:
                    self.acknowledged.add(message_id)
                    if len(self.acknowledged) == number:
                        server.kill()
                else:
                    self.waiting.append(message_id)
                    self.repeated += 1

    def _fill(self, session: Session, under_way: dict[str, Delivery]) -> None:
        while self.waiting and len(under_way) < WINDOW and not session.ended:
            message_id = self.waiting.popleft()
            form = tlv_receipt if len(self.waiting) % 2 else receipt
            under_way[message_id] = self.smsc.push(form(message_id), session)


async def send(session: ClientSession, smsc: Smsc) -> Mapping[str, str]:
    """Send messages through an SMSC, and return our id of each by the SMSC's."""
    body = {
        "channelType": "sms",
        "provider": "smpp",
        "name": "carrier",
        "sender": SENDER,
        "config": {
            "host": smsc.host,
            "port": smsc.port,
            "systemId": "orchid",
            "password": "s3cret",
            "window": WINDOW,
        },
    }
    async with session.post("/admin/v1/channel-accounts", json=body, headers=ADMIN) as answer:
        assert 201 == answer.status, await answer.text()
    ids: dict[str, str] = {}

    def take(submit: Submit) -> None:
        message_id = smsc.next_id()
        ids[f"+{submit.pdu.destination_addr}"] = message_id
        submit.accept(message_id)

    smsc.answer = take
    ours: dict[str, str] = {}
    for first in range(0, RECEIPTS, RECIPIENTS):
        sms = {"sender": SENDER, "type": "SI", "messageBody": "Your tea is ready."}
        numbers = range(first, min(first + RECIPIENTS, RECEIPTS))
        entries = [{**sms, "recipient": f"+4479{each:08}"} for each in numbers]
        async with session.post(
            "/oapi/send_sms", json={"sms": entries}, headers={"apikey": API_KEY}
        ) as answer:
            assert 200 == answer.status, await answer.text()
            sent = (await answer.json())["data"]
        ours |= {each["recipient"]: each["messageId"] for each in sent}
    return {ids[number]: message_id for number, message_id in ours.items()}


async def test_no_answered_receipt_is_lost(tmp_path: Path) -> None:
    """The message of each is delivered, whichever form the receipt had and whenever the kill came."""
    random = Random(SEED)
    async with Smsc() as smsc:
        carrier = Carrier(smsc)
        async with serving(tmp_path) as server, connected(server) as session:
            sent = await send(session, smsc)
        assert RECEIPTS == len(sent)
        carrier.waiting += sent

        for number in sorted(random.sample(range(1, RECEIPTS), KILLS)):
            async with serving(tmp_path) as server:
                await carrier.deliver_until(number, server)
                assert number <= len(carrier.acknowledged)
        async with serving(tmp_path) as server:
            await carrier.deliver_until(RECEIPTS + 1, server)
        record = await Record.of(tmp_path / "watchword.db")

    delivered = {
        each.stream
        for each in record.log
        if isinstance(each.event, MessageReported) and each.event.status is ReceiptStatus.DELIVERED
    }
    assert sent.keys() == carrier.acknowledged
    assert [] == [each for each in carrier.acknowledged if sent[each] not in delivered]
    assert carrier.repeated > 0
    assert () == record.checked.differences
