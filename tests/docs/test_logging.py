"""The logging that docs/how-to/embedding.md tells embedders to set up."""

from __future__ import annotations

import io
import json
import logging
import re
from pathlib import Path
from typing import Any

import structlog

import watchword

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "embedding.md"


async def test_the_formatter_of_the_page_writes_lines_of_json() -> None:
    """Each line of the service is an object with its `event`."""
    (shown,) = re.findall(r"`(structlog\.stdlib\.ProcessorFormatter\(.*?\)\))`", PAGE.read_text())
    formatter: Any = eval(shown, {"structlog": structlog})  # noqa: S307  a page of our own
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter)
    loggers = logging.getLogger("watchword")
    level = loggers.level
    loggers.addHandler(handler)
    loggers.setLevel("INFO")
    try:
        async with watchword.open("memory://"):
            pass
    finally:
        loggers.removeHandler(handler)
        loggers.setLevel(level)

    assert ["started", "stopped"] == [
        json.loads(line)["event"] for line in stream.getvalue().splitlines()
    ]
