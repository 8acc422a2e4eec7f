"""Commands that list records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from ..options.target_options import managing
from ..output.records import echo_records
from ..service.records import ACCOUNTS, Kind, Record
from ..service.target import Target

if TYPE_CHECKING:
    from ..service.management import Management


def list_records(
    target: Target, kind: Kind, as_json: bool, query: Mapping[str, str | None] | None = None
) -> None:
    """Print all records of a kind that a query finds, with the names of their accounts."""

    async def ask(management: Management) -> tuple[Sequence[Record], Sequence[Record]]:
        accounts = await management.list(ACCOUNTS) if kind.of_accounts and not as_json else ()
        return await management.list(kind, query=query), accounts

    found, accounts = target.ask(ask, to_read=True)
    echo_records(kind, found, as_json, {each["id"]: each["name"] for each in accounts})


def listing(group: str, kind: Kind, purpose: str) -> click.Command:
    """Make the command `list` of a group, whose records belong to accounts."""

    @click.command(
        "list",
        help=purpose,
        epilog=f"""\b
Examples:
  watchword {group} list
  watchword {group} list --account demo --json
  watchword {group} list --url http://127.0.0.1:8080
""",
    )
    @click.option("--account", help="Only those of this account, by id or name.")
    @managing
    def command(target: Target, account: str | None, as_json: bool) -> None:
        list_records(target, kind, as_json, {"account": account})

    return command
