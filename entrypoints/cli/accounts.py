"""`watchword accounts`: what everything else belongs to."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeVar

import click

from ...application.read_models.rows import AccountRow
from ..http.codec import wire_time
from .connecting import managing
from .management import Management
from .place import Place
from .printing import echo_json
from .tables import echo_table

T = TypeVar("T")


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
    created = place.ask(lambda management: management.create_account(name), new_store=True)
    if as_json:
        echo_json(created)
    else:
        _echo([created])


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
    found = place.ask(lambda management: management.accounts())
    if as_json:
        echo_json(found)
    else:
        _echo(found)


def with_account_names(
    place: Place, question: Callable[[Management], Awaitable[T]]
) -> tuple[T, Mapping[str, str]]:
    """Ask for a list of what belongs to accounts, and for the name of every account by its id."""

    async def ask(management: Management) -> tuple[T, Mapping[str, str]]:
        names = {each.id: each.name for each in await management.accounts()}
        return await question(management), names

    return place.ask(ask)


def _echo(rows: Sequence[AccountRow]) -> None:
    echo_table(
        ("id", "name", "created"), [(row.id, row.name, wire_time(row.created_at)) for row in rows]
    )
