"""Declares that a store was restored: what its log lost, what it kept, and the next origin (C-105)."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from contextlib import suppress

from ...domain.decider import Decision
from ...domain.errors import DomainError
from ...domain.log_history import (
    LogHistory,
    StoreRestored,
    declare_restored,
    log_history_decider,
)
from ...verify_evidence import Checkpoint, EvidenceError, Verifier, name_and_number
from ..caller import Caller
from ..journal import Journal, change, retry_on_conflict
from ..ports.clock import Clock
from ..ports.kept_heads import HeadsUnreadable, KeptHeads
from ..records.log_history import LOG_HISTORY_STREAM
from .covering import cover, covered_root
from .origins import origin_of, unverified_head


class LastHeadWantedError(DomainError):
    """A log that was signed goes on only when its last head was named, or said to be lost."""

    code = "last_head_wanted"

    def __init__(self) -> None:
        super().__init__(
            "The log of this store was signed. Name its last head with --last-head FILE, such as"
            " heads/latest of the service or its copy elsewhere, or say --last-head none if none is left."
        )


class NoHeadError(DomainError):
    """What was named as the last head is no head of this log."""

    code = "no_head"

    def __init__(self) -> None:
        super().__init__("The last head is no signed head of this log. Name another file.")


class DeclaringRestores:
    """
    Appends `StoreRestored`, with which the heads of the log get the next origin.

    Signatures are not checked: the last head may have those of a key that is newer than the backup. The
    number of the next origin is above that of every head known, here and in the folders of heads.
    """

    def __init__(self, journal: Journal, clock: Clock, kept: KeptHeads) -> None:
        self._journal = journal
        self._log = journal.sealed_log
        self._clock = clock
        self._kept = kept

    async def declare(self, by: Caller, last_head: str | None, *, none: bool) -> str | None:
        """
        Declare a restore; return the next origin, or None if the log needs none.

        A log that was never signed needs none, nor does one that was not signed since its last restore was
        declared. Raises `LastHeadWantedError` for a signed log without a last head, unless `none` is left,
        `NoHeadError` for a note that is no head of this log, and `LogDamagedError`.
        """
        given = () if last_head is None else (_head(last_head),)
        newest = await self._log.newest_head()
        # What was signed before the backup; a service that ran since has written events of its own.
        kept = await self._journal.newest() if newest is None else newest.size
        await cover(self._log, kept)
        root = await covered_root(self._log, kept)

        async def attempt() -> str | None:
            loaded = await self._journal.find(log_history_decider, LOG_HISTORY_STREAM)
            history = None if loaded is None else loaded.state
            outside = (*given, *await self._outside())
            name = _name(history, outside)
            if any(name_and_number(each.origin)[0] != name for each in given):
                raise NoHeadError
            restored = await self._restored(history, outside, kept, root, named=bool(given) or none)
            if restored is None:
                return None
            decided: Decision = declare_restored(history, restored)
            done = change(log_history_decider, LOG_HISTORY_STREAM, loaded, decided)
            await self._journal.write(by, restored.at, done)
            return origin_of(name, restored.number)

        return await retry_on_conflict(attempt)

    async def _restored(
        self,
        history: LogHistory | None,
        outside: Sequence[Checkpoint],
        kept: int,
        root: bytes,
        *,
        named: bool,
    ) -> StoreRestored | None:
        newest = await self._log.newest_head()
        number = 1 if history is None else history.number
        numbers = [_number(each) for each in outside]
        if newest is not None:
            numbers.append(_number(Checkpoint(newest.origin, newest.size, newest.root)))
        if not numbers and history is None:
            return None
        if number > 1 and all(each < number for each in numbers):
            return None
        if not named:
            raise LastHeadWantedError
        lost = max(outside, key=lambda each: (_number(each), each.size), default=None)
        return StoreRestored(
            at=self._clock.now(),
            number=max(number, *numbers, 1) + 1,
            lost_origin=None if lost is None else lost.origin,
            lost_size=None if lost is None else lost.size,
            lost_root=None if lost is None else base64.b64encode(lost.root).decode(),
            kept_size=kept,
            kept_root=base64.b64encode(root).decode(),
        )

    async def _outside(self) -> Sequence[Checkpoint]:
        """Return the heads in the folders; what cannot be read there is none."""
        with suppress(HeadsUnreadable, EvidenceError):
            return [unverified_head(each) for each in await self._kept.latest()]
        return ()


def _head(note: str) -> Checkpoint:
    try:
        return unverified_head(note)
    except EvidenceError:
        raise NoHeadError from None


def _number(head: Checkpoint) -> int:
    _, number = name_and_number(head.origin)
    return 0 if number is None else number


def _name(history: LogHistory | None, heads: Sequence[Checkpoint]) -> str:
    """Return the name of a log, as its keys and its heads have it."""
    if history is not None and history.keys:
        return Verifier.parse(history.keys[0].log_key).name
    return name_and_number(heads[0].origin)[0] if heads else "log"
