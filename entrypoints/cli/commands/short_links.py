"""`watchword short-links`: disables short links, and enables them again."""

from __future__ import annotations

import click

from ....application.short_links.views import ShortLinkView
from ..building.groups import group
from ..building.record_commands import acting
from ..service.records import Kind

SHORT_LINKS = Kind(
    "short-links",
    "/short-links",
    ShortLinkView,
    {
        "id": "id",
        "account": "accountId",
        "clicks": "clicks",
        "created": "createdAt",
        "disabled": "disabledAt",
    },
)


def _code(_: click.Context, __: click.Parameter, link: str) -> str:
    """Return the code of a link that is given whole, or by its code."""
    return link.rstrip("/").rpartition("/")[2]


_LINK = click.argument("record_id", metavar="CODE", callback=_code)

short_links = group(
    "short-links",
    acting(
        SHORT_LINKS,
        "disable",
        """
        Lead nobody on by a short link, given by its code or whole, until it is enabled.

        Who follows it finds nothing (404), and no click is counted.
        """,
        summary="Lead nobody on by a short link.",
        argument=_LINK,
        examples=(
            "watchword short-links disable 2x7wqFh3kTzB9sLp",
            "watchword short-links disable https://go.example/s/2x7wqFh3kTzB9sLp",
        ),
    ),
    acting(
        SHORT_LINKS,
        "enable",
        "Lead on again by a short link, given by its code or whole.",
        argument=_LINK,
        examples=("watchword short-links enable 2x7wqFh3kTzB9sLp",),
    ),
)
