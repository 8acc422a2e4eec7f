"""A partial change of a channel account's settings (C-66)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

import attrs
from attrs import field, frozen

from ...domain.accounts.channel_account import (
    ChannelAccount,
    ChannelAccountRevised,
    ChannelLimits,
    PrefixPrice,
)
from ...domain.errors import FieldProblem

# What a channel account cannot do without.
_NEEDED = ("name", "config")
# What stays as it was created, because templates, messages and receipts rely on it.
_FIXED = ("provider", "channel_type")


@frozen(kw_only=True)
class ChannelAccountPatch:
    """
    A partial change: only the fields in `given` change, and None removes what they hold.

    `config` and `limits` are merged by member; the others are replaced. `provider` and `channel_type`
    may be given as they are, so that a record that was read can be sent back.
    """

    given: Collection[str]
    name: str | None = None
    sender: str | None = None
    config: Mapping[str, Any] | None = field(default=None, repr=False)
    limits: Mapping[str, Any] | None = None
    failover: tuple[str, ...] | None = None
    failover_on_unknown: bool | None = None
    prices: tuple[PrefixPrice, ...] | None = None
    provider: str | None = None
    channel_type: str | None = None

    def problems(self, account: ChannelAccount) -> Sequence[FieldProblem]:
        """Return the problems of what must not be removed or changed."""
        removed = [
            FieldProblem(each, "must not be removed")
            for each in _NEEDED
            if each in self.given and getattr(self, each) is None
        ]
        changed = [
            FieldProblem(each, f"is {getattr(account, each)}, and cannot be changed")
            for each in _FIXED
            if each in self.given and getattr(self, each) != str(getattr(account, each))
        ]
        return [*removed, *changed]

    def applied(
        self,
        account: ChannelAccount,
        at: datetime,
        *,
        config: Mapping[str, Any],
        sealed: bool,
        resealed: bool,
    ) -> ChannelAccountRevised:
        """Return all settings after the change; the caller has merged `config`."""
        limits = account.limits
        if "limits" in self.given:
            limits = ChannelLimits() if self.limits is None else attrs.evolve(limits, **self.limits)
        return ChannelAccountRevised(
            at=at,
            name=self._after(account, "name"),
            sender=self._after(account, "sender"),
            config=config,
            sealed=sealed,
            resealed=resealed,
            limits=limits,
            failover=self._after(account, "failover") or (),
            failover_on_unknown=self._after(account, "failover_on_unknown"),
            prices=self._after(account, "prices") or (),
        )

    def _after(self, account: ChannelAccount, name: str) -> Any:
        return getattr(self if name in self.given else account, name)
