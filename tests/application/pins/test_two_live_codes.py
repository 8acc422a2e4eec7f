"""One live code per template and destination, in any order of the nodes' acceptances (C-15)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import pytest
from attrs import evolve

from tests.application.house import House, build_house, code_in, node_on
from tests.fakes.providers import ScriptedProvider
from tests.fakes.stores import TroubledStore
from watchword.application.audit.checking import Checking
from watchword.application.journal import change
from watchword.application.pins.resending_pins import ResendRequest
from watchword.application.ports.channels import Accepted, Message, Rejected
from watchword.application.ports.event_store import Append, HeldByOthers
from watchword.domain.pin import DispatchFailedError, ErasePin, PinExpiredError, erase, pin_decider


class RefusedMeanwhile(TroubledStore):
    """One node's way to the store; `after_refusal` runs once, before the node learns of other holders."""

    after_refusal: Callable[[], Awaitable[object]] | None = None

    async def append(self, append: Append) -> Sequence[int]:
        """Append; a refusal takes its time to come back."""
        try:
            return await super().append(append)
        except HeldByOthers:
            if self.after_refusal is not None:
                after, self.after_refusal = self.after_refusal, None
                await after()
            raise


class FirstHesitates(ScriptedProvider):
    """Takes every message; of the first one it says so when it is let go."""

    def __init__(self) -> None:
        super().__init__(self._take)
        self.asked, self.let_go = asyncio.Event(), asyncio.Event()

    async def _take(self, message: Message) -> Accepted:
        taken = Accepted(f"taken-{len(self.messages)}")
        if len(self.messages) == 1:
            self.asked.set()
            await self.let_go.wait()
        return taken


async def test_a_pin_that_comes_back_to_life_while_it_is_passed_over() -> None:
    """
    The acceptance that commits last is alone, also over a PIN that it had found dead.

    Fern is accepted, and refused: moss holds the live code too. Before fern looks, orchid retires
    both. Fern finds moss with nothing to give; before fern is recorded, moss is accepted after all.
    """
    provider = FirstHesitates()
    other = await build_house(provider)
    slow = RefusedMeanwhile(other.store)
    node = node_on(evolve(other, store=slow))

    async def moss_is_accepted() -> None:
        provider.let_go.set()
        await moss

    async def orchid_is_accepted() -> None:
        await other.issue()
        slow.meanwhile = moss_is_accepted

    slow.after_refusal = orchid_is_accepted
    moss = asyncio.create_task(other.issue())
    await provider.asked.wait()
    fern = await node.issue()

    assert [(await moss).pin_id, fern.pin_id] == (await other.pins())[:2]
    assert ["PinIssued", "PinSuperseded", "PinDispatched", "PinSuperseded"] == (
        await other.story((await moss).pin_id)
    )
    await check_alone(other, fern.pin_id)


@pytest.mark.parametrize("end", ["verified", "erased", "replaced"])
async def test_a_code_that_ends_before_its_outcome_is_recorded_retires_no_other(end: str) -> None:
    """
    Only a PIN that becomes the live one supersedes the others (D-350).

    Fern is accepted, and refused: moss holds the live code. Before fern is recorded, fern's code ends.
    """
    other = await build_house()
    moss = await other.issue()
    slow = RefusedMeanwhile(other.store)
    node = node_on(evolve(other, store=slow))

    async def fern_ends() -> None:
        fern = (await other.pins())[-1]
        match end:
            case "verified":
                await other.service.verifying.verify(other.by, fern, other.code())
            case "erased":
                await end_by_erasure(other, fern)
            case _:
                await replace_in_vain(other, fern)

    slow.after_refusal = fern_ends
    await node.issue()

    assert ["PinIssued", "PinDispatched"] == await other.story(moss.pin_id)
    assert () == (await Checking(other.service.journal).check()).differences
    first = code_in(other.provider.messages[0].text)
    await other.service.verifying.verify(other.by, moss.pin_id, first)


async def replace_in_vain(house: House, pin_id: str) -> None:
    """Replace the code of a PIN with one that no channel takes: it is the newest, and retires nobody."""

    async def refuse(_: Message) -> Rejected:
        return Rejected("unknown_number", "Nobody has this number.")

    house.provider.script = refuse
    with pytest.raises(DispatchFailedError):
        await house.service.resending.resend(house.by, pin_id, ResendRequest())
    house.provider.script = None


async def end_by_erasure(house: House, pin_id: str) -> None:
    """End a PIN as the erasure of its person does, which reaches one PIN before another."""
    now = house.clock.now()
    loaded = await house.service.journal.load(pin_decider, pin_id)
    ended = change(
        pin_decider, pin_id, loaded, erase(loaded.state, ErasePin(at=now, pin_id=pin_id))
    )
    await house.service.journal.write(house.by, now, ended)


async def check_alone(house: House, pin_id: str) -> None:
    """This PIN, and no other of its destination, can be verified."""
    codes = [code_in(message.text) for message in house.provider.messages]
    for other, code in zip(await house.pins(), codes, strict=True):
        if other != pin_id:
            with pytest.raises(PinExpiredError):
                await house.service.verifying.verify(house.by, other, code)
    await house.service.verifying.verify(
        house.by, pin_id, codes[(await house.pins()).index(pin_id)]
    )
