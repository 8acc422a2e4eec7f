"""Embedders let rows follow from the log again (C-81)."""

from __future__ import annotations

import pytest

import watchword
from watchword.entrypoints.demo.seeding import TEMPLATE_ID


async def test_an_embedder_rebuilds(store_url: str) -> None:
    """The report counts what was read, and what was put right; the progress ends at the end."""
    told: list[tuple[int, int]] = []
    async with watchword.open(store_url, sandbox=True, run_worker=False) as service:
        await service.pins.issue("demo", TEMPLATE_ID, "+447700900123")
        rebuilt = await service.audit.rebuild(
            ["verifications"], progress=lambda *each: told.append(each)
        )
        events = await service.events.list(limit=1000)

    assert ({}, {}, 0) == (rebuilt.replaced, rebuilt.removed, rebuilt.flawed)
    assert (len(events), len(events)) == told[-1]


async def test_an_unknown_list_is_refused() -> None:
    """By the name of the argument."""
    async with watchword.open("memory://") as service:
        with pytest.raises(watchword.ValidationFailedError) as refused:
            await service.audit.rebuild(["teas"])

    assert ["only"] == [each.field for each in refused.value.problems]
