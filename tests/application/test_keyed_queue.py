"""Turns: one task at a time on a subject, in the order in which they came."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from watchword.application.errors import UnavailableError
from watchword.application.turns import Turns


async def in_line(turns: Turns, log: list[str], name: str, subject: str = "pin") -> None:
    """Take a turn, and write one's name into the log at its beginning and end."""

    async def come_and_go() -> None:
        log.append(f"{name} comes")
        await asyncio.sleep(0)
        log.append(f"{name} goes")

    await turns.take(subject, come_and_go)


@asynccontextmanager
async def held(turns: Turns) -> AsyncIterator[None]:
    """Hold the turn for the block."""
    over = asyncio.Event()
    holding = asyncio.create_task(turns.take("pin", over.wait))
    await asyncio.sleep(0)
    yield
    over.set()
    await holding


async def test_turns_are_taken_in_order() -> None:
    """Who comes first is served first, and alone."""
    turns, log = Turns(patience=5), list[str]()
    await asyncio.gather(*(in_line(turns, log, name) for name in "abc"))

    assert ["a comes", "a goes", "b comes", "b goes", "c comes", "c goes"] == log


async def test_subjects_do_not_wait_for_each_other() -> None:
    """Each subject has a line of its own."""
    turns, log = Turns(patience=5), list[str]()
    await asyncio.gather(in_line(turns, log, "a", "pin 1"), in_line(turns, log, "b", "pin 2"))

    assert ["a comes", "b comes", "a goes", "b goes"] == log


async def test_who_waits_too_long_is_told_so() -> None:
    """After its patience it is 503, and the line goes on without it."""
    turns, log = Turns(patience=0.01), list[str]()

    async def see_the_late_one_off() -> None:
        with pytest.raises(UnavailableError):
            await in_line(turns, log, "late")

    await turns.take("pin", see_the_late_one_off)
    await in_line(turns, log, "next")

    assert ["next comes", "next goes"] == log


async def test_the_wait_and_the_turn_share_the_patience() -> None:
    """Who has waited for a turn does not wait as long again in it: a store may hang for everybody."""
    turns = Turns(patience=0.05)
    async with held(turns):
        waiting = asyncio.create_task(turns.take("pin", asyncio.Event().wait))
        await asyncio.sleep(0)
    await asyncio.wait([waiting], timeout=5)

    assert waiting.done()
    assert isinstance(waiting.exception(), UnavailableError)
    await in_line(turns, [], "next")


async def test_who_gives_up_does_not_hold_the_others_up() -> None:
    """A cancelled task leaves the line, wherever it stood."""
    turns, log = Turns(patience=5), list[str]()
    async with held(turns):
        waiting = [asyncio.create_task(in_line(turns, log, name)) for name in "abc"]
        await asyncio.sleep(0)
        waiting[0].cancel()
        waiting[1].cancel()
    await asyncio.wait(waiting)

    assert ["c comes", "c goes"] == log


async def test_a_turn_that_was_given_to_someone_who_left_goes_on() -> None:
    """The turn came and the task was cancelled in the same moment: the next one has it."""
    turns, log = Turns(patience=5), list[str]()
    over = asyncio.Event()

    async def see_the_next_one_leave() -> None:
        await over.wait()
        # Before it is woken, and after its turn has come.
        asyncio.get_running_loop().call_soon(leaving.cancel)

    holding = asyncio.create_task(turns.take("pin", see_the_next_one_leave))
    await asyncio.sleep(0)
    leaving = asyncio.create_task(in_line(turns, log, "leaving"))
    staying = asyncio.create_task(in_line(turns, log, "staying"))
    await asyncio.sleep(0)
    over.set()
    await asyncio.wait([holding, leaving, staying], timeout=1)

    assert ["staying comes", "staying goes"] == log


async def test_a_failure_passes_the_turn_on() -> None:
    """Whatever happens inside, the next one is served."""
    turns, log = Turns(patience=5), list[str]()

    async def fail() -> None:
        await asyncio.sleep(0)
        raise LookupError

    failing = asyncio.create_task(turns.take("pin", fail))
    waiting = asyncio.create_task(in_line(turns, log, "b"))
    await asyncio.wait([failing, waiting])

    assert isinstance(failing.exception(), LookupError)
    assert ["b comes", "b goes"] == log
