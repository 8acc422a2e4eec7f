"""`watchword fallback-configurations`: which channels a send falls back to."""

from __future__ import annotations

import click

from ....application.accounts.views import FallbackConfigurationView
from ..building.groups import group
from ..building.record_commands import account_option, creating, listing
from ..service.records import Kind

FALLBACK_CONFIGURATIONS = Kind(
    "fallback-configurations",
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


fallback_configurations = group(
    "fallback-configurations",
    creating(
        FALLBACK_CONFIGURATIONS,
        "Make a fallback configuration.",
        account_option(),
        click.option("--fallback-id", required=True, help="The word that sends name it by."),
        click.option(
            "--step",
            "steps",
            multiple=True,
            required=True,
            help="A channel to fall back to; give it once or twice, in their order.",
        ),
        # The documented route spells its members so.
        body=dict,
        examples=(
            "watchword fallback-configurations create --account demo --fallback-id otp --step sms",
            "watchword fallback-configurations create --account demo --fallback-id two"
            " --step sms --step rcs",
        ),
    ),
    listing(FALLBACK_CONFIGURATIONS, "List fallback configurations, the newest first."),
)
