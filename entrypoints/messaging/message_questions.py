"""Requests for statuses, histories and searches of messages (C-23, C-59)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeVar

from attrs import field, frozen

from ...application.messages.looking_up.reading_histories import HistorySearch
from ...application.messages.looking_up.searching_messages import MessageSearch
from ...application.paging import DEFAULT_PAGE_SIZE
from ...application.searches import narrows
from ...domain.channel import Channel
from ...domain.errors import FieldProblem, ValidationFailedError
from ...domain.limits import Entries
from ..wire.searches import structure_search
from ..wire.typed_requests import channel_named

T = TypeVar("T")

MAX_STATUS_IDS = 100


def not_negative(_instance: object, _attribute: object, number: int) -> None:
    """Check that a page or a limit is not negative."""
    if number < 0:
        raise ValueError("must not be negative")


def numbered(finds: str, default: int) -> Any:
    """Declare a page that is counted from 0, or a limit."""
    return narrows(finds, default=default, validator=not_negative)


@frozen(kw_only=True)
class StatusQuestion:
    """The body of a status check."""

    message_ids: tuple[str, ...] = field(validator=Entries(1, MAX_STATUS_IDS))


@frozen(kw_only=True)
class HistoryQuestion(HistorySearch):
    """A page of a history, counted from 0 (C-59)."""

    page_no: int = numbered("Which page, counted from 0.", 0)
    limit: int = numbered("How many at most.", DEFAULT_PAGE_SIZE)


def require_account(search: MessageSearch, *, small: bool) -> None:
    """
    Raise `ValidationFailedError` for a search in all accounts by other filters than time.

    No index serves such a search (D-79), which does not matter in a store that is `small`.
    """
    if search.account_id is None and not search.by_time_alone and not small:
        problem = "is required beside other filters than from and to"
        raise ValidationFailedError([FieldProblem("account", problem)])


def history_question(given: Mapping[str, Any], third_parties: Collection[str]) -> HistoryQuestion:
    """
    Read the request for a history.

    `third_parties` are the embedder's channels (C-52). Raises `ValidationFailedError`, which names every
    wrong field, including an unknown channel (D-41).
    """
    return _question(given, HistoryQuestion, "channel", third_parties)


def report_question(given: Mapping[str, Any], third_parties: Collection[str]) -> MessageSearch:
    """Read the filters of a search of messages, with the checks of `history_question`."""
    return _question(given, MessageSearch, "channelType", third_parties)


def _question(
    given: Mapping[str, Any], kind: type[T], channel_at: str, third_parties: Collection[str]
) -> T:
    known = [*Channel, *sorted(third_parties)]
    channel = given.get(channel_at)
    problems = []
    if isinstance(channel, str) and channel_named(channel) not in known:
        problems.append(FieldProblem(channel_at, f"must be one of {', '.join(known)}"))
    try:
        question = structure_search(given, kind)
    except ValidationFailedError as refusal:
        raise ValidationFailedError([*refusal.problems, *problems]) from None
    if problems:
        raise ValidationFailedError(problems)
    return question
