"""`watchword short-links`: what messages' short addresses lead to."""

from __future__ import annotations

import click

from ....application.short_links.managing_short_links import ShortLinkView
from ..options.target_options import managing
from ..output.records import echo_record
from ..service.records import Kind
from ..service.target import Target

SHORT_LINKS = Kind(
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
def disable(target: Target, link: str, as_json: bool) -> None:
    """
    Lead nobody on by a short link, given by its code or whole, until it is enabled.

    Who follows it finds nothing (404), and no click is counted.
    """
    _act(target, link, "disable", as_json)


@short_links.command(
    epilog="""\b
Examples:
  watchword short-links enable 2x7wqFh3kTzB9sLp
"""
)
@click.argument("link", metavar="CODE")
@managing
def enable(target: Target, link: str, as_json: bool) -> None:
    """Lead on again by a short link, given by its code or whole."""
    _act(target, link, "enable", as_json)


def _act(target: Target, link: str, lever: str, as_json: bool) -> None:
    code = link.rstrip("/").rpartition("/")[2]
    record = target.ask(lambda management: management.act("POST", SHORT_LINKS, code, lever))
    echo_record(SHORT_LINKS, record, as_json)
