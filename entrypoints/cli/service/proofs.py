"""Proofs of the log, of a running service or of a store (C-81)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from urllib.parse import quote

from attrs import field, frozen
from attrs.validators import min_len

from ....application.evidence.proving import Disclosure, EventProof, proof_name
from ....domain.errors import ValidationFailedError, camel
from ....verify_evidence import EvidenceError, hash_of
from ...composition.proving import proving
from ...settings import Settings
from .client import Client, RemoteRefusal, Unreachable


@frozen(kw_only=True)
class _Proof:
    position: int
    version: int
    type: str
    proof: str = field(repr=False)


@frozen(kw_only=True)
class _Evidence:
    data: tuple[_Proof, ...] = field(validator=min_len(1))


@frozen(kw_only=True)
class _Consistency:
    proof: tuple[str, ...]


async def remote_proofs(client: Client, stream: str) -> Sequence[EventProof]:
    """Return the proofs of a stream's events; the service seals first what no head covers."""
    answer = await client.call("GET", f"/streams/{quote(stream, safe='')}/evidence")
    found = client.understood(answer, _Evidence)
    # Files are named here: a service must not choose where they are written.
    return [
        EventProof(
            each.position, each.version, each.type, proof_name(stream, each.version), each.proof
        )
        for each in found.data
    ]


async def stored_proofs(
    settings: Settings, stream: str, disclosed: Collection[str]
) -> Sequence[EventProof]:
    """Return the proofs of a stream's events in a store, which is only read."""
    async with proving(settings) as opened:
        return (
            await opened.prove(stream, [each for each in Disclosure if camel(each) in disclosed])
        ).proofs


async def remote_consistency(client: Client, old: int, size: int) -> Sequence[bytes]:
    """Return the hashes which prove that the log of `size` events extends that of `old`."""
    query = {"from": str(old), "to": str(size)}
    try:
        answer = await client.call("GET", "/log/consistency", query=query)
    except RemoteRefusal as refusal:
        if refusal.code != "validation_failed":
            raise
        raise _too_short(size) from None
    found = client.understood(answer, _Consistency)
    try:
        return [hash_of(each) for each in found.proof]
    except EvidenceError:
        raise Unreachable("The service's proof is not in the form of this release.") from None


async def stored_consistency(settings: Settings, old: int, size: int) -> Sequence[bytes]:
    """Return the same of a store, which is only read."""
    async with proving(settings) as opened:
        try:
            return (await opened.consistency(old, size)).hashes
        except ValidationFailedError:
            raise _too_short(size) from None


def _too_short(size: int) -> EvidenceError:
    return EvidenceError(
        f"The log does not reach the newer head, which covers {size} events: it was rolled back, or its"
        " end was cut, or it is another log."
    )
