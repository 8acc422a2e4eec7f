"""The guard of accounts for embedders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...domain.guard import GuardPolicy
from ..wire.guard_policies import read_guard_policy
from .leasing import Facade
from .references import Reference, acting_for


class GuardOfAccounts(Facade):
    """What accounts refuse to send, or only put on the record (C-76)."""

    async def get(self, account: Reference) -> GuardPolicy:
        """Return the policy of an account; raise `AccountNotFoundError`."""
        owner = await acting_for(self._parts, account)
        return await self._parts.managing_guard.get(owner.account_id)

    async def set(self, account: Reference, policy: GuardPolicy | Mapping[str, Any]) -> GuardPolicy:
        """
        Replace the policy of an account, by a policy or by its documented members.

        What is left out has its default. Raises `AccountNotFoundError` and `ValidationFailedError`.
        """
        wanted = policy if isinstance(policy, GuardPolicy) else read_guard_policy(_plain(policy))
        owner = await acting_for(self._parts, account)
        return await self._parts.managing_guard.put(owner, wanted)


def _plain(policy: Any) -> Any:
    """Return a mapping as the object that a reader of bodies expects."""
    return dict(policy) if isinstance(policy, Mapping) else policy
