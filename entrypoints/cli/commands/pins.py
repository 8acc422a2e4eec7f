"""`watchword pins`: lists PINs by the search of verifications (C-37)."""

from __future__ import annotations

from typing import Any

import click

from ....application.pins.searching_verifications import VerificationSearch
from ....application.pins.views import VerificationView
from ....domain.destination import masked
from ..building.groups import epilog, group
from ..options.list_filters import verification_filters
from ..options.search_options import query_of
from ..options.shared import limit_option
from ..options.target_options import managing
from ..output.records import echo_records
from ..service.records import Kind, Record
from ..service.target import Target


def _channels(record: Record) -> list[str]:
    return [f"{each['channel']} {each['status']}" for each in record["channels"]]


PINS = Kind(
    "pins",
    "/verifications",
    VerificationView,
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


@click.command(
    "list",
    short_help="List PINs, the newest first.",
    epilog=epilog(
        "watchword pins list --account web-shop",
        "watchword pins list --account web-shop --destination +919812345610 --in-clear",
        "watchword pins list --status BLOCKED --from 2031-05-01 --json --url http://127.0.0.1:8080",
        "watchword pins list --store sqlite:////mnt/backup/watchword.db",
    ),
)
@verification_filters
@click.option("--in-clear", is_flag=True, help="Show destinations whole.")
@limit_option
@managing
def list_pins(target: Target, in_clear: bool, limit: int, as_json: bool, **filters: Any) -> None:
    """List PINs, the newest first; destinations are masked unless asked for. No code is kept anywhere."""
    query = query_of(VerificationSearch, filters)
    found = target.ask(lambda management: management.search(PINS, query, limit), to_read=True)
    shown = [
        each if in_clear else {**each, "destination": masked(each["destination"])} for each in found
    ]
    echo_records(PINS, shown, as_json)


pins = group("pins", list_pins)
