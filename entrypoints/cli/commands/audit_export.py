"""`watchword audit export`: writes the log as JSON Lines or CSV, at once or as it goes on (C-38, C-82)."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from datetime import datetime
from pathlib import Path
from typing import IO, Any

import attrs
import click

from ....application.audit.log_search import LogSearch
from ..building.groups import epilog
from ..options.shared import time, together
from ..options.target_options import with_target
from ..output.event_lines import CsvLines, EventLines, JsonLines, LastEvent
from ..output.growing_file import GrowingFile, growing_file
from ..output.progress import progress
from ..output.whole_file import STANDARD_OUTPUT, opened, output_option
from ..service.failures import ended_by_hand, expected_failures
from ..service.stored_log import LogQuestion
from ..service.target import Target

_filters = together(
    click.option(
        "--type",
        "names",
        multiple=True,
        metavar="EVENT",
        help="Only events of this name, such as PinIssued; can be given again (default: all).",
    ),
    click.option(
        "--actor",
        "actors",
        multiple=True,
        metavar="ID",
        help="Only what this API key, operator's token, channel account, admin or worker caused;"
        " can be given again.",
    ),
    click.option(
        "--stream",
        "streams",
        multiple=True,
        metavar="ID",
        help="Only the history of this id; can be given again.",
    ),
    click.option(
        "--from", "since", callback=time, metavar="TIME", help="Only events from then on."
    ),
    click.option("--to", "until", callback=time, metavar="TIME", help="Only events before then."),
)


@click.command(
    short_help="Write the log as JSON Lines or CSV.",
    epilog=epilog(
        "watchword audit export --output log.jsonl",
        "watchword audit export --mask | gzip > log.jsonl.gz",
        "watchword audit export --csv --type PinVerified --type PinBlocked --output ends.csv",
        "watchword audit export --evidence --resume --output log.jsonl",
        "watchword audit export --follow --from 2031-05-04 --url http://127.0.0.1:8080",
    ),
)
@output_option
@click.option("--mask", is_flag=True, help="Mask what says something about a person.")
@click.option("--csv", "as_csv", is_flag=True, help="Write CSV, for spreadsheets.")
@click.option(
    "--after",
    type=click.IntRange(0),
    metavar="POSITION",
    help="Begin behind this position, such as the last one of an earlier export.",
)
@click.option(
    "--evidence", is_flag=True, help="Add to each event what proves it, for audit verify --export."
)
@click.option("--resume", is_flag=True, help="Go on behind the last whole line of the file.")
@click.option("--follow", is_flag=True, help="Go on with what comes, until Ctrl-C.")
@_filters
@with_target
def export(
    target: Target,
    output: Path,
    mask: bool,
    as_csv: bool,
    after: int | None,
    evidence: bool,
    resume: bool,
    follow: bool,
    **filters: Any,
) -> None:
    """
    Write the log in commit order, one event a line, each as GET /admin/v1/events shows it.

    What is personal is in clear unless it is masked. It reads *** without the code key, and (erased) after
    an erasure. Hashes read ***. A file appears when it is whole, in place of an older one, or not at all.

    With --resume or --follow the file grows instead, line by line, and keeps what it has if the command
    fails. --resume drops an unfinished last line, and refuses a file whose last event is not in this log.
    Use the same filters as before.

    With --evidence the file has the whole log of the store, and each line the stored form of the event
    that the tree of the log is made of: `watchword audit verify --export FILE --head FILE` checks it
    anywhere.
    """
    _check(output, after, resume, follow, filters["until"])
    search = _search(**filters)
    if evidence:
        _check_whole(target, search, after, as_csv)
    asked = LogQuestion(
        after=after or 0, search=search, mask=mask, evidence=evidence, follow=follow
    )
    form: EventLines = CsvLines() if as_csv else JsonLines(evidence=evidence)
    with expected_failures(), ended_by_hand(follow):
        if output != STANDARD_OUTPUT and (resume or follow):
            with growing_file(output, go_on=resume) as growing:
                asyncio.run(_go_on(target, asked, form, output, growing))
        else:
            with opened(output) as lines:
                heading = form.heading if output != STANDARD_OUTPUT else form.plain_heading
                lines.write(heading)
                asyncio.run(_write(target, asked, form, output, lines))


def _check(
    output: Path, after: int | None, resume: bool, follow: bool, until: datetime | None
) -> None:
    if resume and output == STANDARD_OUTPUT:
        raise click.UsageError("--resume goes on with a file. Name it with --output.")
    if resume and after is not None:
        raise click.UsageError("--resume goes on behind the file's last line, not --after another.")
    if follow and until is not None:
        raise click.UsageError("--follow has no end, so it does not go with --to.")


def _check_whole(target: Target, search: LogSearch, after: int | None, as_csv: bool) -> None:
    if target.url is not None:
        raise click.UsageError(
            "--evidence reads the bytes of the store itself. Name it with --store or --data-dir."
        )
    if as_csv or after is not None or not search.wants_all:
        raise click.UsageError(
            "--evidence needs every event as JSON, so it goes with no filter, no --after and no --csv."
        )


def _search(
    names: tuple[str, ...],
    actors: tuple[str, ...],
    streams: tuple[str, ...],
    since: datetime | None,
    until: datetime | None,
) -> LogSearch:
    return LogSearch(
        names=frozenset(names),
        actors=frozenset(actors),
        streams=frozenset(streams),
        since=since,
        until=until,
    )


async def _go_on(
    target: Target, asked: LogQuestion, form: EventLines, output: Path, growing: GrowingFile
) -> None:
    """Add the events behind the last one of a file."""
    last = None
    begun = growing.last is not None and growing.last == form.heading.rstrip(b"\r\n") != b""
    if growing.last is not None and not begun:
        last = _last_event(form, growing.last, output)
        if await target.event_id(last.position) != last.event_id:
            raise click.ClickException(
                f"The last event in {output}, at position {last.position}, is not in this log."
                " The file is of another log, or the log was changed or restored."
            )
        asked = attrs.evolve(asked, after=last.position)
    growing.drop_rest()
    if growing.last is None:
        growing.file.write(form.heading)
    await _write(target, asked, form, output, growing.file)


def _last_event(form: EventLines, line: bytes, output: Path) -> LastEvent:
    try:
        return form.read(line)
    except ValueError:
        raise click.ClickException(
            f"The last line in {output} is no event in the form of this export."
            " Go on with the options that began the file."
        ) from None


async def _write(
    target: Target, asked: LogQuestion, form: EventLines, output: Path, lines: IO[bytes]
) -> None:
    written = 0
    # The walk is closed at once: a reader that goes away ends it halfway.
    async with aclosing(target.log(asked)) as pages:
        with progress("events", output=output) as advance:
            async for page in pages:
                lines.write(form.lines(page))
                written += len(page)
                if asked.follow:
                    lines.flush()
                else:
                    advance(written, None)
