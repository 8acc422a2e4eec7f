"""A log with every event that a store can hold: its leaves, signed heads, proofs and export."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.signed_heads import NAME, VERIFIER, signed
from tools.golden_events import GOLDEN, STREAM, golden_keys, golden_vault
from watchword.adapters.event_store.log.event_types import EVENT_TYPES
from watchword.adapters.event_store.log.mapper import EventMapper
from watchword.adapters.event_store.log.stored_event import StoredEvent
from watchword.application.evidence import tree
from watchword.entrypoints.wire.codec import encode
from watchword.entrypoints.wire.shown_events import shown_event
from watchword.verify_evidence import (
    COSIGNATURE,
    Checkpoint,
    Proof,
    Verifier,
    cosigned_text,
    digest,
    leaf_hash,
    leaf_text,
    signature_line,
)

MAPPER = EventMapper(golden_vault())
CLOCK = Ed25519PrivateKey.from_private_bytes(b"c" * 32)
CLOCK_VERIFIER = Verifier(NAME, COSIGNATURE, CLOCK.public_key().public_bytes_raw())
VERIFIERS = [VERIFIER, CLOCK_VERIFIER]
ORIGIN = f"{NAME}/1"
AT = int(datetime(2031, 5, 4, 12, tzinfo=UTC).timestamp())


def golden_log(times: int = 1) -> list[StoredEvent]:
    """Return the log, which is one stream; it repeats so many times."""
    forms = sorted(EVENT_TYPES) * times
    return [
        StoredEvent(STREAM, version, f"{name}/{schema}", _state(name, schema))
        for version, (name, schema) in enumerate(forms, 1)
    ]


def _state(name: str, schema: int) -> bytes:
    return (GOLDEN / f"{name}.{schema}.txt").read_bytes().removesuffix(b"\n")


def leaf_of(event: StoredEvent, position: int) -> bytes:
    """Return the text of an event's leaf."""
    digests = map(digest, event.state.split(b"\n"))
    stream, version = str(event.originator_id), event.originator_version
    return leaf_text(position, stream, version, event.topic, *digests)


def tiles_of(log: Sequence[StoredEvent]) -> tree.Tiles:
    """Return the tiles over a log."""
    leaves = [leaf_hash(leaf_of(event, at)) for at, event in enumerate(log, 1)]
    return tree.extended(0, leaves, {})


def head_of(log: Sequence[StoredEvent], origin: str = ORIGIN) -> str:
    """Return the head over a log, signed by the keys of log and clock."""
    head = Checkpoint(origin, len(log), tree.root(len(log), tiles_of(log)))
    time = AT.to_bytes(8, "big") + CLOCK.sign(cosigned_text(head.text, AT))
    return signed(head) + signature_line(CLOCK_VERIFIER, time)


def proofs_of(
    log: Sequence[StoredEvent], folder: Path, head: str | None = None, *, whole: bool = False
) -> list[Path]:
    """Write a proof of each event into a folder, and return the files."""
    tiles, note = tiles_of(log), head or head_of(log)
    files = []
    for position, event in enumerate(log, 1):
        names = ("open", "sealed", "secret") if whole else ("open",)
        lines = zip(names, event.state.decode().split("\n"), strict=False)
        extra = {"leaf": leaf_of(event, position).decode(), **dict(lines)}
        hashes = tuple(tree.inclusion_proof(position - 1, len(log), tiles))
        proof = Proof(position - 1, hashes, note, json.dumps(extra).encode())
        files.append(folder / f"{event.originator_id}-{event.originator_version}.tlog-proof")
        files[-1].write_bytes(proof.text.encode())
    return files


def line_of(event: StoredEvent, position: int, *, mask: bool = False) -> dict[str, Any]:
    """Return the line of an event in an export with evidence."""
    keys = golden_keys(MAPPER.owners([(STREAM, event.state)]))
    opened, sealed, secret = event.state.split(b"\n")
    evidence: Mapping[str, str] = {
        "topic": event.topic,
        "open": opened.decode(),
        "sealed": digest(sealed),
        "secret": digest(secret),
    }
    recorded = MAPPER.to_recorded(event, position, keys)
    shown: dict[str, Any] = json.loads(encode(shown_event(recorded, mask=mask)))
    return {**shown, "evidence": evidence}


def lines_of(log: Sequence[StoredEvent]) -> list[dict[str, Any]]:
    """Return the lines of an export."""
    return [line_of(event, position) for position, event in enumerate(log, 1)]


def write(lines: Sequence[Any], file: Path) -> Path:
    """Write lines of an export into a file."""
    file.write_bytes(b"".join(encode(each) + b"\n" for each in lines))
    return file
