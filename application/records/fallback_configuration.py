"""The record of a fallback configuration."""

from __future__ import annotations

from datetime import datetime

from ...domain.accounts.fallback_configuration import (
    FallbackConfiguration,
    fallback_configuration_decider,
    fallback_name,
)
from ...domain.value import value
from .read_model import FoundBy, ReadModel, Row
from .record import Record


@value(kw_only=True)
class FallbackConfigurationRow(Row):
    """A fallback configuration in the list of fallback configurations."""

    id: str
    account_id: str
    fallback_id: str
    steps: tuple[str, ...]
    created_at: datetime


def fallback_configuration_row(
    stream: str, configuration: FallbackConfiguration
) -> FallbackConfigurationRow:
    """Return the row of a fallback configuration."""
    return FallbackConfigurationRow(
        id=stream,
        account_id=configuration.account_id,
        fallback_id=configuration.fallback_id,
        steps=configuration.steps,
        created_at=configuration.created_at,
    )


def _holds(configuration: FallbackConfiguration) -> frozenset[str]:
    return frozenset({fallback_name(configuration.account_id, configuration.fallback_id)})


FALLBACK_CONFIGURATION = Record(
    decider=fallback_configuration_decider,
    prefix="fbc",
    state=FallbackConfiguration,
    read_model=ReadModel(
        row=FallbackConfigurationRow,
        name="fallback_configurations",
        found_by=(FoundBy("fallback_configurations_by_account", ("account_id", "created_at")),),
    ),
    project=fallback_configuration_row,
    holds=_holds,
)
