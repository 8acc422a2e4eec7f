"""`watchword fallback-configurations`: which channels a send falls back to."""

from __future__ import annotations

from collections.abc import Sequence

import click

from ....application.accounts.views import FallbackConfigurationView
from ..building.record_commands import listing
from ..options.target_options import managing
from ..output.records import echo_record
from ..service.records import Kind
from ..service.target import Target

FALLBACK_CONFIGURATIONS = Kind(
    "/fallback-configurations",
    FallbackConfigurationView,
    {
        "id": "id",
        "account": "accountId",
        "fallback id": "fallback_id",
        "steps": "steps",
        "created": "createdAt",
    },
)


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
    target: Target, account: str, fallback_id: str, steps: Sequence[str], as_json: bool
) -> None:
    """Make a fallback configuration."""
    body = {"account": account, "fallback_id": fallback_id, "steps": list(steps)}
    created = target.ask(
        lambda management: management.act("POST", FALLBACK_CONFIGURATIONS, body=body)
    )
    echo_record(FALLBACK_CONFIGURATIONS, created, as_json)


fallback_configurations.add_command(
    listing(
        "fallback-configurations",
        FALLBACK_CONFIGURATIONS,
        "List fallback configurations, the newest first.",
    )
)
