"""Embedders ask for the statistics, and let them be counted again (C-80)."""

from __future__ import annotations

import pytest

import watchword
from watchword.application.statistics.views import FiguresView
from watchword.entrypoints.demo.seeding import TEMPLATE_ID


async def test_an_embedder_asks_and_rebuilds(store_url: str) -> None:
    """The worker counts what happened; a rebuild comes to the same figures."""
    async with watchword.open(store_url, sandbox=True, run_worker=False) as service:
        await service.pins.issue("demo", TEMPLATE_ID, "+447700900123")
        await service.run_due()
        figures = await service.stats(account="demo", by="day", group="country")
        await service.stats.rebuild()
        begun = await service.stats()
        await service.run_due()
        again = await service.stats(account="demo", by="day", group="country")

        (row,) = figures.data
        assert isinstance(row, FiguresView)
        assert ("GB", 1, 1) == (row.of, row.sent, row.accepted)
        assert (0, ()) == (begun.position, begun.data)
        assert figures == again
        (told,) = watchword.to_json(figures)["data"]
        assert ("GB", 1, True) == (told["country"], told["sent"], "of" not in told)


async def test_a_wrong_question_is_refused() -> None:
    """By the name of the argument's value."""
    async with watchword.open("memory://") as service:
        with pytest.raises(watchword.ValidationFailedError):
            await service.stats(by="week")
        with pytest.raises(watchword.AccountNotFoundError):
            await service.stats(account="nobody")
