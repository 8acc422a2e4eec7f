"""A thousand fallbacks from RCS to SMS whose deliveries race their deadlines (C-20)."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from attrs import define, field, frozen

from tests.entrypoints.conftest import Serving
from tests.entrypoints.networks.rbm import Plan
from tests.entrypoints.networks.rcs_houses import PROVIDER_TIMEOUT, RcsHouse, phone_of, rcs_house

STORES = ("sqlite",)
RUNS = 1_000
# So many become due in a second that a run is decided within milliseconds of its deadline.
PER_SECOND, AT_ONCE = 100, 4
# The calls under way: a machine that is slower sends more slowly, so that no time-out changes a fate.
UNDER_WAY = 8
LATE = 1.5 * PROVIDER_TIMEOUT
# Some messages have a fate that does not depend on how fast the machine is.
CERTAIN = (
    Plan(after=-0.5),
    Plan(after=-0.5, told_after=2 * LATE),
    Plan(after=-0.5, told_after=2 * LATE, revoked_after=LATE),
    Plan(after=None),
    Plan(after=None, revoked_after=LATE),
    Plan(after=LATE, slips=True),
)
EACH = 5
_ENDS = ("AttemptEnded", "FallbackStoodDown", "FallbackDispatched")


def plan_of(number: int) -> Plan:
    """Return how a message is treated: most arrive within 50 ms of their deadline."""
    if number < len(CERTAIN) * EACH:
        return CERTAIN[number % len(CERTAIN)]
    dice = random.Random(number)
    return Plan(
        after=dice.uniform(-0.05, 0.05),
        told_after=dice.choice((0.0, 0.0, 0.02, 0.3, LATE)),
        lost=dice.choice((0,) * 38 + (1, 2)),
        revoked_after=dice.choice((0.0, 0.0, 0.02, 0.2, LATE)),
        slips=dice.random() < 0.05,
    )


@frozen
class Told:
    """A run as the service tells it: the history of its message, and the end of the attempt by RCS."""

    message: Mapping[str, Any]
    events: Sequence[Mapping[str, Any]]

    @property
    def statuses(self) -> list[str]:
        """The statuses that the RCS message reached or repeated."""
        return [each["status"] for each in self.message["events"]]

    @property
    def end(self) -> str:
        """Why no SMS followed, or how the RCS message was ended before it did."""
        if self.message["fallback"]["status"] == "stood_down":
            return "stood down"
        ends = [each["data"]["outcome"] for each in self.events if each["type"] == "AttemptEnded"]
        return str(ends[0]) if ends else "rejected"

    @property
    def arrived(self) -> list[str]:
        """The networks by which a message arrived, as far as the history says."""
        rcs = ["rcs"] if {"delivered", "read"} & {*self.statuses} else []
        (step,) = self.message["fallback"]["steps"]
        return rcs + (["sms"] if step["status"] == "accepted" else [])


@define
class Sending:
    """Sends at a steady rate, or as fast as the machine can, and tells the network each deadline."""

    house: RcsHouse
    entries: list[Mapping[str, Any]] = field(factory=list)
    _room: asyncio.Semaphore = field(factory=lambda: asyncio.Semaphore(UNDER_WAY))

    async def all(self, count: int) -> None:
        """Send so many messages, and wait until each has a fate."""
        loop = asyncio.get_running_loop()
        next_at = loop.time()
        async with asyncio.TaskGroup() as group:
            for first in range(0, count, AT_ONCE):
                await self._room.acquire()
                await asyncio.sleep(next_at - loop.time())
                # What was missed is not made up for in a burst.
                next_at = max(next_at, loop.time()) + AT_ONCE / PER_SECOND
                numbers = range(first, min(first + AT_ONCE, count))
                group.create_task(self._send([phone_of(each) for each in numbers]))
        await self.house.rbm.settled()
        async with asyncio.timeout(20):
            while not all(map(_is_over, await self._standing())):  # noqa: ASYNC110  other machines' work
                await asyncio.sleep(0.2)

    async def told(self) -> list[Told]:
        """Return what the service tells of each."""
        stories = await self._stories()
        return [Told(each, stories[each["fallback"]["runId"]]) for each in await self._standing()]

    async def _send(self, phones: Sequence[str]) -> None:
        try:
            body = await self.house.send(*phones, wait=1)
        finally:
            self._room.release()
        late = datetime.fromisoformat(body["fallback"]["deadline"]) - datetime.now(UTC)
        moment = asyncio.get_running_loop().time() + late.total_seconds()
        self.entries += body["data"]
        for phone in phones:
            self.house.rbm.deliver_at(phone, moment)

    async def _standing(self) -> list[Mapping[str, Any]]:
        ids = [each["messageId"] for each in self.entries]
        caller, found = self.house.caller, []
        for first in range(0, len(ids), 100):
            asked = {"messageIds": ids[first : first + 100]}
            reply = await caller.using(None).post(
                "/status", asked, headers={"apikey": str(caller.key)}
            )
            found += reply.json["data"]
        return found

    async def _stories(self) -> Mapping[str, list[Mapping[str, Any]]]:
        stories: dict[str, list[Mapping[str, Any]]] = {}
        after, types = 0, "&".join(f"type={each}" for each in _ENDS)
        while True:
            path = f"/events?{types}&limit=1000&after={after}"
            page = await self.house.caller.operated("GET", path)
            for each in page["data"]:
                stories.setdefault(each["streamId"], []).append(each)
            if not page["data"]:
                return stories
            after = page["next"]


def _is_over(message: Mapping[str, Any]) -> bool:
    run = message["fallback"]
    return run["status"] == "stood_down" or run["steps"][0]["status"] == "accepted"


async def test_one_of_both_arrives_or_the_history_says_why_both_may_have(serving: Serving) -> None:
    """
    The phones are compared with the histories, message by message and in number.

    Deliveries fall within 50 ms of the deadline, reports and answers come late or never, and sends are
    cut off. Nobody gets nothing; who gets both has a run whose RCS message was not revoked in time, or
    a receipt that came after Google had said that it was.
    """
    plans = {phone_of(each): plan_of(each) for each in range(RUNS)}
    async with rcs_house(serving, plans.__getitem__) as house:
        sending = Sending(house)
        await sending.all(RUNS)
        told = await sending.told()
        phones, gateway, network = house.phones, house.gateway, house.rbm
    shown = {each.message["recipient"]: phones.shown(each.message["recipient"]) for each in told}
    fates = Counter((tuple(each.arrived), each.end) for each in told)
    ends = {
        networks: {end for arrived, end in fates if arrived == networks} for networks, _ in fates
    }

    # What the histories say is what the phones showed; a network that showed one twice would differ.
    assert RUNS == len(shown)
    assert {phone: sorted(networks) for phone, networks in shown.items()} == {
        each.message["recipient"]: each.arrived for each in told
    }
    # Nobody got nothing.
    assert {("rcs",), ("sms",), ("rcs", "sms")} == ends.keys()
    assert {"stood down"} == ends["rcs",]
    # A breaker that opened after lost answers rejects, and the SMS follows at once.
    assert {"revoked", "not_revoked"} == ends["sms",] - {"rejected"}
    assert {"revoked", "not_revoked"} == ends["rcs", "sms"]
    slipped = [each for each in told if each.end == "revoked" and 2 == len(each.arrived)]
    assert {True} == {plans[each.message["recipient"]].slips for each in slipped}
    assert {("revoked", "delivered")} == {tuple(each.statuses[-2:]) for each in slipped}
    # And the networks counted the same.
    assert len(gateway.taken) == sum("sms" in each.arrived for each in told)
    taken = {each.message["recipient"] for each in told if "accepted" in each.statuses}
    assert set() == taken - {*network.google.numbers.values()}
    assert max(network.sends.values()) <= 2
