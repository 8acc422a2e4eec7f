"""`watchword keys`: API keys, made, listed and taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import click

from ...application.read_models.rows import ApiKeyRow
from ...domain.api_key import Scope
from ..http.codec import unstructure, wire_time
from .accounts import with_account_names
from .connecting import managing
from .options import time
from .place import Place
from .printing import echo_json
from .tables import echo_table


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
    place: Place,
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
    wanted = [Scope(each) for each in scopes] or None
    created = place.ask(
        lambda management: management.create_key(
            account, name, wanted, expires_at, template_auto_match
        )
    )
    if as_json:
        echo_json({**unstructure(created.record), "key": created.key})
        return
    _echo([created.record], {}, err=True)
    click.echo("\nThe key, which is not shown again:", err=True)
    click.echo(created.key)


@keys.command(
    "list",
    epilog="""\b
Examples:
  watchword keys list
  watchword keys list --account demo
  watchword keys list --json --url http://127.0.0.1:8080
""",
)
@click.option("--account", help="Only the keys of this account, by id or name.")
@managing
def list_keys(place: Place, account: str | None, as_json: bool) -> None:
    """List API keys, the newest first; never the keys themselves."""
    found, names = with_account_names(place, lambda management: management.keys(account))
    if as_json:
        echo_json(found)
    else:
        _echo(found, names)


@keys.command(
    epilog="""\b
Examples:
  watchword keys revoke key_2x7wq...
  watchword keys revoke key_2x7wq... --url http://127.0.0.1:8080
"""
)
@click.argument("key_id", metavar="ID")
@managing
def revoke(place: Place, key_id: str, as_json: bool) -> None:
    """Take an API key back; it opens nothing from then on."""
    revoked = place.ask(lambda management: management.revoke_key(key_id))
    if as_json:
        echo_json(revoked)
    else:
        _echo([revoked], {})


def _echo(rows: Sequence[ApiKeyRow], names: Mapping[str, str], *, err: bool = False) -> None:
    """Print keys, with their accounts' names where they are known."""
    now = datetime.now(UTC)
    echo_table(
        ("id", "account", "name", "prefix", "scopes", "auto-match", "last used", "state"),
        [
            (
                row.id,
                names.get(row.account_id, row.account_id),
                row.name,
                row.prefix,
                row.scopes,
                row.template_auto_match,
                row.last_used_at and wire_time(row.last_used_at),
                _state(row, now),
            )
            for row in rows
        ],
        err=err,
    )


def _state(row: ApiKeyRow, now: datetime) -> str:
    if row.revoked_at is not None:
        return f"revoked {wire_time(row.revoked_at)}"
    if row.expires_at is None:
        return "valid"
    return f"{'expired' if row.expires_at <= now else 'valid until'} {wire_time(row.expires_at)}"
