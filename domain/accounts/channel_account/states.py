"""The state of a channel account, and how its events change it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any, assert_never

import attrs
from attrs import field, frozen

from ...channel import ChannelName
from ...decider import Decider, begun
from ...errors import UnknownIdError
from .events import (
    ChannelAccountCreated,
    ChannelAccountDisabled,
    ChannelAccountEnabled,
    ChannelAccountLaterEvent,
    ChannelAccountRevised,
    ChannelAccountTested,
    ChannelSecretsDropped,
)
from .limits import ChannelLimits, PrefixPrice


class ChannelAccountNotFoundError(UnknownIdError):
    """No channel account has this id."""

    code = "channel_account_not_found"
    kind = "channel account"


@frozen(kw_only=True)
class ChannelAccount:
    """
    The state of a channel account.

    `sealings` counts how often its secrets were sealed. The seal has the same number, so the config of
    an old state is never joined with newer secrets (D-235).
    """

    account_id: str
    channel_type: ChannelName
    provider: str
    name: str
    sender: str | None
    config: Mapping[str, Any] = field(repr=False)
    sealed: bool
    sealings: int
    limits: ChannelLimits
    failover: tuple[str, ...]
    failover_on_unknown: bool | None
    prices: tuple[PrefixPrice, ...]
    created_at: datetime
    updated_at: datetime
    enabled: bool = True
    secrets_dropped_at: datetime | None = None

    @property
    def lacks_secrets(self) -> bool:
        """Whether its secrets were dropped, and not given anew since."""
        return self.secrets_dropped_at is not None


def begin(event: ChannelAccountCreated) -> ChannelAccount:
    """Return the state after the first event."""
    state = partial(ChannelAccount, updated_at=event.at, sealings=int(event.sealed))
    return begun(state, event)


def evolve(account: ChannelAccount, event: ChannelAccountLaterEvent) -> ChannelAccount:
    """Apply a later event."""
    match event:
        case ChannelAccountRevised():
            return _revised(account, event)
        case ChannelAccountDisabled():
            return attrs.evolve(account, updated_at=event.at, enabled=False)
        case ChannelAccountEnabled():
            return attrs.evolve(account, updated_at=event.at, enabled=True)
        case ChannelAccountTested():
            return attrs.evolve(account, updated_at=event.at)
        case ChannelSecretsDropped():
            return attrs.evolve(account, updated_at=event.at, secrets_dropped_at=event.at)
        case _:
            assert_never(event)


def _revised(account: ChannelAccount, event: ChannelAccountRevised) -> ChannelAccount:
    facts = attrs.asdict(event, recurse=False)
    at, resealed = facts.pop("at"), facts.pop("resealed")
    # Secrets that are given anew, or removed, are no longer missing.
    has_them = resealed or not event.sealed
    return attrs.evolve(
        account,
        updated_at=at,
        sealings=account.sealings + resealed,
        secrets_dropped_at=None if has_them else account.secrets_dropped_at,
        **facts,
    )


channel_account_decider: Decider[ChannelAccount] = Decider(
    "channel_account",
    begin,
    (ChannelAccountCreated,),
    evolve,
    (
        ChannelAccountRevised,
        ChannelAccountDisabled,
        ChannelAccountEnabled,
        ChannelAccountTested,
        ChannelSecretsDropped,
    ),
)
