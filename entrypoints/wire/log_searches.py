"""The filters of the log and the cut of a history, as queries spell them (C-82)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta

from ...application.audit.cut import Cut
from ...application.audit.log_search import LogSearch
from ...domain.errors import FieldProblem, ValidationFailedError
from .shown_events import name_problems
from .value_hooks import time

# The filters that may be given more than once: an event passes if it has one of the values.
SEVERAL = ("type", "actor", "stream")
LOG_FILTERS = (*SEVERAL, "from", "to")
_POSITION = re.compile(r"[0-9]{1,18}")
_WHOLE_MILLISECOND = timedelta(microseconds=999)
_NO_CUT = "must be a position in the log or an ISO 8601 time such as 2030-01-31T12:00:00Z"


def log_search(given: Mapping[str, Collection[str]]) -> LogSearch:
    """
    Read filters by their names in a query; an empty one narrows nothing (D-114).

    Raises `ValidationFailedError` for the name of no event and for what is no time.
    """
    types, actors, streams = (frozenset(filter(None, given.get(name, ()))) for name in SEVERAL)
    problems = name_problems(types)
    since, until = (_time(name, given.get(name, ()), problems) for name in ("from", "to"))
    if problems:
        raise ValidationFailedError(problems)
    return LogSearch(names=types, actors=actors, streams=streams, since=since, until=until)


def log_query(search: LogSearch) -> dict[str, list[str]]:
    """Return a search as a query has it."""
    times = (("from", search.since), ("to", search.until))
    values = dict(zip(SEVERAL, (search.names, search.actors, search.streams), strict=True))
    return {
        **{name: sorted(given) for name, given in values.items() if given},
        **{name: [at.isoformat()] for name, at in times if at is not None},
    }


def cut_of(name: str, text: str) -> Cut:
    """Read a cut: a position, or a time; raise `ValidationFailedError` for anything else."""
    if _POSITION.fullmatch(text):
        return Cut(position=int(text))
    try:
        return cut_at(time(text, datetime))
    except ValueError:
        raise ValidationFailedError([FieldProblem(name, _NO_CUT)]) from None


def cut_at(at: datetime) -> Cut:
    """
    Return the cut at a time that somebody wrote.

    Histories show milliseconds, so that one includes all its events (D-443).
    """
    whole = at.microsecond % 1000 == 0
    return Cut(at=at + _WHOLE_MILLISECOND if whole else at)


def _time(name: str, given: Collection[str], problems: list[FieldProblem]) -> datetime | None:
    text = next(iter(given), "")
    try:
        return time(text, datetime) if text else None
    except ValueError as wrong:
        problems.append(FieldProblem(name, str(wrong)))
        return None
