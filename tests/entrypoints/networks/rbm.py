"""Google's RCS network with phones behind it: each message arrives, is revoked and is reported by a plan."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import ClientSession
from attrs import define, field, frozen

from tests.adapters.channels.rcs_business.google import (
    Google,
    config_at,
    event,
    posted,
    running,
    signature,
)
from tests.entrypoints.networks.phones import Phones
from watchword.testing import HttpAnswer, HttpRequest


@frozen(kw_only=True)
class Plan:
    """
    How the network treats one message.

    It arrives `after` the moment that the test names, in seconds, and is reported `told_after` that;
    the phone of one without `after` is off. The first `lost` answers to sends are cut off; all of them
    come `sent_after` the request. A revoke is
    answered after `revoked_after`; where the message `slips`, it is on its way to the phone and is
    shown although the answer says that it was revoked.
    """

    after: float | None = None
    told_after: float = 0.0
    lost: int = 0
    sent_after: float = 0.0
    revoked_after: float = 0.0
    slips: bool = False


OFF = Plan()


@define
class Rbm:
    """The network; it posts the events of deliveries to `events_url`."""

    google: Google
    phones: Phones
    plan: Callable[[str], Plan]
    events_url: str = ""
    sends: Counter[str] = field(factory=Counter)
    revokes: list[str] = field(factory=list)
    _tasks: set[asyncio.Task[None]] = field(factory=set)

    @property
    def config(self) -> Mapping[str, Any]:
        """The settings that an operator enters for it."""
        return config_at(self.google.url)

    @property
    def newest(self) -> str:
        """Google's id of the newest message."""
        return [*self.google.taken][-1]

    def answer(self, request: HttpRequest) -> HttpAnswer:
        """Answer as Google, late or never where the plan says so."""
        said = self.google.answer(request)
        if request.path.endswith("/agentMessages") and request.method == "POST":
            return self._sent(request.query["messageId"], said)
        if request.method == "DELETE":
            return self._revoked(request.path.rpartition("/")[2], said)
        return said

    def deliver_at(self, phone: str, moment: float) -> None:
        """Deliver what was taken for a phone by its plan; `moment` is of the loop's clock."""
        for message_id, number in self.google.numbers.items():
            if number == phone:
                self._begin(self._deliver(phone, message_id, moment))

    async def settled(self) -> None:
        """Wait until every delivery was made and every event answered."""
        while self._tasks:
            await asyncio.gather(*self._tasks)

    def _sent(self, message_id: str, said: HttpAnswer) -> HttpAnswer:
        self.sends[message_id] += 1
        number = self.google.numbers.get(message_id)
        if number is None:
            return said
        plan = self.plan(number)
        if self.sends[message_id] <= plan.lost:
            return said.but(cut_at=0)
        return said.but(delay=plan.sent_after)

    def _revoked(self, message_id: str, said: HttpAnswer) -> HttpAnswer:
        self.revokes.append(message_id)
        if (number := self.google.numbers.get(message_id)) is None:
            return said
        plan = self.plan(number)
        if plan.slips:
            self.google.revoked.discard(message_id)
        return said.but(delay=plan.revoked_after)

    async def _deliver(self, phone: str, message_id: str, moment: float) -> None:
        plan = self.plan(phone)
        if plan.after is None:
            return
        await asyncio.sleep(moment + plan.after - asyncio.get_running_loop().time())
        if message_id in self.google.revoked:
            return
        self.google.arrived.add(message_id)
        self.phones.show(phone, "rcs")
        await asyncio.sleep(plan.told_after)
        body = posted(event("DELIVERED", message_id, senderPhoneNumber=phone))
        async with (
            ClientSession() as session,
            session.post(self.events_url, data=body, headers=signature(body)) as answer,
        ):
            assert 200 == answer.status

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


@asynccontextmanager
async def rbm(phones: Phones, plan: Callable[[str], Plan] = lambda _: OFF) -> AsyncIterator[Rbm]:
    """Run a network; without a plan, all phones are off."""
    async with running() as google:
        network = Rbm(google, phones, plan)
        google.web.says(network.answer)
        yield network
