"""`watchword keys`: API keys, made, listed and taken back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import click

from ....application.accounts.views import ApiKeyView
from ....domain.api_key import Scope
from ...wire.codec import wire_time
from ..building.record_commands import listing
from ..options.shared import time
from ..options.target_options import managing
from ..output.records import echo_record, echo_with_secret
from ..service.records import Kind, Record
from ..service.target import Target


def _state(record: Record) -> str:
    revoked, expires = record.get("revokedAt"), record.get("expiresAt")
    if revoked is not None:
        return f"revoked {revoked}"
    if expires is None:
        return "valid"
    over = datetime.fromisoformat(expires) <= datetime.now(UTC)
    return f"{'expired' if over else 'valid until'} {expires}"


API_KEYS = Kind(
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
        "state": _state,
    },
)


@click.group()
def keys() -> None:
    """Make, list and revoke API keys."""


@keys.command(
    epilog="""\b
Examples:
  watchword keys create --account demo --name web
  watchword keys create --account demo --name web --scope pins --expires-at 2031-01-31
  watchword keys create --account demo --name shop --template-auto-match
  WATCHWORD_URL=http://127.0.0.1:8080 watchword keys create --account demo --name web
  KEY=$(watchword keys create --account demo --name web)
"""
)
@click.option("--account", required=True, help="Id or name of the account that the key is for.")
@click.option("--name", required=True, help="What people call the key.")
@click.option(
    "--scope",
    "scopes",
    type=click.Choice([str(each) for each in Scope]),
    multiple=True,
    help="What the key may be used for; can be given again (default: everything).",
)
@click.option(
    "--template-auto-match",
    is_flag=True,
    help="Fill in the DLT ids of SMS whose text is a registered template's.",
)
@click.option("--expires-at", callback=time, metavar="TIME", help="When the key ends, in ISO 8601.")
@managing
def create(
    target: Target,
    account: str,
    name: str,
    scopes: Sequence[str],
    template_auto_match: bool,
    expires_at: datetime | None,
    as_json: bool,
) -> None:
    """
    Make an API key and print it, this once.

    The key alone goes to the standard output, what is said about it to the standard error.
    """
    body = {
        "account": account,
        "name": name,
        "scopes": list(scopes) or None,
        "templateAutoMatch": template_auto_match,
        "expiresAt": None if expires_at is None else wire_time(expires_at),
    }
    created = target.ask(lambda management: management.act("POST", API_KEYS, body=body))
    echo_with_secret(API_KEYS, created, "key", as_json)


keys.add_command(
    listing("keys", API_KEYS, "List API keys, the newest first; never the keys themselves.")
)


@keys.command(
    epilog="""\b
Examples:
  watchword keys revoke key_2x7wq...
  watchword keys revoke key_2x7wq... --url http://127.0.0.1:8080
"""
)
@click.argument("key_id", metavar="ID")
@managing
def revoke(target: Target, key_id: str, as_json: bool) -> None:
    """Take an API key back; it opens nothing from then on."""
    revoked = target.ask(lambda management: management.act("DELETE", API_KEYS, key_id))
    echo_record(API_KEYS, revoked, as_json)
