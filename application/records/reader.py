"""The record of a reader of the log."""

from __future__ import annotations

from ...domain.audit_read import Reader, note_reads, reader_decider
from .record import Record

READER = Record(decider=reader_decider, prefix="rdr", state=Reader, redecide=note_reads)


def reader_stream(actor: str) -> str:
    """Return the stream of a reader, by the token's actor."""
    return f"{READER.prefix}_{actor}"
