"""`watchword media`: files that are hosted for accounts."""

from __future__ import annotations

import click

from ....application.media.views import MediaView
from ..building.record_commands import listing
from ..options.target_options import managing
from ..output.records import echo_record
from ..service.records import Kind
from ..service.target import Target

MEDIA = Kind(
    "/media",
    MediaView,
    {
        "id": "id",
        "account": "accountId",
        "name": "name",
        "type": "contentType",
        "bytes": "size",
        "created": "createdAt",
    },
)


@click.group()
def media() -> None:
    """List hosted media, and remove them."""


media.add_command(listing("media", MEDIA, "List hosted media, the newest first."))


@media.command(
    short_help="Remove a medium and its file.",
    epilog="""\b
Examples:
  watchword media remove med_2x7wq...
  watchword media remove med_2x7wq... --url http://127.0.0.1:8080
""",
)
@click.argument("media_id", metavar="ID")
@managing
def remove(target: Target, media_id: str, as_json: bool) -> None:
    """
    Remove a medium by its id, and its file from the disk.

    Whoever has its address gets 410 from then on, but for caches, which keep it for a day at most.
    """
    removed = target.ask(lambda management: management.act("DELETE", MEDIA, media_id))
    echo_record(MEDIA, removed, as_json)
