"""Log lines of all loggers in the process, one per event; no value can forge a line (T23)."""

from __future__ import annotations

import json
import logging
import queue
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from types import MappingProxyType
from typing import Any, TextIO

import structlog
from structlog.typing import EventDict, Processor

from .logs import REQUEST_ID, described, logger

CAPACITY = 10_000
NO_FACTS: Mapping[str, Any] = MappingProxyType({})
_CLOSE_SECONDS = 1.0
_log = logger("watchword.log")


def as_json(_: Any, __: str, entry: EventDict) -> str:
    """Render a line as JSON; everything except printable ASCII is escaped."""
    return json.dumps(entry, default=repr)


def as_text(_: Any, __: str, entry: EventDict) -> str:
    """Render a line for people: values are quoted as in JSON; the trace, if any, is below it."""
    at, level, name, event = (_plain(entry.pop(each)) for each in _HEAD)
    trace = entry.pop("trace", "")
    facts = "".join(f" {key}={json.dumps(value, default=repr)}" for key, value in entry.items())
    return f"{at} {level:7} {name} {event}{facts}" + (f"\n{trace.rstrip()}" if trace else "")


@contextmanager
def logging_to(
    stream: TextIO,
    level: str,
    render: Processor,
    *,
    capacity: int = CAPACITY,
    facts: Mapping[str, Any] = NO_FACTS,
) -> Iterator[None]:
    """
    Write all logs, warnings and uncaught errors of threads to a stream, one line each.

    `level` is a name such as `info`; every line includes `facts`. It changes settings of the whole
    process and restores them at the end.
    """
    root = logging.getLogger()
    handler = _Lines(stream, capacity)
    handler.setFormatter(_OneLine(render, facts))
    before = root.level, threading.excepthook, sys.unraisablehook
    root.addHandler(handler)
    root.setLevel(level.upper())
    logging.captureWarnings(capture=True)
    threading.excepthook = _uncaught
    sys.unraisablehook = _uncaught
    try:
        yield
    finally:
        logging.captureWarnings(capture=False)
        root.removeHandler(handler)
        level_before, threading.excepthook, sys.unraisablehook = before
        root.setLevel(level_before)
        handler.close()


def _uncaught(raised: Any) -> None:
    _log.error("uncaught_error", exc_info=raised.exc_value)


class _OneLine(structlog.stdlib.ProcessorFormatter):
    """Renders the records of all loggers with the same members."""

    def __init__(self, render: Processor, facts: Mapping[str, Any]) -> None:
        super().__init__(processors=[partial(_line, facts), render])

    def format(self, record: logging.LogRecord) -> str:
        """Format a record; an exception among its arguments is shown as its type (C-31)."""
        if isinstance(record.args, tuple) and any(
            isinstance(a, BaseException) for a in record.args
        ):
            record = logging.makeLogRecord(record.__dict__)
            record.args = tuple(
                type(each).__name__ if isinstance(each, BaseException) else each
                for each in record.args or ()
            )
        return super().format(record)


def _line(facts: Mapping[str, Any], _: Any, __: str, entry: EventDict) -> EventDict:
    record: logging.LogRecord = entry.pop("_record")
    entry.pop("_from_structlog")
    raised = entry.pop("exc_info", None)
    request_id = REQUEST_ID.get()
    at = datetime.fromtimestamp(record.created, UTC).replace(tzinfo=None)
    return {
        "timestamp": f"{at.isoformat(timespec='milliseconds')}Z",
        "level": record.levelname.lower(),
        "logger": record.name,
        "event": entry.pop("event"),
        **facts,
        **({"request_id": request_id} if request_id else {}),
        **entry,
        **(described(raised[1]) if raised else {}),
    }


class _Lines(logging.Handler):
    """
    Formats a record on the caller's thread and writes it on a thread of its own.

    A stream that nobody reads must not stop the event loop: when the queue is full, lines are dropped,
    and their number is logged later (D-25).
    """

    def __init__(self, stream: TextIO, capacity: int) -> None:
        super().__init__()
        self._stream = stream
        self._lines: queue.Queue[str | None] = queue.Queue(capacity)
        self._dropped = 0
        self._thread = threading.Thread(target=self._run, name="watchword-log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Queue the line of a record."""
        dropped = self._dropped
        if dropped and not self._lines.full():
            self._dropped = 0
            self._queue(self._line_of("log_lines_dropped", count=dropped))
        try:
            line = self.format(record)
        except Exception as error:
            # A message that does not fit its arguments is a mistake in a log call; the request goes on.
            line = self._line_of("log_line_unreadable", of=record.name, exc_info=error)
        self._queue(line)

    def close(self) -> None:
        """Write the queued lines; give up after a second for each step."""
        if self._dropped:
            self._queue(self._line_of("log_lines_dropped", count=self._dropped))
        with suppress(queue.Full):
            self._lines.put(None, timeout=_CLOSE_SECONDS)
            self._thread.join(_CLOSE_SECONDS)
        super().close()

    def _queue(self, line: str) -> None:
        try:
            self._lines.put_nowait(line)
        except queue.Full:
            self._dropped += 1

    def _line_of(self, event: str, **facts: Any) -> str:
        error = facts.pop("exc_info", None)
        entry = {"event": event, **facts, **described(error)}
        record = logging.makeLogRecord({"name": "watchword.log", "levelname": "WARNING"})
        record.__dict__.update(msg=entry, _logger=None, _name="warning")
        return self.format(record)

    def _run(self) -> None:
        while (line := self._lines.get()) is not None:
            try:
                self._stream.write(line + "\n")
                self._stream.flush()
            except (OSError, ValueError):
                # The stream is closed, and there is no other place to report it.
                continue


def _plain(text: Any) -> str:
    return json.dumps(str(text))[1:-1]


_HEAD = ("timestamp", "level", "logger", "event")
RENDERERS: dict[str, Callable[[Any, str, EventDict], str]] = {"json": as_json, "text": as_text}
