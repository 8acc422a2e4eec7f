"""Records as the service tells them: their kinds, and how they are printed and listed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click
from attrs import frozen

from ...application.accounts.views import AccountView
from .connecting import managing
from .printing import echo_json
from .tables import echo_table
from .target import Target

if TYPE_CHECKING:
    from .management import Management

Record = Mapping[str, Any]
_OWNER = "accountId"


@frozen
class Kind:
    """
    One kind of records: where its routes stand under `/admin/v1`, and the columns of its table.

    Whatever cannot be read as a `form` is none. A column shows the member that it names, or what its
    function makes of the record.
    """

    path: str
    form: type
    columns: Mapping[str, str | Callable[[Record], Any]]

    @property
    def of_accounts(self) -> bool:
        """Whether the table names accounts."""
        return _OWNER in self.columns.values()


ACCOUNTS = Kind(
    "/accounts",
    AccountView,
    {"id": "id", "name": "name", "created": "createdAt", "suspended": "suspendedAt"},
)


def echo_record(kind: Kind, record: Record, as_json: bool) -> None:
    """Print one record, as JSON for programs or as a line of its table."""
    if as_json:
        echo_json(record)
    else:
        _echo_table(kind, [record], {})


def echo_with_secret(kind: Kind, record: Record, member: str, as_json: bool) -> None:
    """Print a record whose `member` is told this once: that alone on the standard output."""
    if as_json:
        echo_json(record)
        return
    _echo_table(kind, [record], {}, err=True)
    click.echo(f"\nThe {member}, which is not shown again:", err=True)
    click.echo(record[member])


def echo_records(
    kind: Kind, records: Sequence[Record], as_json: bool, names: Mapping[str, str] | None = None
) -> None:
    """Print records, with the names of their accounts where these are known by their ids."""
    if as_json:
        echo_json(records)
    else:
        _echo_table(kind, records, names or {})


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


def _echo_table(
    kind: Kind, records: Sequence[Record], names: Mapping[str, str], *, err: bool = False
) -> None:
    def cell(record: Record, column: str | Callable[[Record], Any]) -> Any:
        if not isinstance(column, str):
            return column(record)
        if column == _OWNER:
            return names.get(record[column], record[column])
        return record.get(column)

    rows = [[cell(each, column) for column in kind.columns.values()] for each in records]
    echo_table([*kind.columns], rows, err=err)
