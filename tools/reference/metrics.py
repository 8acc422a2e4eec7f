"""docs/reference/metrics.md: every metric of a process, with its type, its labels and its meaning."""

from __future__ import annotations

import re

from prometheus_client import CollectorRegistry
from prometheus_client.metrics import MetricWrapperBase

from tools.reference.markdown import code, codes, page, prose, table
from watchword.adapters.meters import Meters

_HEAD = """\
`watchword serve` and `watchword worker` serve them in the text format of Prometheus at `/metrics` of
`--metrics-port`, without a token. Each process counts for itself; with `--workers`, each has a port of its
own. Times are in seconds. A histogram is read as `NAME_bucket`, `NAME_sum` and `NAME_count`.

The values of all labels come from closed lists: none is a destination, an id, a path or a text of a client
or a provider. [What to watch](../how-to/operating.md#what-to-watch) says which of them want an alert.
"""


def metrics() -> str:
    """Return the page."""
    ours: list[tuple[str, ...]] = []
    others: list[tuple[str, ...]] = []
    labels = _labels(Meters())
    for name, kind, about in _described(Meters().exposition().decode()):
        shown = (code(name), kind, codes(labels.get(name, ())), prose(about))
        (ours if name.startswith("watchword_") else others).append(shown)
    columns = ("metric", "type", "labels", "meaning")
    return page(
        "Metrics",
        "the meters of `adapters`",
        _HEAD,
        table(columns, ours),
        "## Of the process",
        "The client library of Prometheus adds these on Linux; some are missing on other systems.",
        table(columns, others),
    )


def _described(exposition: str) -> list[tuple[str, str, str]]:
    """Return name, type and help of each metric; the times at which counters began are left out."""
    helps = dict(re.findall(r"^# HELP (\S+) (.*)$", exposition, re.MULTILINE))
    types = re.findall(r"^# TYPE (\S+) (\S+)$", exposition, re.MULTILINE)
    return sorted(
        (name, kind, helps[name]) for name, kind in types if not name.endswith("_created")
    )


def _labels(meters: Meters) -> dict[str, tuple[str, ...]]:
    """Return the labels of our metrics by their names in the exposition."""
    registry: CollectorRegistry = meters._registry
    found = {}
    for collector in list(registry._collector_to_names):
        if isinstance(collector, MetricWrapperBase):
            (family,) = collector.describe()
            suffix = "_total" if family.type == "counter" else ""
            found[f"{family.name}{suffix}"] = tuple(collector._labelnames)
    return found
