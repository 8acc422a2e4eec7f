"""
Have witnesses cosign the newest head, so that the heads of a rewritten log show (tlog-witness, C-105).

A witness keeps the newest head that it signed, and signs only one that extends it. Its cosignatures are
kept in the head's note (D-465).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence

from ...verify_evidence import EvidenceError
from ..ports.sealed_log import Head, SealedLog
from ..ports.web import Web, WebAnswer, WebError
from .origins import unverified_head
from .tree import MissingTileError, consistency_proof, consistency_tiles
from .witnesses import Witness, WitnessFailure, size_in, submission

# More than enough for sixteen lines of signatures.
MOST_ANSWER = 16_384
# A witness that fails is left alone for so many seconds.
_REST = 60.0
_HEADERS = {"Content-Type": "text/plain; charset=utf-8"}
_OK, _CONFLICT = 200, 409

# Tells of a witness, by its name, that it fails and with which status; or, with None, that it signs again.
Notify = Callable[[str, str | None, int | None], None]


class _Failed(Exception):
    """The witness did not sign."""

    def __init__(self, failure: str, status: int | None = None) -> None:
        super().__init__(failure)
        self.failure = failure
        self.status = status


class Witnessing:
    """
    Due work without due rows: submits the newest head to each witness that has not signed it.

    Several nodes may do so at once: a witness answers each of them, and one signature is kept.
    """

    kind = None

    def __init__(
        self,
        log: SealedLog,
        web: Web,
        witnesses: Sequence[Witness],
        notify: Notify = lambda _name, _failure, _status: None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._log = log
        self._web = web
        self._witnesses = witnesses
        self._notify = notify
        self._monotonic = monotonic
        # The newest size of an origin that a witness signed, as far as this process knows.
        self._signed: dict[tuple[Witness, str], int] = {}
        self._failing: set[Witness] = set()
        self._rests_until: dict[Witness, float] = {}

    async def run_due(self) -> int:
        """Ask the witnesses whose cosignature the newest head lacks; no work is left to repeat at once."""
        head = await self._log.newest_head() if self._witnesses else None
        if head is None:
            return 0
        now = self._monotonic()
        asked = [
            each
            for each in self._witnesses
            if self._rests_until.get(each, now) <= now and not each.cosigned(head.note)
        ]
        lines = await asyncio.gather(*(self._cosignatures(each, head) for each in asked))
        await self._keep(head, dict(zip(asked, lines, strict=True)))
        return 0

    async def _cosignatures(self, witness: Witness, head: Head) -> Sequence[str]:
        """Return the lines of a witness; none if it fails, which is reported once."""
        try:
            lines = await self._submit(witness, head)
        except (_Failed, WebError) as error:
            status = error.status if isinstance(error, _Failed) else None
            self._rests_until[witness] = self._monotonic() + _REST
            if witness not in self._failing:
                self._failing.add(witness)
                self._notify(witness.key.name, str(error.failure), status)
            return ()
        if witness in self._failing:
            self._failing.discard(witness)
            self._notify(witness.key.name, None, None)
        return lines

    async def _submit(self, witness: Witness, head: Head) -> Sequence[str]:
        """Submit a head from the size that the witness has, which it says if that is another."""
        known = witness, head.origin
        old = min(self._signed.get(known, 0), head.size)
        answer = await self._answer(witness, head, old)
        if answer.status == _CONFLICT:
            answer = await self._answer(witness, head, _size_at(answer, head))
        if answer.status != _OK:
            raise _Failed(WitnessFailure.REFUSED, answer.status)
        lines = witness.cosignatures(head.note, answer.body)
        if not lines:
            raise _Failed(WitnessFailure.NOT_SIGNED, answer.status)
        self._signed[known] = head.size
        return lines

    async def _answer(self, witness: Witness, head: Head, old: int) -> WebAnswer:
        proof: Sequence[bytes] = ()
        if old:
            tiles = await self._log.tiles(consistency_tiles(old, head.size))
            try:
                proof = consistency_proof(old, head.size, tiles)
            except MissingTileError:
                # The check of the store names the tile. No witness can sign such a log.
                raise _Failed(WitnessFailure.REFUSED) from None
        body = submission(old, proof, head.note)
        return await self._web.exchange(witness.add_checkpoint, _HEADERS, body, MOST_ANSWER)

    async def _keep(self, head: Head, lines: Mapping[Witness, Sequence[str]]) -> None:
        """Add lines to the note of a head, unless another node has added some of the same witness."""
        while any(lines.values()):
            found = await self._log.heads(head.size - 1, 1)
            if not found or not _is_of(found[0].note, head):
                return
            note = found[0].note
            added = [each for by, of in lines.items() if not by.cosigned(note) for each in of]
            if not added or await self._log.cosign(head.size, note, note + "".join(added)):
                return


def _size_at(answer: WebAnswer, head: Head) -> int:
    """Return the size that a witness has, from which a head can be proven to it."""
    size = size_in(answer.body)
    if size is None:
        raise _Failed(WitnessFailure.REFUSED, answer.status)
    if size > head.size:
        # A newer head of another node, which is asked for next; or this log went back.
        raise _Failed(WitnessFailure.AHEAD, answer.status)
    return size


def _is_of(note: str, head: Head) -> bool:
    """Return whether a kept note is that of a head, perhaps with more signatures."""
    try:
        kept = unverified_head(note)
    except EvidenceError:
        return False
    return (kept.origin, kept.size, kept.root) == (head.origin, head.size, head.root)
