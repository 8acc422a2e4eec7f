"""Show and replace the guard policy of an account (C-76)."""

from __future__ import annotations

from ...domain.guard import GuardPolicy, GuardPolicyRevised, revise
from ..caller import Caller
from .guards import Guards


class ManagingGuard:
    """Reads the guard policies of accounts, and replaces them whole."""

    def __init__(self, guards: Guards) -> None:
        self._guards = guards

    async def get(self, account_id: str) -> GuardPolicy:
        """Return the policy of an account, which is the default one until it is replaced."""
        return (await self._guards.load(account_id)).state.policy

    async def put(self, by: Caller, policy: GuardPolicy) -> GuardPolicy:
        """
        Replace the policy of the caller's account; sends that are recorded from then on obey it.

        Raises `ValidationFailedError` for a policy that cannot hold.
        """
        account_id = by.account_id
        after = await self._guards.change(
            by,
            account_id,
            lambda guard, now: revise(
                guard, GuardPolicyRevised(at=now, account_id=account_id, policy=policy)
            ),
        )
        return after.policy
