"""
Loggers: an event's name and its facts, and of a failure its kind and place alone (C-31).

They end in the standard library's loggers of the same names, so an embedder's set-up holds for them,
and the command line's (`log_lines.py`) for everybody else's loggers too.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

import structlog
from structlog.typing import EventDict

# One variable for the one fact that every line of a request carries: structlog's own, which hold
# any number of them, cost ten times as much to bind.
REQUEST_ID: ContextVar[str | None] = ContextVar("watchword_request_id", default=None)


def logger(name: str) -> structlog.stdlib.BoundLogger:
    """Return a logger that takes an event's name and its facts as keywords, `exc_info` among them."""
    made: structlog.stdlib.BoundLogger = structlog.wrap_logger(
        logging.getLogger(name),
        processors=[
            structlog.stdlib.filter_by_level,
            _without_texts,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    return made


def described(error: BaseException | None) -> Mapping[str, str]:
    """Return the kind of an error and where it came from; its text may hold what a client sent."""
    if error is None:
        return {}
    places = "".join(traceback.format_tb(error.__traceback__))
    return {"error": type(error).__name__, **({"trace": places} if places else {})}


def _without_texts(_: Any, __: str, entry: EventDict) -> EventDict:
    error = entry.pop("exc_info", None)
    return {**entry, **described(error)}
