"""`watchword accounts`: what everything else belongs to."""

from __future__ import annotations

import click

from .connecting import managing
from .place import Place
from .records import ACCOUNTS, echo_record, list_records


@click.group()
def accounts() -> None:
    """Make and list accounts, suspend and resume them."""


@accounts.command(
    epilog="""\b
Examples:
  watchword accounts create web-shop
  watchword accounts create web-shop --url http://127.0.0.1:8080
"""
)
@click.argument("name")
@managing
def create(place: Place, name: str, as_json: bool) -> None:
    """Make an account, and the store with it where there is none yet."""
    created = place.ask(
        lambda management: management.act("POST", ACCOUNTS, body={"name": name}), new_store=True
    )
    echo_record(ACCOUNTS, created, as_json)


@accounts.command(
    "list",
    epilog="""\b
Examples:
  watchword accounts list
  watchword accounts list --json --url http://127.0.0.1:8080
""",
)
@managing
def list_accounts(place: Place, as_json: bool) -> None:
    """List all accounts, the newest first."""
    list_records(place, ACCOUNTS, as_json)


@accounts.command(
    short_help="Refuse whoever calls for an account.",
    epilog="""\b
Examples:
  watchword accounts suspend web-shop
  watchword accounts suspend web-shop --url http://127.0.0.1:8080
""",
)
@click.argument("account")
@managing
def suspend(place: Place, account: str, as_json: bool) -> None:
    """
    Refuse whoever calls for an account, given by id or name, until it is resumed.

    Its keys are answered 403 within a second, on every node, and what falls back meanwhile is not sent.
    What providers report is still heard.
    """
    _act(place, account, "suspend", as_json)


@accounts.command(
    epilog="""\b
Examples:
  watchword accounts resume web-shop
"""
)
@click.argument("account")
@managing
def resume(place: Place, account: str, as_json: bool) -> None:
    """Let an account, given by id or name, be called for again."""
    _act(place, account, "resume", as_json)


def _act(place: Place, account: str, lever: str, as_json: bool) -> None:
    record = place.ask(lambda management: management.act("POST", ACCOUNTS, account, lever))
    echo_record(ACCOUNTS, record, as_json)
