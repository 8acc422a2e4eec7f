"""Builds commands that each call one management route and print its records (D-188)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from ....domain.errors import camel
from ...wire.codec import wire_time
from ..options.shared import Option, together
from ..options.target_options import managing
from ..output.records import echo_record, echo_records
from ..service.records import ACCOUNTS, OWNER, Kind, Record
from ..service.target import Target
from .groups import epilog

if TYPE_CHECKING:
    from ..service.management import Management

Show = Callable[[Kind, Record, bool], None]
# Returns the id of a record that may be named; returns a request with what it lacked.
Find = Callable[["Management", str], Awaitable[str]]
Complete = Callable[["Management", Record], Awaitable[Record]]
_BY_ID = click.argument("record_id", metavar="ID")
OF_ACCOUNT = click.option("--account", help="Only those of this account, by id or name.")


def account_option(purpose: str = "that it is for") -> Option:
    """Return the option that names the account of a new record."""
    return click.option("--account", required=True, help=f"Id or name of the account {purpose}.")


def camel_body(**given: Any) -> Record:
    """Return a body whose members are the options, in the spelling of the wire."""
    return {camel(name): _written(value) for name, value in given.items()}


def _written(value: Any) -> Any:
    if isinstance(value, datetime):
        return wire_time(value)
    # A repeated option that was not given.
    return None if value == () else value


def creating(
    kind: Kind,
    purpose: str,
    *options: Option,
    examples: Sequence[str],
    summary: str | None = None,
    body: Callable[..., Record] = camel_body,
    complete: Complete | None = None,
    show: Show = echo_record,
    new_store: bool = False,
) -> click.Command:
    """
    Make the command `create` of a group; `body` makes the request of its options.

    `complete` looks up what the request needs. With `new_store`, the command makes the store too, if
    there is none.
    """

    def create(target: Target, as_json: bool, **given: Any) -> None:
        request = body(**given)

        async def ask(management: Management) -> Record:
            whole = request if complete is None else await complete(management, request)
            return await management.act("POST", kind, body=whole)

        show(kind, target.ask(ask, new_store=new_store), as_json)

    return _command("create", create, options, purpose, summary, examples)


def acting(
    kind: Kind,
    name: str,
    purpose: str,
    *,
    method: str = "POST",
    below: Sequence[str] | None = None,
    argument: Option = _BY_ID,
    find: Find | None = None,
    sample: str | None = None,
    examples: Sequence[str] = (),
    summary: str | None = None,
) -> click.Command:
    """
    Make a command that acts on one record, by a route without a body.

    `below` is the path below the record's own: by default the command's name, and nothing for a DELETE.
    `argument` names the record, `find` returns its id if that may be a name, and `sample` is one in
    the examples.
    """
    default = () if method == "DELETE" else (name,)
    path = default if below is None else below
    if sample is not None:
        example = f"watchword {kind.group} {name} {sample}"
        examples = (example, f"{example} --url http://127.0.0.1:8080")

    def act(target: Target, as_json: bool, record_id: str) -> None:
        async def ask(management: Management) -> Record:
            found = record_id if find is None else await find(management, record_id)
            return await management.act(method, kind, found, *path)

        echo_record(kind, target.ask(ask), as_json)

    return _command(name, act, (argument,), purpose, summary, examples)


def listing(
    kind: Kind, purpose: str, *options: Option, examples: Sequence[str] = ()
) -> click.Command:
    """Make the command `list` of a group; without other options it takes an account."""
    if not examples:
        examples = (
            f"watchword {kind.group} list",
            f"watchword {kind.group} list --account demo --json",
            f"watchword {kind.group} list --url http://127.0.0.1:8080",
        )
        options = (OF_ACCOUNT,)

    def list_records(target: Target, as_json: bool, **query: str | None) -> None:
        async def ask(management: Management) -> tuple[Sequence[Record], Sequence[Record]]:
            accounts = (
                await management.list(ACCOUNTS)
                if OWNER in kind.columns.values() and not as_json
                else ()
            )
            return await management.list(kind, query=camel_body(**query)), accounts

        found, accounts = target.ask(ask, to_read=True)
        echo_records(kind, found, as_json, {each["id"]: each["name"] for each in accounts})

    return _command("list", list_records, options, purpose, None, examples)


def _command(
    name: str,
    function: Callable[..., None],
    options: Sequence[Option],
    purpose: str,
    summary: str | None,
    examples: Sequence[str],
) -> click.Command:
    made = click.command(name, help=purpose, short_help=summary, epilog=epilog(*examples))
    return made(together(*options)(managing(function)))
