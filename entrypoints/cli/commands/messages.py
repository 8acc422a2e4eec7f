"""`watchword messages`: the delivery report, for people and for spreadsheets (C-37)."""

from __future__ import annotations

import asyncio
import codecs
from collections.abc import Callable
from contextlib import aclosing
from datetime import datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

import click

from ....domain.errors import camel
from ....domain.message import Direction, MessageStatus, ResourceType
from ...wire.codec import wire_time
from ..options.shared import code_key_options, time
from ..options.target_options import at_a_place, managing
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

F = TypeVar("F", bound=Callable[..., Any])

_FILTERS = (
    click.option(
        "--account", metavar="ACCOUNT", help="Messages of one account, by its id or name."
    ),
    click.option("--recipient", metavar="NUMBER", help="A person's number, in any spelling."),
    click.option("--reference", metavar="TEXT", help="The first custom reference, exactly."),
    click.option("--status", type=click.Choice([str(each) for each in MessageStatus])),
    click.option("--direction", type=click.Choice([str(each) for each in Direction])),
    click.option("--channel-type", metavar="CHANNEL", help="sms, whatsapp, rcs or email."),
    click.option("--channel-name", metavar="NAME", help="The name of a channel account."),
    click.option("--resource-type", type=click.Choice([str(each) for each in ResourceType])),
    click.option("--tag1", metavar="TEXT", help="A tag of sends by the legacy platform, exactly."),
    click.option("--tag2", metavar="TEXT", help="Likewise."),
    click.option("--tag3", metavar="TEXT", help="Likewise."),
    click.option("--from", "since", callback=time, metavar="TIME", help="Created then or later."),
    click.option("--to", "until", callback=time, metavar="TIME", help="Created before then."),
)
MESSAGES = Kind(
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


def _filters(command: F) -> F:
    """Add the filters of the report, and `--in-clear`."""
    whole = click.option("--in-clear", is_flag=True, help="Show people's numbers whole.")
    for each in reversed((*_FILTERS, whole)):
        command = each(command)
    return command


def _query(since: datetime | None, until: datetime | None, **named: str | None) -> dict[str, str]:
    """Give the filters that were given, in the spelling of the route."""
    filters = {camel(name): value for name, value in named.items() if value}
    filters |= {"from": wire_time(since)} if since else {}
    return filters | ({"to": wire_time(until)} if until else {})


@click.group()
def messages() -> None:
    """Look at what became of messages."""


@messages.command(
    short_help="Write the delivery report as CSV.",
    epilog="""\b
Examples:
  watchword messages export --account web-shop --output report.csv
  watchword messages export --account web-shop --status failed --from 2031-05-01 --in-clear
  watchword messages export --url http://127.0.0.1:8080 | gzip > report.csv.gz
""",
)
@output_option
@_filters
@code_key_options
@at_a_place
def export(
    target: Target,
    output: Path,
    in_clear: bool,
    **filters: Any,
) -> None:
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
        # The walk is closed here and now, since a reader who goes away ends it in its middle.
        async with (
            target.management(to_read=True) as management,
            aclosing(walk(management.messages, _query(**filters))) as pages,
        ):
            with progress("messages", output=output) as told:
                async for page in pages:
                    table.write(heading)
                    heading = b""
                    table.write(lines(row(shown(each, in_clear=in_clear)) for each in page))
                    written += len(page)
                    told(written, None)
        # Not before a page came: what is refused leaves no table, not even an empty one.
        table.write(heading)

    with expected_failures(), opened(output) as table:
        asyncio.run(run(table))


@messages.command(
    "list",
    short_help="List messages, sent and received, the newest first.",
    epilog="""\b
Examples:
  watchword messages list --account web-shop
  watchword messages list --account web-shop --recipient +447700900123 --in-clear
  watchword messages list --limit 500 --json --url http://127.0.0.1:8080
""",
)
@_filters
@click.option(
    "--limit",
    type=click.IntRange(1, 10_000),
    default=100,
    show_default=True,
    help="How many, of the newest.",
)
@managing
def list_messages(
    target: Target, in_clear: bool, limit: int, as_json: bool, **filters: Any
) -> None:
    """List messages, sent and received, the newest first; numbers are masked unless asked for."""

    async def ask(management: Management) -> list[Record]:
        found: list[Record] = []
        async with aclosing(walk(management.messages, _query(**filters))) as pages:
            async for page in pages:
                found += page
                if len(found) >= limit:
                    break
        return found[:limit]

    found = [shown(each, in_clear=in_clear) for each in target.ask(ask, to_read=True)]
    echo_records(MESSAGES, found, as_json)
