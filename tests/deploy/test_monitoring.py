"""The board and the alerts ask for metrics that a service has, by labels that these metrics have."""

from __future__ import annotations

import asyncio
import json
import re

import pytest
from aiohttp import ClientSession
from prometheus_client.metrics import MetricWrapperBase

from tests.deploy.deployed import (
    BOARD,
    SCRAPING,
    alerts,
    filled,
    grouped,
    guide,
    panels,
    parse_yaml,
    read_yaml,
    selectors,
)
from tests.docs.guide_lines import blocks, table
from watchword.adapters.meters import Meters
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.serving.metrics_listener import metrics_served
from watchword.entrypoints.settings import Settings

# Labels that Prometheus itself adds to each target's series, and that of a bucket.
_ADDED = {"instance", "job", "le"}
QUERIES = [*panels(), *alerts().items()]


def labels(meters: Meters) -> dict[str, set[str]]:
    """Return the labels of each metric that has some, by its name without an ending."""
    collectors = meters._registry._collector_to_names
    return {
        next(iter(each.describe())).name: set(each._labelnames)
        for each in collectors
        if isinstance(each, MetricWrapperBase)
    }


def family(name: str) -> str:
    """Return the name of a metric without what a kind of metric adds to it."""
    return re.sub(r"_(total|bucket|count|sum)$", "", name)


@pytest.fixture(scope="module")
def exposition() -> str:
    """Return what a running service answers at `/metrics`, which is what Prometheus reads."""

    async def scraped() -> str:
        meters = Meters()
        async with (
            wired(Settings(store="memory://", sandbox=True), meters=meters),
            metrics_served(meters, "127.0.0.1", 0) as port,
            ClientSession() as session,
            session.get(f"http://127.0.0.1:{port}/metrics") as answer,
        ):
            return await answer.text()

    return asyncio.run(scraped())


@pytest.mark.parametrize(("title", "query"), QUERIES, ids=[title for title, _ in QUERIES])
def test_each_query_names_metrics_labels_and_values_that_exist(
    title: str, query: str, exposition: str
) -> None:
    """Each metric is served under that name and kind, and its help names each value that is selected."""
    known = labels(Meters())
    kinds = dict(re.findall(r"^# TYPE (\w+) (\w+)$", exposition, re.MULTILINE))
    helps = dict(re.findall(r"^# HELP (\w+) (.*)$", exposition, re.MULTILINE))
    asked = list(selectors(query))

    assert asked
    for name, selected in asked:
        if name == "up":
            continue
        own = known.get(family(name), set())
        kind = kinds.get(name) or kinds.get(family(name))
        assert kind is not None, name
        assert name.endswith(("_bucket", "_count", "_sum")) == (kind == "histogram")
        assert name.endswith("_total") == (kind == "counter")
        assert ("rate(" in query or "increase(" in query) == (kind != "gauge") or "deriv(" in query
        assert set(selected) <= own | _ADDED
        for label, pattern in selected.items():
            if label in own and label not in ("status", "follower"):
                assert [] == [
                    each for each in pattern.split("|") if each not in helps.get(name, "")
                ]
    assert grouped(query) <= _ADDED.union(*(known.get(family(name), set()) for name, _ in asked))


def test_every_metric_of_a_service_has_a_panel(exposition: str) -> None:
    """A metric that is added is looked at, too; those of Python's garbage collector are not."""
    served = re.findall(r"^# TYPE (watchword_\w+) \w+$", exposition, re.MULTILINE)
    shown = {family(name) for _, query in panels() for name, _ in selectors(query)}

    assert len(served) > 20
    assert set() == {family(each) for each in served if not each.endswith("_created")} - shown


def test_the_board_can_be_provisioned() -> None:
    """Ids are its own, no panel covers another, and all ask the source that the board is given."""
    board = json.loads(BOARD.read_text())
    places = [
        (x, y)
        for each in board["panels"]
        for x in range(each["gridPos"]["x"], each["gridPos"]["x"] + each["gridPos"]["w"])
        for y in range(each["gridPos"]["y"], each["gridPos"]["y"] + each["gridPos"]["h"])
    ]
    sources = {each["datasource"]["uid"] for each in board["panels"] if "targets" in each}

    assert len({each["id"] for each in board["panels"]}) == len(board["panels"])
    assert len(set(places)) == len(places)
    assert max(x for x, _ in places) < 24
    assert {"${source}"} == sources
    assert {"source", "instance"} == {each["name"] for each in board["templating"]["list"]}
    assert all(each["description"] for each in board["panels"] if "targets" in each)


def test_the_page_says_what_to_do_about_each_alert() -> None:
    """The table of the page has the alerts of the file, each once."""
    rows = [row[0].strip("`") for row in table(guide("monitoring.md"), "alert")]

    assert sorted(alerts()) == sorted(rows)


def test_what_is_scraped_is_what_alerts_ask_for() -> None:
    """The job that alerts name is the one of the configuration, and of the page's block of yaml."""
    (job,) = read_yaml(SCRAPING)["scrape_configs"]
    (shown,) = blocks(guide("monitoring.md"), "yaml")
    (of_page,) = parse_yaml(shown)["scrape_configs"]

    assert {"watchword"} == set(
        re.findall(r'job="(\w+)"', " ".join(filled(query) for _, query in QUERIES))
    )
    assert "watchword" == job["job_name"] == of_page["job_name"]
