"""Many questions are asked some at a time, and answered in their order."""

from __future__ import annotations

import asyncio

import pytest

from watchword.application.concurrency.gathering import gathered


async def test_answers_come_in_the_order_of_the_questions() -> None:
    """Whoever answers first, and however often something was named."""

    async def answer(number: int) -> str:
        for _ in range(number % 3):
            await asyncio.sleep(0)
        return f"answer {number}"

    found = await gathered(answer, (5, 3, 5, 4))

    assert [(5, "answer 5"), (3, "answer 3"), (4, "answer 4")] == list(found.items())
    assert {} == await gathered(answer, ())


async def test_only_some_are_asked_at_once() -> None:
    """The service's own reads find a place between them."""
    asking, most = 0, 0

    async def answer(_: int) -> None:
        nonlocal asking, most
        asking += 1
        most = max(most, asking)
        await asyncio.sleep(0)
        asking -= 1

    await gathered(answer, range(100))

    assert 32 == most


async def test_an_error_is_raised() -> None:
    """Nothing is asked after the group in which a question failed."""
    asked = []

    async def answer(number: int) -> None:
        asked.append(number)
        if number == 7:
            raise LookupError

    with pytest.raises(LookupError):
        await gathered(answer, range(100))
    assert 32 == len(asked)
