"""
Loggers that record an event's name and facts, and of a failure only its type and trace (C-31).

They pass records to the standard library's loggers of the same names. So an embedder's logging
set-up applies to them, and the command line's (`log_lines.py`) applies to all libraries.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

import structlog
from structlog.typing import EventDict

# One variable holds the one fact that all lines of a request share. structlog's own context
# variables, which hold any number of facts, cost ten times as much to bind.
REQUEST_ID: ContextVar[str | None] = ContextVar("watchword_request_id", default=None)


# The frames of an error that are told: the newest ones, since a recursion has thousands.
_MOST_PLACES = 12


def logger(name: str) -> structlog.stdlib.BoundLogger:
    """Return a logger whose calls take an event's name, and its facts (or `exc_info`) as keywords."""
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
    """Return the type and trace of an error, without its text, which may hold a client's data."""
    if error is None:
        return {}
    places = "".join(traceback.format_tb(error.__traceback__))
    return {"error": type(error).__name__, **({"trace": places} if places else {})}


def located(error: BaseException) -> Mapping[str, object]:
    """
    Return the type of an error of other people's code, and the places of its newest frames.

    A line of their source may have a secret as a constant, so each place is a file, a line and a function
    (D-256).
    """
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"{each.filename}:{each.lineno} in {each.name}" for each in frames]
    if isinstance(error, SyntaxError) and error.filename:
        places.append(f"{error.filename}:{error.lineno}")
    own = [each for each in places if not each.startswith("<frozen importlib")]
    return {"error": type(error).__name__, "places": own[-_MOST_PLACES:]}


def _without_texts(_: Any, __: str, entry: EventDict) -> EventDict:
    error = entry.pop("exc_info", None)
    return {**entry, **described(error)}
