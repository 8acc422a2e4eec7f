"""Answers of the statistics with as many rows as they may have."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

from tests.application.statistics.pin_histories import NOON, Histories, Node
from tests.fakes.loops import WatchedLoop
from tests.vaults import new_vault
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.application.caller import WORKER, Caller
from watchword.application.journal import Journal
from watchword.application.statistics.asking import MOST_ROWS, Question
from watchword.application.statistics.eras import ERA, era_at
from watchword.application.statistics.rows import counts_in, statistics_key, statistics_row
from watchword.application.statistics.views import Group, StatisticsView
from watchword.domain.statistics import Part, Place
from watchword.entrypoints.wire.figures import statistics_record

TEMPLATES = 5
HOURS = MOST_ROWS // TEMPLATES
LONGEST = 0.02


async def filled(folder: Path) -> Node:
    """Return a node on a store that has the figures of five templates in each of many hours."""
    store = await SqliteEventStore.open(folder / "store.db", vault=new_vault())
    journal, happening = Journal(store), Histories(store)
    era = era_at(await journal.position(ERA))
    first = int(NOON.timestamp()) // 3_600
    by = Caller("acc_garden", WORKER, "req_1")
    for hour in range(first, first + HOURS):
        places = [
            Place("acc_garden", hour, Part.SEND, template_id=f"tpl_{each}")
            for each in range(TEMPLATES)
        ]
        rows = [
            statistics_row(statistics_key(each), era, each, {**counts_in(None), "sent": 1})
            for each in places
        ]
        await journal.write(by, NOON, rows=tuple(rows))
    return Node(store, happening.clock)


def test_no_answer_holds_the_loop(tmp_path: Path) -> None:
    """Ten thousand rows are put together and shown while the loop does other work (C-94)."""
    until = NOON + timedelta(hours=HOURS)
    question = Question(since=NOON, until=until, group=Group.TEMPLATE)

    with asyncio.Runner(loop_factory=WatchedLoop) as runner:
        node = runner.run(filled(tmp_path))
        loop = runner.get_loop()
        assert isinstance(loop, WatchedLoop)
        loop.held.clear()
        answer: StatisticsView = runner.run(node.asking.ask(question))
        longest = max(loop.held)

    assert MOST_ROWS == len(answer.data) == len(statistics_record(answer)["data"])
    assert longest[0] <= LONGEST, longest[1]
