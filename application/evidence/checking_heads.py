"""The signed heads of a store and those that were kept elsewhere, in the order of their sizes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from math import floor

from attrs import frozen

from ...domain.log_history import StoreRestored
from ...verify_evidence import Checkpoint, EvidenceError, Finding, name_and_number
from ..ports.event_store import Recorded
from ..ports.sealed_log import Head
from .findings import Kind, finding
from .origins import unverified_head
from .trusted_keys import TrustedKeys


@frozen
class Signed:
    """A head and its note, which is in order; `outside` says that it was kept outside the store."""

    head: Checkpoint
    note: str
    outside: bool


class CheckingHeads:
    """
    Opens the notes of heads; those that no key signed, and rows that say something else, are findings.

    Heads that a known key signed, before it was trusted, wait: a later trusted head may cover its key.
    """

    def __init__(
        self,
        rows: AsyncIterator[Head],
        keys: TrustedKeys,
        outside: Sequence[str],
        history: Iterable[Recorded],
    ) -> None:
        self._rows = rows
        self._keys = keys
        self._restores = [each.event for each in history if isinstance(each.event, StoreRestored)]
        self._row: Head | None = None
        self._waiting: list[Checkpoint] = []
        self.findings: list[Finding] = []
        self._outside = sorted(self._kept_elsewhere(outside), key=lambda each: each.head.size)
        self.covered: Checkpoint | None = None

    async def until(self, size: int) -> list[Signed]:
        """Return the heads in order of at most so many events that were not returned yet."""
        found: list[Signed] = []
        while (row := await self._next()) is not None and row.size <= size:
            self._row = None
            if (signed := self._signed(row)) is not None:
                found.append(signed)
        while self._outside and self._outside[0].head.size <= size:
            found.append(self._outside.pop(0))
        return sorted(found, key=lambda each: each.head.size)

    async def following(self) -> int | None:
        """Return the size of the next head in the store; None if there is no more."""
        row = await self._next()
        return None if row is None else row.size

    def agrees(self, signed: Signed) -> None:
        """Note that the events and tiles lead to a head."""
        if not self._keys.signed(signed.note):
            self._waiting.append(signed.head)
            return
        self._keys.vouched(signed.head.size)
        if self.covered is None or signed.head.size >= self.covered.size:
            self.covered = signed.head

    def end(self) -> list[Finding]:
        """Return the findings about signatures, once no more head can vouch for a key."""
        covered = 0 if self.covered is None else self.covered.size
        for head in self._waiting:
            if head.size > covered:
                text = f"The key that signed the head of {head.size} events is not trusted."
                self.findings.append(finding(Kind.SIGNATURE, head.size, text))
        return self.findings

    async def _next(self) -> Head | None:
        if self._row is None:
            self._row = await anext(self._rows, None)
        return self._row

    def _signed(self, row: Head) -> Signed | None:
        try:
            head = self._keys.open(row.note)
        except EvidenceError as error:
            text = f"The head of {row.size} events is not signed: {error}"
            self.findings.append(finding(Kind.SIGNATURE, row.size, text))
            return None
        said = row.origin, row.size, row.root, floor(row.at.timestamp())
        if said != (head.origin, head.size, head.root, head.at or said[-1]):
            text = f"The head of {row.size} events has another note than its row says."
            self.findings.append(finding(Kind.HEAD, row.size, text))
        return Signed(head, row.note, outside=False) if head.size == row.size else None

    def _kept_elsewhere(self, notes: Sequence[str]) -> list[Signed]:
        kept = []
        for note in notes:
            try:
                head = self._keys.open(note)
            except EvidenceError as error:
                text = f"A head that was kept elsewhere is not signed: {error}"
                self.findings.append(finding(Kind.SIGNATURE, _size_in(note), text))
                continue
            if self._is_lost(head):
                text = f"A restore declared the head {head.origin} of {head.size} events lost."
                self.findings.append(finding(Kind.LOST, head.size, text))
            else:
                kept.append(Signed(head, note, outside=True))
        return kept

    def _is_lost(self, head: Checkpoint) -> bool:
        _, number = name_and_number(head.origin)
        return number is not None and any(
            number < each.number and head.size > each.kept_size for each in self._restores
        )


def _size_in(note: str) -> int:
    """Return the size that a note says, whoever signed it; 0 for what is no head."""
    try:
        return unverified_head(note).size
    except EvidenceError:
        return 0
