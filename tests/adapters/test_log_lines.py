"""One event is one line, for any logger, any content, and with or without a reader (T23)."""

from __future__ import annotations

import io
import json
import logging
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from watchword.adapters.log_lines import RENDERERS, logging_to
from watchword.adapters.logs import REQUEST_ID, logger

# Put together, since a trace shows the line of code that raised.
CODE = "-".join(["CAN", "ARY"])
PATIENCE = 10
FORGED = 'x\n{"event": "forged"}\r\u2028\x1b[2K\x00'


class Lines(list[dict[str, Any]]):
    """The lines of a log, once it is closed; each must be JSON."""


@contextmanager
def logged(level: str = "info") -> Iterator[Lines]:
    """Log JSON for the length of the block."""
    stream, lines = io.StringIO(), Lines()
    with logging_to(stream, level, RENDERERS["json"]):
        yield lines
    lines += [json.loads(line) for line in stream.getvalue().splitlines()]


def without_times(lines: Lines) -> list[dict[str, Any]]:
    """Leave the times out, having looked at their form."""
    assert all(line["timestamp"].endswith("Z") for line in lines)
    return [{name: line[name] for name in line if name != "timestamp"} for line in lines]


def test_every_logger_writes_the_same_line() -> None:
    """Ours and the standard library's: time, level, logger, event, request id, then the facts."""
    bound = REQUEST_ID.set("req_1")
    with logged() as lines:
        logger("watchword.tea").warning("kettle_cold", degrees=12)
        logging.getLogger("aiohttp.server").warning("Kettle %s has %d degrees", "blue", 12)
    REQUEST_ID.reset(bound)

    common = {"level": "warning", "request_id": "req_1"}
    assert [
        {**common, "logger": "watchword.tea", "event": "kettle_cold", "degrees": 12},
        {**common, "logger": "aiohttp.server", "event": "Kettle blue has 12 degrees"},
    ] == without_times(lines)
    assert ["timestamp", "level", "logger", "event", "request_id"] == list(lines[0])[:5]


def test_a_level_says_what_is_left_out() -> None:
    """Below the level nothing is written, and after the block everything is as it was."""
    root = logging.getLogger()
    before = root.level, list(root.handlers)
    with logged("warning") as lines:
        logger("watchword.tea").info("steeping")
        logging.getLogger("asyncio").debug("Using selector")

    assert [] == lines
    assert (before[0], before[1]) == (root.level, root.handlers)


@pytest.mark.parametrize("form", RENDERERS)
def test_no_value_forges_a_line(form: str) -> None:
    """Line breaks and control characters are escaped, in events, facts and foreign messages."""
    stream = io.StringIO()
    with logging_to(stream, "info", RENDERERS[form]):
        logger("watchword.tea").info("ordered", reference=FORGED, nested=[FORGED])
        logger("watchword.tea").info(FORGED)
        logging.getLogger("aiohttp.server").error("Bad header %s", FORGED)
    text = stream.getvalue()

    assert 3 == len(text.splitlines())
    assert all(character.isprintable() or character == "\n" for character in text)


@pytest.mark.parametrize("form", RENDERERS)
def test_an_error_is_told_by_kind_and_place(form: str) -> None:
    """Its text may hold a code: it is in no line, whichever way the error came (C-31)."""
    stream = io.StringIO()
    try:
        raise LookupError(f"no code {CODE}")
    except LookupError as error:
        with logging_to(stream, "debug", RENDERERS[form]):
            logger("watchword.tea").error("failed", exc_info=error)
            logging.getLogger("aiohttp.server").exception("Error handling request")
            logging.getLogger("aiohttp.server").warning("Gave up: %s", error)
            failing = threading.Thread(target=fail)
            failing.start()
            failing.join()
    text = stream.getvalue()

    assert 4 <= text.count("LookupError")
    assert "test_log_lines.py" in text
    assert "uncaught_error" in text
    assert CODE not in text


def fail() -> None:
    """Fail in a task that no code awaits."""
    raise LookupError(f"no code {CODE}")


def test_a_plain_log_of_an_embedder_has_no_texts_either(caplog: pytest.LogCaptureFixture) -> None:
    """Without our lines, the standard library's handlers see kind and place alone."""
    logger("watchword.tea").error("failed", exc_info=LookupError(f"no code {CODE}"))

    assert "LookupError" in caplog.text
    assert CODE not in caplog.text


def test_warnings_are_lines_too() -> None:
    """Python's warnings are lines of the log."""
    with logged() as lines, warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn("the kettle is old", stacklevel=1)

    assert ["py.warnings"] == [line["logger"] for line in lines]


def test_a_message_that_does_not_fit_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A faulty logging call costs its own line, and shows no argument."""
    # Where pytest listens too, it makes a failure of the slip.
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    with logged() as lines:
        logging.getLogger("somebody").warning("%d degrees", CODE)

    assert ("log_line_unreadable", "somebody", "TypeError") == (
        lines[0]["event"],
        lines[0]["of"],
        lines[0]["error"],
    )
    assert CODE not in str(lines)


class StuckStream(io.StringIO):
    """A stream that accepts nothing until it is released; `full` is set after so many lines."""

    def __init__(self, lines: int) -> None:
        super().__init__()
        self._left = lines
        self.reached, self.may_go_on, self.full = (threading.Event() for _ in range(3))

    def write(self, text: str) -> int:
        """Wait, then write."""
        self.reached.set()
        self.may_go_on.wait(PATIENCE)
        self._left -= 1
        if not self._left:
            self.full.set()
        return super().write(text)


def test_a_log_that_nobody_reads_stops_nobody() -> None:
    """Lines beyond the queue are dropped and counted, and no caller waits."""
    stream, log = StuckStream(4), logger("watchword.tea")
    with logging_to(stream, "info", RENDERERS["json"], capacity=3):
        log.info("first")
        assert stream.reached.wait(PATIENCE)
        for _ in range(10):
            log.info("more")
        stream.may_go_on.set()
        # With room for both lines: the number of those that were dropped, and the last.
        assert stream.full.wait(PATIENCE)
        log.info("last")
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]

    assert ["first", "more", "more", "more", "log_lines_dropped", "last"] == [
        line["event"] for line in lines
    ]
    assert 7 == lines[4]["count"]
