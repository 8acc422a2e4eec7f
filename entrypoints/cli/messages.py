"""`watchword messages`: the delivery report, as a table for spreadsheets (C-37)."""

from __future__ import annotations

import asyncio
import codecs
import sys
from contextlib import aclosing
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import IO

import click

from ...domain.errors import camel
from ...domain.message import Direction, MessageStatus, ResourceType
from ..http.codec import wire_time
from .connecting import at_a_place
from .csv_cells import lines
from .failures import expected_failures
from .message_export import COLUMNS, row, walk
from .options import code_key_options, time
from .place import Place
from .progress import progress
from .whole_file import STANDARD_OUTPUT, opened, output_option


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
@click.option("--account", metavar="ACCOUNT", help="Messages of one account, by its id or name.")
@click.option("--recipient", metavar="NUMBER", help="A person's number, in any spelling.")
@click.option("--reference", metavar="TEXT", help="The first custom reference, exactly.")
@click.option("--status", type=click.Choice([str(each) for each in MessageStatus]))
@click.option("--direction", type=click.Choice([str(each) for each in Direction]))
@click.option("--channel-type", metavar="CHANNEL", help="sms, whatsapp, rcs or email.")
@click.option("--channel-name", metavar="NAME", help="The name of a channel account.")
@click.option("--resource-type", type=click.Choice([str(each) for each in ResourceType]))
@click.option("--tag1", metavar="TEXT", help="A tag of sends by the legacy platform, exactly.")
@click.option("--tag2", metavar="TEXT", help="Likewise.")
@click.option("--tag3", metavar="TEXT", help="Likewise.")
@click.option("--from", "since", callback=time, metavar="TIME", help="Created then or later.")
@click.option("--to", "until", callback=time, metavar="TIME", help="Created before then.")
@click.option("--in-clear", is_flag=True, help="Show people's numbers whole.")
@code_key_options
@at_a_place
def export(
    place: Place,
    output: Path,
    since: datetime | None,
    until: datetime | None,
    in_clear: bool,
    **named: str | None,
) -> None:
    """
    Write what became of messages, the newest first, one a line.

    Numbers are masked unless they are asked for. Cells that a spreadsheet would run as formulas begin
    with an apostrophe. A file begins with the mark of UTF-8, by which spreadsheets know it; it appears
    when it is whole, in place of an older one, or not at all.
    """
    filters = {camel(name): value for name, value in named.items() if value}
    filters |= {"from": wire_time(since)} if since else {}
    filters |= {"to": wire_time(until)} if until else {}

    async def run(table: IO[bytes]) -> None:
        # A bar would run through the lines of an export that goes to the terminal itself.
        watched = output == STANDARD_OUTPUT and sys.stdout.isatty()
        written = 0
        heading = lines([COLUMNS])
        if output != STANDARD_OUTPUT:
            heading = codecs.BOM_UTF8 + heading
        # The walk is closed here and now, since a reader who goes away ends it in its middle.
        async with (
            place.management() as management,
            aclosing(walk(management.messages, filters)) as pages,
        ):
            with progress("messages", shown=not watched) as told:
                async for page in pages:
                    table.write(heading)
                    heading = b""
                    table.write(lines(map(partial(row, in_clear=in_clear), page)))
                    written += len(page)
                    told(written, None)
        # Not before a page came: what is refused leaves no table, not even an empty one.
        table.write(heading)

    with expected_failures(), opened(output) as table:
        asyncio.run(run(table))
