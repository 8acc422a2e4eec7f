"""`watchword legacy-users`: who may log in to the legacy platform."""

from __future__ import annotations

import sys

import click

from ....application.legacy.views import LegacyUserView
from ..building.record_commands import listing
from ..options.target_options import managing
from ..output.records import echo_record
from ..service.records import Kind
from ..service.target import Target

LEGACY_USERS = Kind(
    "/legacy-users",
    LegacyUserView,
    {"id": "id", "account": "accountId", "e-mail": "email", "created": "createdAt"},
)


@click.group("legacy-users")
def legacy_users() -> None:
    """Create, list and remove users of the legacy platform, and revoke their tokens."""


@legacy_users.command(
    short_help="Create a user, whose password is asked for.",
    epilog="""\b
Examples:
  watchword legacy-users create --account demo --email asha@tea.example
  watchword legacy-users create --account demo --email asha@tea.example < password.txt
""",
)
@click.option("--account", required=True, help="Id or name of the account that the user acts for.")
@click.option("--email", required=True, help="What the user logs in with; no two users share one.")
@managing
def create(target: Target, account: str, email: str, as_json: bool) -> None:
    """
    Create a user, whose password is asked for, or the first line of the standard input.

    A command line is seen by others, so it takes none.
    """
    body = {"account": account, "email": email, "password": _password()}
    created = target.ask(lambda management: management.act("POST", LEGACY_USERS, body=body))
    echo_record(LEGACY_USERS, created, as_json)


legacy_users.add_command(
    listing("legacy-users", LEGACY_USERS, "List who may log in, the newest first.")
)


@legacy_users.command(
    short_help="Remove a user by id, and all tokens.",
    epilog="""\b
Examples:
  watchword legacy-users remove lgu_2x7wq...
  watchword legacy-users remove lgu_2x7wq... --url http://127.0.0.1:8080
""",
)
@click.argument("user_id", metavar="ID")
@managing
def remove(target: Target, user_id: str, as_json: bool) -> None:
    """Remove a user by id: no more logins, all tokens are void, the e-mail is free."""
    removed = target.ask(lambda management: management.act("DELETE", LEGACY_USERS, user_id))
    echo_record(LEGACY_USERS, removed, as_json)


@legacy_users.command(
    "revoke-tokens",
    epilog="""\b
Examples:
  watchword legacy-users revoke-tokens lgu_2x7wq...
""",
)
@click.argument("user_id", metavar="ID")
@managing
def revoke_tokens(target: Target, user_id: str, as_json: bool) -> None:
    """Make all tokens of a user void; the password stays good."""
    user = target.ask(lambda management: management.act("DELETE", LEGACY_USERS, user_id, "tokens"))
    echo_record(LEGACY_USERS, user, as_json)


def _password() -> str:
    if sys.stdin.isatty():
        return str(click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True))
    return sys.stdin.readline().rstrip("\r\n")
