"""`watchword audit disclose`: prints the key that opens one event, for an auditor (D-370)."""

from __future__ import annotations

import asyncio

import click

from ....application.audit.disclosing import Disclosed
from ....domain.event import ERASED
from ..building.groups import epilog
from ..options.shared import json_option
from ..options.target_options import with_store
from ..output.json_text import echo_json
from ..output.tables import echo_table, words
from ..service.failures import expected_failures
from ..service.target import Target


@click.command(
    short_help="Print the key that opens one event.",
    epilog=epilog(
        "watchword audit disclose pin_7hq2w... 1",
        "watchword audit disclose pin_7hq2w... 1 --data-dir /var/lib/watchword --json",
    ),
)
@click.argument("stream", metavar="ID")
@click.argument("version", type=click.IntRange(min=1))
@with_store
@json_option
def disclose(target: Target, stream: str, version: int, as_json: bool) -> None:
    """
    Print the key of one event, for an auditor who has a copy of the store and no code key.

    ID and VERSION are those of `watchword audit replay`. The key opens what is sealed in this event, and
    in no other. docs/how-to/auditing.md has the program that opens it. The code key is needed.
    """

    async def run() -> Disclosed:
        async with target.disclosing() as disclosing:
            return await disclosing.disclose(stream, version)

    with expected_failures():
        disclosed = asyncio.run(run())
    if disclosed.key is None:
        raise click.ClickException(
            "No key opens anything in this event: its owner was erased, or owns nothing that is sealed."
            if disclosed.hidden == ERASED
            else "The key of this event needs the code key of the store."
            " Set WATCHWORD_CODE_KEY, or name a file with --code-key-file."
        )
    event = disclosed.event
    record = {
        "streamId": event.stream,
        "version": event.version,
        "position": event.position,
        "type": event.type,
        "eventId": event.event_id,
        "owner": disclosed.owner,
        "eventKey": disclosed.key.hex(),
    }
    if as_json:
        echo_json(record)
    else:
        echo_table(("field", "value"), [(words(name), each) for name, each in record.items()])
