"""What callers and embedders ask of the messages that there are (C-23, C-59)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from attrs import field, frozen

from ...application.messages.following_messages import HistorySearch
from ...application.paging import DEFAULT_PAGE_SIZE
from ...domain.channel import Channel
from ...domain.errors import FieldProblem, ValidationFailedError
from ..structuring import structure
from ..typed_requests import channel_named

MAX_STATUS_IDS = 100


def _few_ids(_instance: object, _attribute: object, ids: Collection[str]) -> None:
    if not 1 <= len(ids) <= MAX_STATUS_IDS:
        raise ValueError(f"must have 1 to {MAX_STATUS_IDS} entries")


def _not_negative(_instance: object, _attribute: object, number: int) -> None:
    if number < 0:
        raise ValueError("must not be negative")


@frozen(kw_only=True)
class StatusQuestion:
    """The body of a status check."""

    message_ids: tuple[str, ...] = field(validator=_few_ids)


@frozen(kw_only=True)
class HistoryQuestion:
    """A page of a history: what it is narrowed to, and which page, counted from 0 (C-59)."""

    recipient: str | None = field(default=None, repr=False)
    channel: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    page_no: int = field(default=0, validator=_not_negative)
    limit: int = field(default=DEFAULT_PAGE_SIZE, validator=_not_negative)

    @property
    def search(self) -> HistorySearch:
        """What it is narrowed to, with the channel by the name of every answer (C-45)."""
        return HistorySearch(
            recipient=self.recipient,
            channel=self.channel and channel_named(self.channel),
            since=self.since,
            until=self.until,
        )


def history_question(given: Mapping[str, Any], third_parties: Collection[str]) -> HistoryQuestion:
    """
    Read what a history is asked for.

    `third_parties` are channels beside those of everybody (C-52). Raises `ValidationFailedError`
    naming every wrong field, a channel that is none included (D-41).
    """
    known = [*Channel, *sorted(third_parties)]
    channel = given.get("channel")
    problems = []
    if isinstance(channel, str) and channel_named(channel) not in known:
        problems.append(FieldProblem("channel", f"must be one of {', '.join(known)}"))
    try:
        question = structure(given, HistoryQuestion)
    except ValidationFailedError as refusal:
        raise ValidationFailedError([*refusal.problems, *problems]) from None
    if problems:
        raise ValidationFailedError(problems)
    return question
