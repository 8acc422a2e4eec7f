"""`watchword keys`: makes, lists and revokes API keys."""

from __future__ import annotations

from functools import partial

import click

from ....application.accounts.views import ApiKeyView
from ....domain.accounts.api_key import Scope
from ..building.groups import group
from ..building.record_commands import account_option, acting, creating, listing
from ..options.shared import time
from ..output.records import echo_with_secret
from ..service.records import Kind, validity

API_KEYS = Kind(
    "keys",
    "/api-keys",
    ApiKeyView,
    {
        "id": "id",
        "account": "accountId",
        "name": "name",
        "prefix": "prefix",
        "scopes": "scopes",
        "auto-match": "templateAutoMatch",
        "last used": "lastUsedAt",
        "state": validity,
    },
)


keys = group(
    "keys",
    creating(
        API_KEYS,
        """
        Make an API key and print it, this once.

        The key alone goes to the standard output, what is said about it to the standard error.
        """,
        account_option("that the key is for"),
        click.option("--name", required=True, help="What people call the key."),
        click.option(
            "--scope",
            "scopes",
            type=click.Choice([*map(str, Scope)]),
            multiple=True,
            help="What the key may be used for; can be given again (default: everything).",
        ),
        click.option(
            "--template-auto-match",
            is_flag=True,
            help="Fill in the DLT ids of SMS whose text is a registered template's.",
        ),
        click.option(
            "--expires-at", callback=time, metavar="TIME", help="When the key ends, in ISO 8601."
        ),
        show=partial(echo_with_secret, "key"),
        examples=(
            "watchword keys create --account demo --name web",
            "watchword keys create --account demo --name web --scope pins --expires-at 2031-01-31",
            "watchword keys create --account demo --name shop --template-auto-match",
            "WATCHWORD_URL=http://127.0.0.1:8080 watchword keys create --account demo --name web",
            "KEY=$(watchword keys create --account demo --name web)",
        ),
    ),
    listing(API_KEYS, "List API keys, the newest first; never the keys themselves."),
    acting(
        API_KEYS,
        "revoke",
        "Take an API key back; it opens nothing from then on.",
        method="DELETE",
        sample="key_2x7wq...",
    ),
)
