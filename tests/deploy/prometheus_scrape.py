"""A real Prometheus scrapes a real service by the files of `deploy/`; `.ci/image` runs this."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from tests.deploy.deployed import RULES, SCRAPING, alerts, panels
from tests.deploy.nginx_proxy import free_ports
from tests.entrypoints.cli.processes import served, until

TESTS = Path(__file__).with_name("alerts.yml")
# Panels that show something as soon as a code was issued and a wrong guess was made.
SHOWN = {
    "Appends",
    "Codes",
    "Connections",
    "CPU",
    "Events to read",
    "Memory",
    "Requests",
    "Sends",
    "Time to answer",
    "Verdicts of guesses",
}


def tool(*arguments: str) -> str:
    """Run promtool; return its output, which fails if it finds anything."""
    done = subprocess.run(
        ["promtool", *arguments],  # noqa: S607  Debian's, wherever it is
        capture_output=True,
        text=True,
        check=False,
    )
    assert 0 == done.returncode, done.stdout + done.stderr
    return done.stdout


def ask(port: int, path: str, **query: str) -> Any:
    """Return the data of an answer of Prometheus."""
    with urlopen(f"http://127.0.0.1:{port}/api/v1/{path}?{urlencode(query)}") as answer:
        said = json.load(answer)
    assert "success" == said["status"], said
    return said["data"]


@pytest.fixture(scope="module")
def prometheus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Yield the port of a Prometheus that has scraped a service several times, with work in between."""
    folder = tmp_path_factory.mktemp("prometheus")
    metrics, port = free_ports(2)
    text = SCRAPING.read_text().replace("node:9090", f"127.0.0.1:{metrics}").replace("15s", "1s")
    (folder / "prometheus.yml").write_text(text)
    (folder / "rules.yml").write_text(RULES.read_text())
    command = [
        "prometheus",
        f"--config.file={folder}/prometheus.yml",
        f"--storage.tsdb.path={folder}/data",
        f"--web.listen-address=127.0.0.1:{port}",
    ]
    with (
        served(folder / "service", "--sandbox", "--metrics-port", str(metrics)) as running,
        (folder / "log").open("wb") as log,
    ):
        process = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            until(lambda: answers(port))
            for _ in range(4):
                work(running.ask)
                seen = samples(port)
                until(lambda seen=seen: samples(port) > seen)  # type: ignore[misc]
            yield port
        finally:
            process.terminate()
            process.wait(30)


def answers(port: int) -> bool:
    """Say whether Prometheus answers queries."""
    try:
        ask(port, "query", query="1")
    except OSError:
        return False
    return True


def samples(port: int) -> int:
    """Return how often the service was scraped."""
    found = ask(port, "query", query='count_over_time(up{job="watchword"}[10m])')["result"]
    return int(found[0]["value"][1]) if found else 0


def work(ask_service: Any) -> None:
    """Issue a code, and guess it wrongly."""
    body = {"destination": "+919812345610", "templateId": "tpl_demo"}
    _, pin = ask_service("POST", "/v1/pins", body)
    ask_service("POST", f"/v1/pins/{pin['pinId']}/verify", {"pin": "wrong"})


def test_promtool_accepts_the_files() -> None:
    """The configuration, with the rules that it names."""
    assert "SUCCESS" in tool("check", "config", str(SCRAPING))
    assert f"{len(alerts())} rules found" in tool("check", "rules", str(RULES))


def test_alerts_fire_when_they_should() -> None:
    """By promtool's own tests of rules: what fires, after how long, and what does not."""
    assert "SUCCESS" in tool("test", "rules", str(TESTS))


def test_the_service_is_scraped(prometheus: int) -> None:
    """Its only target is up, and answered in time."""
    (target,) = ask(prometheus, "targets")["activeTargets"]

    assert ("up", "") == (target["health"], target["lastError"])


@pytest.mark.parametrize(
    ("title", "query"), [*panels(), *alerts().items()], ids=lambda each: each[:40]
)
def test_each_query_is_answered(title: str, query: str, prometheus: int) -> None:
    """Prometheus understands it; the panels of usual work have data."""
    result = ask(prometheus, "query", query=query)["result"]

    assert result or title not in SHOWN


def test_no_alert_fires_on_a_service_in_order(prometheus: int) -> None:
    """Every rule is evaluated without an error, and none of them pages anybody."""
    (group,) = ask(prometheus, "rules")["groups"]

    assert {"ok"} == {rule["health"] for rule in group["rules"]}
    assert [] == [
        rule["name"]
        for rule in group["rules"]
        if rule["state"] == "firing" and rule["labels"]["severity"] == "page"
    ]
