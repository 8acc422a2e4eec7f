"""The guard of accounts for embedders."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from attrs import evolve

from ...application.guard.listing_refused_sends import RefusedSends
from ...application.guard.naming_subjects import SubjectNamed
from ...application.guard.releasing_subjects import Released
from ...application.guard.replay_figures import ReplayReport
from ...application.paging import DEFAULT_PAGE_SIZE, Listed, Paging
from ...domain.guard import GuardPolicy
from ..wire.guard_policies import read_guard_policy
from ..wire.guard_replays import ReplayTimes, read_times
from ..wire.searches import refused_search
from ..wire.structuring import structure
from .leasing import Facade
from .references import Reference, account_filter, acting_for, documented


class GuardOfAccounts(Facade):
    """The policies by which accounts refuse sends, or only put them on the record (C-76)."""

    async def get(self, account: Reference) -> GuardPolicy:
        """Return the policy of an account; raise `AccountNotFoundError`."""
        owner = await acting_for(self._parts, account)
        return await self._parts.managing_guard.get(owner.account_id)

    async def set(self, account: Reference, policy: GuardPolicy | Mapping[str, Any]) -> GuardPolicy:
        """
        Replace the policy of an account, by a policy or by its documented members.

        What is left out has its default. Raises `AccountNotFoundError` and `ValidationFailedError`.
        """
        owner = await acting_for(self._parts, account)
        return await self._parts.managing_guard.put(owner, _read(policy))

    async def refused(
        self,
        page: int = 1,
        page_size: int = DEFAULT_PAGE_SIZE,
        *,
        account: Reference | None = None,
        rule: str | None = None,
        verdict: str | None = None,
    ) -> Listed[RefusedSends]:
        """
        List what is refused now, the newest first (C-78).

        With the verdict `flagged`, list what rules that are only on the record would have refused. Raises
        `AccountNotFoundError` and `ValidationFailedError`.
        """
        account_id = await account_filter(self._parts, account)
        search = refused_search(documented(rule=rule, verdict=verdict))
        return await self._parts.refused_sends.list(
            evolve(search, account_id=account_id), Paging.clamped(page, page_size)
        )

    async def release(
        self,
        account: Reference,
        rule: str,
        *,
        subject: str | None = None,
        destination: str | None = None,
    ) -> Released:
        """
        Begin the count of a subject anew; name it as it is listed, or by a destination.

        Raises `AccountNotFoundError`, and `ValidationFailedError` for a subject that the rule cannot have.
        """
        named = documented(rule=rule, subject=subject, destination=destination)
        owner = await acting_for(self._parts, account)
        return await self._parts.releasing_subjects.release(owner, structure(named, SubjectNamed))

    async def replay(
        self,
        account: Reference,
        policy: GuardPolicy | Mapping[str, Any],
        since: datetime,
        until: datetime | None = None,
    ) -> ReplayReport:
        """
        Replay a policy over the sends of codes from `since` until before `until`, which is now by default.

        Nothing is written. Raises `AccountNotFoundError` and `ValidationFailedError`.
        """
        owner = await acting_for(self._parts, account)
        wanted = _read(policy)
        times = read_times(documented(since=since, until=until), ReplayTimes)
        last = times.until or self._parts.clock.now()
        return await self._parts.replaying_policies.report(
            owner.account_id, wanted, times.since, last
        )


def _read(policy: Any) -> GuardPolicy:
    """Return a policy itself, or the one that its documented members describe."""
    if isinstance(policy, GuardPolicy):
        return policy
    # Readers of bodies expect a plain object.
    return read_guard_policy(dict(policy) if isinstance(policy, Mapping) else policy)
