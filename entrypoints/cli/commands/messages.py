"""`watchword messages`: shows the delivery report, and exports it for spreadsheets (C-37)."""

from __future__ import annotations

import asyncio
import codecs
from contextlib import aclosing
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from ....application.messages.looking_up.searching_messages import MessageSearch
from ..building.groups import epilog, group
from ..options.search_options import query_of, search_options
from ..options.shared import limit_option
from ..options.target_options import managing, with_target
from ..output.csv_cells import lines
from ..output.progress import progress
from ..output.records import echo_records
from ..output.whole_file import STANDARD_OUTPUT, opened, output_option
from ..service.failures import expected_failures
from ..service.records import Kind
from ..service.target import Target
from .message_export import COLUMNS, row, shown, walk

if TYPE_CHECKING:
    from ..service.management import Management
    from ..service.records import Record

MESSAGES = Kind(
    "messages",
    "/messages",
    dict,
    {
        "id": "messageId",
        "status": "status",
        "channel": "channelType",
        "direction": "direction",
        "sender": "sender",
        "recipient": "recipient",
        "error": "errorCode",
        "sent by": lambda message: message["apiKeyName"] or message["actor"],
        "created": "createdAt",
    },
)


_filters = search_options(MessageSearch)
_in_clear = click.option("--in-clear", is_flag=True, help="Show people's numbers whole.")


@click.command(
    short_help="Write the delivery report as CSV.",
    epilog=epilog(
        "watchword messages export --account web-shop --output report.csv",
        "watchword messages export --account web-shop --status failed --from 2031-05-01 --in-clear",
        "watchword messages export --url http://127.0.0.1:8080 | gzip > report.csv.gz",
    ),
)
@output_option
@_filters
@_in_clear
@with_target
def export(target: Target, output: Path, in_clear: bool, **filters: Any) -> None:
    """
    Write what became of messages, the newest first, one a line.

    Numbers are masked unless they are asked for. Cells that a spreadsheet would run as formulas begin
    with an apostrophe. A file begins with the mark of UTF-8, by which spreadsheets know it; it appears
    when it is whole, in place of an older one, or not at all.
    """

    async def run(table: IO[bytes]) -> None:
        written = 0
        heading = lines([COLUMNS])
        if output != STANDARD_OUTPUT:
            heading = codecs.BOM_UTF8 + heading
        # The walk is closed at once: a reader that goes away ends it halfway.
        async with (
            target.management(to_read=True) as management,
            aclosing(walk(management.messages, query_of(MessageSearch, filters))) as pages,
        ):
            with progress("messages", output=output) as advance:
                async for page in pages:
                    table.write(heading)
                    heading = b""
                    table.write(lines(row(shown(each, in_clear=in_clear)) for each in page))
                    written += len(page)
                    advance(written, None)
        # Only after the search succeeded: a refusal leaves no table, not even an empty one.
        table.write(heading)

    with expected_failures(), opened(output) as table:
        asyncio.run(run(table))


@click.command(
    "list",
    short_help="List messages, sent and received, the newest first.",
    epilog=epilog(
        "watchword messages list --account web-shop",
        "watchword messages list --account web-shop --recipient +447700900123 --in-clear",
        "watchword messages list --limit 500 --json --url http://127.0.0.1:8080",
    ),
)
@_filters
@_in_clear
@limit_option
@managing
def list_messages(
    target: Target, in_clear: bool, limit: int, as_json: bool, **filters: Any
) -> None:
    """List messages, sent and received, the newest first; numbers are masked unless asked for."""

    async def ask(management: Management) -> list[Record]:
        found: list[Record] = []
        async with aclosing(walk(management.messages, query_of(MessageSearch, filters))) as pages:
            async for page in pages:
                found += page
                if len(found) >= limit:
                    break
        return found[:limit]

    found = [shown(each, in_clear=in_clear) for each in target.ask(ask, to_read=True)]
    echo_records(MESSAGES, found, as_json)


messages = group("messages", export, list_messages)
