"""`watchword accounts`: what everything else belongs to."""

from __future__ import annotations

import click

from .connecting import managing
from .place import Place
from .records import ACCOUNTS, echo_record, list_records


@click.group()
def accounts() -> None:
    """Make and list accounts."""


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
