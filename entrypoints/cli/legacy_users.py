"""`watchword legacy-users`: who may log in to the legacy platform."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

import click

from ...application.read_models.rows import LegacyUserRow
from ..http.codec import wire_time
from .accounts import with_account_names
from .connecting import managing
from .place import Place
from .printing import echo_json
from .tables import echo_table


@click.group("legacy-users")
def legacy_users() -> None:
    """Create, list and remove users of the legacy platform, and revoke their tokens."""


@legacy_users.command(
    epilog="""\b
Examples:
  watchword legacy-users create --account demo --email asha@tea.example
  watchword legacy-users create --account demo --email asha@tea.example < password.txt
"""
)
@click.option("--account", required=True, help="Id or name of the account that the user acts for.")
@click.option("--email", required=True, help="What the user logs in with; no two users share one.")
@managing
def create(place: Place, account: str, email: str, as_json: bool) -> None:
    """
    Create a user, whose password is asked for, or the first line of the standard input.

    A command line is seen by others, so it takes none.
    """
    body = {"account": account, "email": email, "password": _password()}
    _echo_one(place.ask(lambda management: management.create_legacy_user(body)), as_json)


@legacy_users.command(
    "list",
    epilog="""\b
Examples:
  watchword legacy-users list
  watchword legacy-users list --account demo --json
""",
)
@click.option("--account", help="Only those of this account, by id or name.")
@managing
def list_legacy_users(place: Place, account: str | None, as_json: bool) -> None:
    """List who may log in, the newest first."""
    found, names = with_account_names(place, lambda management: management.legacy_users(account))
    if as_json:
        echo_json(found)
    else:
        _echo(found, names)


@legacy_users.command(
    epilog="""\b
Examples:
  watchword legacy-users remove lgu_2x7wq...
  watchword legacy-users remove lgu_2x7wq... --url http://127.0.0.1:8080
"""
)
@click.argument("user_id", metavar="ID")
@managing
def remove(place: Place, user_id: str, as_json: bool) -> None:
    """Remove a user by id: no more logins, all tokens are void, the e-mail is free."""
    _echo_one(place.ask(lambda management: management.remove_legacy_user(user_id)), as_json)


@legacy_users.command(
    "revoke-tokens",
    epilog="""\b
Examples:
  watchword legacy-users revoke-tokens lgu_2x7wq...
""",
)
@click.argument("user_id", metavar="ID")
@managing
def revoke_tokens(place: Place, user_id: str, as_json: bool) -> None:
    """Make all tokens of a user void; the password stays good."""
    _echo_one(place.ask(lambda management: management.revoke_legacy_tokens(user_id)), as_json)


def _password() -> str:
    if sys.stdin.isatty():
        return str(click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True))
    return sys.stdin.readline().rstrip("\r\n")


def _echo_one(record: LegacyUserRow, as_json: bool) -> None:
    if as_json:
        echo_json(record)
    else:
        _echo([record], {})


def _echo(rows: Sequence[LegacyUserRow], names: Mapping[str, str]) -> None:
    """Print users, with their accounts' names where they are known."""
    echo_table(
        ("id", "account", "e-mail", "created"),
        [
            (
                row.id,
                names.get(row.account_id, row.account_id),
                row.email,
                wire_time(row.created_at),
            )
            for row in rows
        ],
    )
