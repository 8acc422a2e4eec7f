"""`watchword short-links`: what messages' short addresses lead to."""

from __future__ import annotations

import click

from ...application.short_links.managing_short_links import ShortLinkRecord
from .connecting import managing
from .place import Place
from .records import Kind, echo_record

SHORT_LINKS = Kind(
    "/short-links",
    ShortLinkRecord,
    {
        "id": "id",
        "account": "accountId",
        "clicks": "clicks",
        "created": "createdAt",
        "disabled": "disabledAt",
    },
)


@click.group("short-links")
def short_links() -> None:
    """Disable short links, and enable them again."""


@short_links.command(
    short_help="Lead nobody on by a short link.",
    epilog="""\b
Examples:
  watchword short-links disable 2x7wqFh3kTzB9sLp
  watchword short-links disable https://go.example/s/2x7wqFh3kTzB9sLp
""",
)
@click.argument("link", metavar="CODE")
@managing
def disable(place: Place, link: str, as_json: bool) -> None:
    """
    Lead nobody on by a short link, given by its code or whole, until it is enabled.

    Who follows it finds nothing (404), and no click is counted.
    """
    _act(place, link, "disable", as_json)


@short_links.command(
    epilog="""\b
Examples:
  watchword short-links enable 2x7wqFh3kTzB9sLp
"""
)
@click.argument("link", metavar="CODE")
@managing
def enable(place: Place, link: str, as_json: bool) -> None:
    """Lead on again by a short link, given by its code or whole."""
    _act(place, link, "enable", as_json)


def _act(place: Place, link: str, lever: str, as_json: bool) -> None:
    code = link.rstrip("/").rpartition("/")[2]
    record = place.ask(lambda management: management.act("POST", SHORT_LINKS, code, lever))
    echo_record(SHORT_LINKS, record, as_json)
