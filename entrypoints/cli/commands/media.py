"""`watchword media`: lists and removes hosted files."""

from __future__ import annotations

from ....application.media.views import MediaView
from ..building.groups import group
from ..building.record_commands import acting, listing
from ..service.records import Kind

MEDIA = Kind(
    "media",
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


media = group(
    "media",
    listing(MEDIA, "List hosted media, the newest first."),
    acting(
        MEDIA,
        "remove",
        """
        Remove a medium by its id, and its file from the disk.

        Whoever has its address gets 410 from then on, but for caches, which keep it for a day at
        most.
        """,
        method="DELETE",
        summary="Remove a medium and its file.",
        sample="med_2x7wq...",
    ),
)
