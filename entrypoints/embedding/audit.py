"""Audits for embedders."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ...application.audit.rebuilding import Progress, Rebuilt
from ...application.caller import EMBEDDED, Caller
from ...application.errors import UnavailableError
from ...application.evidence.extending import check_extension, read_head
from ...application.evidence.proving import Consistency, Disclosure, Evidence
from ...application.evidence.reading_heads import DEFAULT_HEADS
from ...application.ports.sealed_log import Head
from ...verify_evidence import EvidenceError, Verifier
from .leasing import Facade
from .references import PinReference, Reference, stream_of


class Audit(Facade):
    """The questions of auditors about the log and the rows that follow from it (C-81)."""

    async def seal(self) -> Head:
        """
        Return a signed head of the log as it is now; its `note` is the head to keep elsewhere.

        Raises `LogForkedError`, `LogDamagedError`, `LogKeyMissingError`, `HeadsOutOfReachError` and
        `UnavailableError`.
        """
        sealing = self._parts.sealing
        if sealing is None:
            raise UnavailableError
        return await sealing.seal()

    async def heads(self, after: int = 0, limit: int = DEFAULT_HEADS) -> Sequence[Head]:
        """Return the signed heads of more than `after` events, by size; at most 1,000."""
        return await self._parts.reading_heads.after(after, limit)

    async def rebuild(
        self, only: Collection[str] = (), *, progress: Progress | None = None
    ) -> Rebuilt:
        """
        Put right the rows of lists that do not follow from the log, while the service goes on.

        `only` has the names of lists, such as `verifications`; without one, all are read. `progress` is
        called with the number of events that were read, and of all. Raises `ValidationFailedError`.
        """
        by = Caller("", EMBEDDED, self._parts.randomness.new_id("req"))
        return await self._parts.rebuilding.rebuild(by, only, progress)

    async def prove(
        self, stream: Reference | PinReference, *, disclosed: Collection[str] = ()
    ) -> Evidence:
        """
        Prove that each event of a stream is in the log; what no head covers is sealed first.

        The text of each proof is a file that `watchword.verify_evidence` checks. It has the open line of the
        event, and what is `disclosed`: `sealed`, `secret`, `event_key`. Raises `StreamNotFoundError`, and
        `NotSealedError` while the log cannot be sealed.
        """
        return await self._parts.proving.prove(stream_of(stream), [*map(Disclosure, disclosed)])

    async def consistency(self, old: int, size: int) -> Consistency:
        """
        Prove that the log of `size` events extends that of `old` events.

        Raises `ValidationFailedError` unless 1 ≤ `old` ≤ `size` ≤ the size of the newest head.
        """
        return await self._parts.proving.consistency(old, size)

    async def extends(self, old: str, new: str, keys: Collection[str]) -> None:
        """
        Check that this log, as of the signed head `new`, begins with what `old` signed.

        `keys` are the log's verifier keys, of which one must have signed each head. Raises
        `watchword.verify_evidence.EvidenceError`, whose text says why the heads do not fit.
        """
        proving = self._parts.proving
        if not keys:
            raise EvidenceError("Without a verifier key, nobody signed the heads.")
        verifiers = [Verifier.parse(each) for each in keys]
        was, now = (read_head(each, verifiers) for each in (old, new))

        async def proof(older: int, newer: int) -> Sequence[bytes]:
            return (await proving.consistency(older, newer)).hashes

        await check_extension(was, now, proof)
