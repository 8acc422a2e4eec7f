"""`watchword pins`: what became of PINs, as the search of verifications tells it (C-37)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import click
from attrs import frozen

from ....domain.channel import PIN_CHANNELS
from ....domain.destination import masked
from ....domain.errors import camel
from ....domain.pin import PinStatus
from ...wire.codec import wire_time
from ..options.shared import time
from ..options.target_options import managing
from ..output.records import echo_records
from ..service.records import Kind, Record
from ..service.target import Target


@frozen(kw_only=True)
class _ListedPin:
    """What a list of PINs goes by."""

    pin_id: str
    account_id: str
    destination: str
    status: str


def _channels(record: Record) -> list[str]:
    return [f"{each['channel']} {each['status']}" for each in record["channels"]]


PINS = Kind(
    "/verifications",
    _ListedPin,
    {
        "id": "pinId",
        "status": "status",
        "destination": "destination",
        "channels": _channels,
        "reference": "referenceId",
        "template": "templateId",
        "created": "createdAt",
        "expires": "expiresAt",
    },
)


@click.group()
def pins() -> None:
    """Look at what became of PINs."""


@pins.command(
    "list",
    short_help="List PINs, the newest first.",
    epilog="""\b
Examples:
  watchword pins list --account web-shop
  watchword pins list --destination +919812345610 --in-clear
  watchword pins list --status BLOCKED --from 2031-05-01 --json --url http://127.0.0.1:8080
  watchword pins list --store sqlite:////mnt/backup/watchword.db
""",
)
@click.option("--account", metavar="ACCOUNT", help="PINs of one account, by its id or name.")
@click.option("--reference-id", metavar="TEXT", help="The caller's reference, exactly.")
@click.option("--destination", metavar="NUMBER", help="Where codes went, in any spelling.")
@click.option("--template-id", metavar="ID", help="The template that they were sent under.")
@click.option("--status", type=click.Choice([str(each) for each in PinStatus]))
@click.option("--channel", type=click.Choice([*map(str, PIN_CHANNELS), "wa"]))
@click.option(
    "--from", "since", callback=time, metavar="TIME", help="Created then or later (ISO 8601)."
)
@click.option("--to", "until", callback=time, metavar="TIME", help="Created before then.")
@click.option("--in-clear", is_flag=True, help="Show destinations whole.")
@click.option(
    "--limit",
    type=click.IntRange(1, 10_000),
    default=100,
    show_default=True,
    help="How many, of the newest.",
)
@managing
def list_pins(
    target: Target,
    since: datetime | None,
    until: datetime | None,
    in_clear: bool,
    limit: int,
    as_json: bool,
    **named: Any,
) -> None:
    """List PINs, the newest first; destinations are masked unless asked for. No code is kept anywhere."""
    query = {camel(name): value for name, value in named.items()}
    query |= {"from": since and wire_time(since), "to": until and wire_time(until)}
    found = target.ask(
        lambda management: management.list(PINS, query=query, limit=limit), to_read=True
    )
    shown = [
        each if in_clear else {**each, "destination": masked(each["destination"])} for each in found
    ]
    echo_records(PINS, shown, as_json)
