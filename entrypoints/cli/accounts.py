"""`watchword accounts`: what everything else belongs to."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import click

from ...application.read_models.rows import AccountRow
from ..http.codec import wire_time
from .connecting import Place, at_a_place
from .failures import expected_failures
from .options import code_key_options, json_option
from .printing import echo_json
from .tables import echo_table


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
@code_key_options
@at_a_place
@json_option
def create(place: Place, name: str, as_json: bool) -> None:
    """Make an account, and the store with it where there is none yet."""

    async def run() -> AccountRow:
        async with place.management(new_store=True) as management:
            return await management.create_account(name)

    with expected_failures():
        created = asyncio.run(run())
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
@code_key_options
@at_a_place
@json_option
def list_accounts(place: Place, as_json: bool) -> None:
    """List all accounts, the newest first."""

    async def run() -> Sequence[AccountRow]:
        async with place.management() as management:
            return await management.accounts()

    with expected_failures():
        found = asyncio.run(run())
    if as_json:
        echo_json(found)
    else:
        _echo(found)


def _echo(rows: Sequence[AccountRow]) -> None:
    echo_table(
        ("id", "name", "created"), [(row.id, row.name, wire_time(row.created_at)) for row in rows]
    )
