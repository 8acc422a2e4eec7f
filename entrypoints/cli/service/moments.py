"""The moment of a list as it was: a time, a position, or the size of a signed head (C-82)."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from ....application.audit.cut import Cut
from ....application.audit.listing_as_of import Moment
from ....application.evidence.tree import MissingTileError, root, root_tiles
from ....application.journal import Journal
from ....verify_evidence import Checkpoint, EvidenceError
from ...wire.log_searches import cut_at

# A head has some lines.
_LONGEST_HEAD = 1 << 16


async def moment_of(
    journal: Journal, at: datetime | None, position: int | None, head: Path | None
) -> Moment:
    """
    Return the moment of a time, else of a position, else of a head.

    Raises `click.ClickException` if the log has no such moment.
    """
    if at is not None:
        cut = cut_at(at)
        return Moment(cut=cut, now=cut.at or at)
    if head is not None:
        position = await _size_of_head(journal, head)
    return await _moment_of_position(journal, position or 0)


async def _moment_of_position(journal: Journal, position: int) -> Moment:
    newest = await journal.newest()
    if position > newest:
        raise click.ClickException(
            f"The log ends at position {newest}, before position {position}."
        )
    # After the retention of its stream an event is gone, and the next one is a little later.
    (event, *_) = await journal.read_log(position - 1, 1)
    return Moment(cut=Cut(position=position), now=event.event.at)


async def _size_of_head(journal: Journal, file: Path) -> int:
    """
    Return the size of a signed head; whether its signature is right, `audit verify` says.

    Raises `click.ClickException` unless it has the root of the log of this store at its size.
    """
    head = _read(file)
    if head.size == 0:
        raise click.ClickException(f"The head in {file} is of an empty log.")
    log = journal.sealed_log
    if await log.sealed_size() < head.size:
        raise click.ClickException(
            f"The head in {file} is of {head.size} events, and the log of this store is covered up to"
            f" {await log.sealed_size()}. It is of another log, or lost its end."
        )
    try:
        found = root(head.size, await log.tiles(root_tiles(head.size)))
    except MissingTileError as missing:
        raise click.ClickException(
            f"The log is damaged: {missing}. Run `watchword audit verify`."
        ) from None
    if found != head.root:
        raise click.ClickException(
            f"The log of this store is not the one of the head in {file}: their roots over"
            f" {head.size} events differ. Run `watchword audit verify` with this head."
        )
    return head.size


def _read(file: Path) -> Checkpoint:
    try:
        with file.open("rb") as opened:
            note = opened.read(_LONGEST_HEAD).decode()
        text, blank, _ = note.partition("\n\n")
        return Checkpoint.parse(f"{text}\n" if blank else note)
    except (UnicodeDecodeError, EvidenceError):
        raise click.ClickException(f"{file} has no signed head of a log.") from None
