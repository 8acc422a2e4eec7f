"""`watchword audit export`: writes the log as JSON Lines (C-38)."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path
from typing import IO

import click

from ...wire.codec import encode
from ..building.groups import epilog
from ..options.target_options import with_target
from ..output.progress import progress
from ..output.whole_file import opened, output_option
from ..service.failures import expected_failures
from ..service.target import Target


@click.command(
    short_help="Write the log as JSON Lines.",
    epilog=epilog(
        "watchword audit export --output log.jsonl",
        "watchword audit export --mask | gzip > log.jsonl.gz",
        "watchword audit export --type PinVerified --type PinBlocked",
        "watchword audit export --after 1200 --url http://127.0.0.1:8080",
    ),
)
@output_option
@click.option("--mask", is_flag=True, help="Mask what says something about a person.")
@click.option(
    "--after",
    type=click.IntRange(0),
    default=0,
    metavar="POSITION",
    help="Begin behind this position, such as the last one of an earlier export.",
)
@click.option(
    "--type",
    "names",
    multiple=True,
    metavar="EVENT",
    help="Only events of this name, such as PinIssued; can be given again (default: all).",
)
@with_target
def export(target: Target, output: Path, mask: bool, after: int, names: tuple[str, ...]) -> None:
    """
    Write the log in commit order, one event a line, each as GET /admin/v1/events shows it.

    What is personal is in clear unless it is masked. It reads *** without the code key, and (erased) after
    an erasure. Hashes read ***. A file appears when it is whole, in place of an older one, or not at all.
    """

    async def run(lines: IO[bytes]) -> None:
        written = 0
        # The walk is closed at once: a reader that goes away ends it halfway.
        async with aclosing(target.log(after, names, mask=mask)) as pages:
            with progress("events", output=output) as advance:
                async for page in pages:
                    lines.write(b"".join(encode(each) + b"\n" for each in page))
                    written += len(page)
                    advance(written, None)

    with expected_failures(), opened(output) as lines:
        asyncio.run(run(lines))
