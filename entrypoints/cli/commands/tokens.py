"""`watchword tokens`: makes, lists and revokes operators' tokens (C-84)."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial

import click

from ....application.operators.views import OperatorTokenView
from ....domain.accounts.token_role import TokenRole
from ....domain.rate_limit import Duration
from ..building.groups import group
from ..building.record_commands import acting, creating, listing
from ..options.shared import time
from ..output.records import echo_with_secret
from ..service.records import OWNER, Kind, validity

TOKENS = Kind(
    "tokens",
    "/tokens",
    OperatorTokenView,
    {
        "id": "id",
        "name": "name",
        "role": "role",
        "account": OWNER,
        "clear": "clear",
        "prefix": "prefix",
        "last used": "lastUsedAt",
        "state": validity,
    },
)


def _end(context: click.Context, parameter: click.Parameter, value: str | None) -> datetime | None:
    """Read how long a token is good for, or the time at which it ends."""
    if value is None:
        return None
    try:
        return datetime.now(UTC) + Duration(value).span
    except ValueError:
        pass
    try:
        return time(context, parameter, value)
    except click.BadParameter:
        raise click.BadParameter(
            f"{value!r} is neither a duration such as 30d nor a time such as 2030-01-31T12:00:00Z.",
            param=parameter,
        ) from None


tokens = group(
    "tokens",
    creating(
        TOKENS,
        """
        Make a token and print it, this once.

        An auditor reads; an operator also approves, redelivers, enables and tests; an admin does all.
        Auditors see numbers masked. The token alone goes to the standard output, what is said about
        it to the standard error.
        """,
        click.option(
            "--role",
            type=click.Choice([*map(str, TokenRole)]),
            required=True,
            help="What the token allows; each role allows what those before it do, too.",
        ),
        click.option("--name", required=True, help="What people call the token."),
        click.option(
            "--account", help="Id or name of the one account that it is for (default: all)."
        ),
        click.option(
            "--expires",
            "expires_at",
            callback=_end,
            metavar="DURATION",
            help="How long it is good for, such as 30d; or its end, in ISO 8601 (default: never).",
        ),
        click.option("--clear", is_flag=True, help="Show an auditor numbers and texts unmasked."),
        show=partial(echo_with_secret, "token"),
        examples=(
            "watchword tokens create --role admin --name ops --expires 90d",
            "watchword tokens create --role auditor --name audit-2031 --expires 2031-01-31",
            "watchword tokens create --role operator --name support --account demo",
            "WATCHWORD_URL=http://127.0.0.1:8080 watchword tokens create --role auditor --name eve",
            "TOKEN=$(watchword tokens create --role auditor --name dashboard --clear)",
        ),
    ),
    listing(TOKENS, "List tokens, the newest first; never the tokens themselves."),
    acting(
        TOKENS,
        "revoke",
        "Take a token back; its next request is refused.",
        method="DELETE",
        sample="tok_2x7wq...",
    ),
)
