"""`watchword fallback-configurations`: which channels a send falls back to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

from ...application.read_models.rows import FallbackConfigurationRow
from ..http.codec import wire_time
from .accounts import with_account_names
from .connecting import managing
from .place import Place
from .printing import echo_json
from .tables import echo_table


@click.group("fallback-configurations")
def fallback_configurations() -> None:
    """Make and list fallback configurations."""


@fallback_configurations.command(
    epilog="""\b
Examples:
  watchword fallback-configurations create --account demo --fallback-id otp --step sms
  watchword fallback-configurations create --account demo --fallback-id two --step sms --step rcs
"""
)
@click.option("--account", required=True, help="Id or name of the account that it is for.")
@click.option("--fallback-id", required=True, help="The word that sends name it by.")
@click.option(
    "--step",
    "steps",
    multiple=True,
    required=True,
    help="A channel to fall back to; give it once or twice, in their order.",
)
@managing
def create(
    place: Place, account: str, fallback_id: str, steps: Sequence[str], as_json: bool
) -> None:
    """Make a fallback configuration."""
    body = {"account": account, "fallback_id": fallback_id, "steps": list(steps)}
    created = place.ask(lambda management: management.create_fallback_configuration(body))
    if as_json:
        echo_json(created)
    else:
        _echo([created], {})


@fallback_configurations.command(
    "list",
    epilog="""\b
Examples:
  watchword fallback-configurations list
  watchword fallback-configurations list --account demo --json
""",
)
@click.option("--account", help="Only those of this account, by id or name.")
@managing
def list_fallback_configurations(place: Place, account: str | None, as_json: bool) -> None:
    """List fallback configurations, the newest first."""
    found, names = with_account_names(
        place, lambda management: management.fallback_configurations(account)
    )
    if as_json:
        echo_json(found)
    else:
        _echo(found, names)


def _echo(rows: Sequence[FallbackConfigurationRow], names: Mapping[str, str]) -> None:
    """Print configurations, with their accounts' names where they are known."""
    echo_table(
        ("id", "account", "fallback id", "steps", "created"),
        [
            (
                row.id,
                names.get(row.account_id, row.account_id),
                row.fallback_id,
                row.steps,
                wire_time(row.created_at),
            )
            for row in rows
        ],
    )
