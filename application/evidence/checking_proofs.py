"""Checks proofs that somebody hands in, as auditors do, and then against this log (D-483)."""

from __future__ import annotations

from asyncio import to_thread
from enum import StrEnum

from attrs import frozen

from ...domain.errors import FieldProblem, ValidationFailedError
from ...verify_evidence import (
    Checkpoint,
    EvidenceError,
    Proven,
    Verifier,
    check_proof,
    name_and_number,
)
from ..journal import Journal
from .forks import root_at
from .showing_log import keys_of_log
from .tree import MissingTileError

# A proof has a line of 45 characters for each doubling of the log, and the event's lines.
MOST_PROOF = 2**18
_MOST_KEYS = 20


class SameLog(StrEnum):
    """How the head of a proof fits the log of this service."""

    AGREES = "agrees"
    DIFFERS = "differs"
    LONGER = "longer"
    OTHER = "other"


@frozen
class CheckedProof:
    """The content of a proof that holds, and how its head fits this log."""

    proven: Proven
    same_log: SameLog


class ProofRefusedError(ValidationFailedError):
    """A proof does not hold; the problem says why."""

    def __init__(self, why: str) -> None:
        super().__init__([FieldProblem("proof", f"does not hold. {why}")])


class CheckingProofs:
    """Checks proofs by the keys of this log, or by keys that are given."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    async def check(self, proof: str, keys: str = "") -> CheckedProof:
        """
        Return what a proof shows.

        `keys` are verifier keys, one a line; without any, those that this log names are used. Raises
        `ProofRefusedError`, and `ValidationFailedError` for what is too long or no key.
        """
        if not proof.strip():
            raise ValidationFailedError([FieldProblem("proof", "is required")])
        if len(proof) > MOST_PROOF:
            rule = f"must have at most {MOST_PROOF} characters"
            raise ValidationFailedError([FieldProblem("proof", rule)])
        verifiers = _given(keys) or await keys_of_log(self._journal)
        try:
            # What is pasted may have lost or gained line ends; a proof ends in exactly one.
            proven = await to_thread(check_proof, f"{proof.strip()}\n", verifiers)
        except EvidenceError as error:
            raise ProofRefusedError(str(error)) from None
        return CheckedProof(proven, await self._same_log(proven.head))

    async def _same_log(self, head: Checkpoint) -> SameLog:
        log = self._journal.sealed_log
        newest = await log.newest_head()
        if newest is None or _name(newest.origin) != _name(head.origin):
            return SameLog.OTHER
        if head.size > await log.sealed_size():
            return SameLog.LONGER
        try:
            agrees = await root_at(log, head.size) == head.root
        except MissingTileError:
            agrees = False
        return SameLog.AGREES if agrees else SameLog.DIFFERS


def _given(keys: str) -> list[Verifier]:
    lines = keys.split()
    try:
        if len(lines) > _MOST_KEYS:
            raise EvidenceError(f"At most {_MOST_KEYS} keys can be given.")
        return [Verifier.parse(each) for each in lines]
    except EvidenceError as error:
        raise ValidationFailedError([FieldProblem("keys", f"cannot be read. {error}")]) from None


def _name(origin: str) -> str:
    return name_and_number(origin)[0]
