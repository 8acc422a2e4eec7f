"""Proofs of the log in answers (C-105)."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from ...application.evidence.proving import Consistency, EventProof, Evidence


def evidence_record(evidence: Evidence) -> dict[str, Any]:
    """Return the proofs of a stream's events."""
    return {"data": [{**proof_record(each), "proof": each.proof} for each in evidence.proofs]}


def proof_record(proof: EventProof) -> dict[str, Any]:
    """Return what a proof is about, and the name of its file."""
    return {
        "position": proof.position,
        "version": proof.version,
        "type": proof.type,
        "name": proof.name,
    }


def consistency_record(consistency: Consistency) -> dict[str, Any]:
    """Return the proof that the log of one size extends that of another."""
    proof = [b64encode(each).decode() for each in consistency.hashes]
    return {"from": consistency.old, "to": consistency.size, "proof": proof}
