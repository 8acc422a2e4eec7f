"""Compare saved answers with the events that they report (C-10, C-91)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from attrs import frozen

from ...domain.event import Event
from ...domain.pin import PinIssued, PinResent
from ..ports.snapshot import Snapshot
from .differences import Difference, Kind
from .sorting import Sorting

# Answers show times in milliseconds.
_SHOWN = timedelta(milliseconds=1)


@frozen(kw_only=True)
class SavedAnswer:
    """
    The facts in a saved answer: its request, its position in the request, and the streams that it names.

    `expires_at` and `attempts` are those of a PIN's code.
    """

    request_id: str | None
    streams: frozenset[str]
    expires_at: datetime | None = None
    attempts: int | None = None


# Parse an answer saved under a key; return None if it is no answer.
ReadAnswer = Callable[[bytes], SavedAnswer | None]


class Named(NamedTuple):
    """One stream named by the answer that is saved under `scope`."""

    stream: str
    scope: str
    expires_at: str
    attempts: str


class Answers:
    """The saved answers of a snapshot, sorted by the streams and by the requests that they name."""

    def __init__(self, read: ReadAnswer | None) -> None:
        self._read = read
        self._by_stream = Sorting()
        self._by_request = Sorting()

    async def differences(self, snapshot: Snapshot) -> AsyncIterator[Difference]:
        """Read all answers; yield a difference for each unreadable one."""
        if self._read is None:
            return
        async for kept in snapshot.answers():
            if kept.taken_at is None:
                yield answer_difference(kept.scope, "taken at", "a time", "none")
            if kept.answer is None:
                continue
            answer = self._read(kept.answer)
            if answer is None:
                yield answer_difference(kept.scope, "answer", "an answer", "an unreadable one")
                continue
            for stream in answer.streams:
                self._by_stream.add(
                    stream,
                    kept.scope,
                    "" if answer.expires_at is None else answer.expires_at.isoformat(),
                    "" if answer.attempts is None else str(answer.attempts),
                )
            if answer.request_id is not None:
                self._by_request.add(answer.request_id, kept.scope)

    async def by_stream(self) -> AsyncIterator[Named]:
        """Yield the streams that the answers name, in order."""
        async for each in self._by_stream.walked():
            yield Named(*each)

    def by_request(self) -> Iterator[tuple[str, ...]]:
        """Yield the requests of the answers with their scopes, in order."""
        return self._by_request.sorted()

    def close(self) -> None:
        """Drop the sorted data."""
        self._by_stream.close()
        self._by_request.close()


class Codes:
    """The codes in a stream's events, in the form in which answers show them."""

    def __init__(self) -> None:
        self._codes: list[tuple[datetime, int]] = []

    def take(self, event: Event) -> None:
        """Record the code of an event."""
        if isinstance(event, PinIssued | PinResent):
            self._codes.append((event.expires_at, event.attempts))

    def fit(self, named: Named) -> bool:
        """Return whether an answer shows one of the codes."""
        if not named.expires_at:
            return True
        expires_at = datetime.fromisoformat(named.expires_at)
        return any(
            abs(expires_at - at) < _SHOWN and 0 <= int(named.attempts or 0) <= attempts
            for at, attempts in self._codes
        )


def answer_differences(
    named: Sequence[Named], codes: Codes | None, account_id: str | None = None
) -> Iterator[Difference]:
    """
    Compare the answers that name a stream with its events; `codes` is None if the stream is missing.

    `account_id` is the stream's account, where it is known.
    """
    for each in named:
        asked_by = each.scope.partition("\n")[0]
        if account_id is not None and account_id != asked_by:
            yield answer_difference(each.scope, each.stream, "a stream of its account", "another's")
        if codes is None:
            yield answer_difference(each.scope, each.stream, "events", "none")
        elif not codes.fit(each):
            yield answer_difference(each.scope, each.stream, "what was answered", "something else")


def answer_difference(scope: str, field: str, expected: str, found: str) -> Difference:
    """Return a difference in an answer; the key of an answer is any text of a caller."""
    account, _, rest = scope.partition("\n")
    operation, _, _ = rest.partition("\n")
    return Difference(
        kind=Kind.ANSWER,
        what=f"Answer to {operation}",
        id=account,
        field=field,
        expected=expected,
        found=found,
    )
