"""`watchword legacy-users`: manages the users of the legacy platform."""

from __future__ import annotations

import sys

import click

from ....application.legacy.views import LegacyUserView
from ..building.groups import group
from ..building.record_commands import account_option, acting, creating, listing
from ..service.records import Kind

LEGACY_USERS = Kind(
    "legacy-users",
    "/legacy-users",
    LegacyUserView,
    {"id": "id", "account": "accountId", "e-mail": "email", "created": "createdAt"},
)


def _password() -> str:
    if sys.stdin.isatty():
        return str(click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True))
    return sys.stdin.readline().rstrip("\r\n")


legacy_users = group(
    "legacy-users",
    creating(
        LEGACY_USERS,
        """
        Create a user, whose password is asked for, or the first line of the standard input.

        A command line is seen by others, so it takes none.
        """,
        account_option("that the user acts for"),
        click.option(
            "--email", required=True, help="What the user logs in with; no two users share one."
        ),
        body=lambda **given: {**given, "password": _password()},
        summary="Create a user, whose password is asked for.",
        examples=(
            "watchword legacy-users create --account demo --email asha@tea.example",
            "watchword legacy-users create --account demo --email asha@tea.example < password.txt",
        ),
    ),
    listing(LEGACY_USERS, "List who may log in, the newest first."),
    acting(
        LEGACY_USERS,
        "remove",
        "Remove a user by id: no more logins, all tokens are void, the e-mail is free.",
        method="DELETE",
        summary="Remove a user by id, and all tokens.",
        sample="lgu_2x7wq...",
    ),
    acting(
        LEGACY_USERS,
        "revoke-tokens",
        "Make all tokens of a user void; the password stays good.",
        method="DELETE",
        below=("tokens",),
        examples=("watchword legacy-users revoke-tokens lgu_2x7wq...",),
    ),
)
