"""The files under `deploy/`, as data."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
RULES = DEPLOY / "prometheus" / "rules.yml"
SCRAPING = DEPLOY / "prometheus" / "prometheus.yml"
BOARD = DEPLOY / "grafana" / "dashboards" / "watchword.json"


def guide(name: str) -> str:
    """Return a page for operators."""
    return (ROOT / "docs" / "how-to" / name).read_text()


def read_yaml(path: Path) -> Any:
    """Return the content of a file of YAML."""
    return parse_yaml(path.read_text())


def parse_yaml(text: str) -> Any:
    """Return the content of a text of YAML."""
    # The library has no types in the lock, and comes with the tools that check the described interface.
    return import_module("yaml").safe_load(text)


def alerts() -> dict[str, str]:
    """Return the query of each alert, by the alert's name."""
    groups = read_yaml(RULES)["groups"]
    return {rule["alert"]: rule["expr"] for group in groups for rule in group["rules"]}


def panels() -> Iterator[tuple[str, str]]:
    """Yield each query of the board, behind its panel's title; what Grafana fills in is filled in."""
    for panel in json.loads(BOARD.read_text())["panels"]:
        for target in panel.get("targets", ()):
            yield panel["title"], filled(target["expr"])


def filled(query: str) -> str:
    """Return a query of the board as Prometheus gets it, for all processes and at a usual width."""
    return query.replace("$__rate_interval", "1m").replace("$instance", ".*")


_SELECTOR = re.compile(r"\b(up|(?:watchword|process)_[a-z_]+)(?:\{([^}]*)\})?")
_GROUPED = re.compile(r"\bby \(([^)]*)\)")


def selectors(query: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each metric of a query with the labels that it selects by, and their patterns."""
    for name, inside in _SELECTOR.findall(query):
        yield name, dict(re.findall(r'(\w+)=~?"([^"]*)"', inside))


def grouped(query: str) -> set[str]:
    """Return the labels that a query groups by."""
    return {each.strip() for found in _GROUPED.findall(query) for each in found.split(",")}
