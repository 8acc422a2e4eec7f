"""Check which channel accounts may follow another (C-66, D-216)."""

from __future__ import annotations

from collections.abc import Sequence

from ...domain.accounts.channel_account import channel_account_decider
from ...domain.accounts.channel_account.decide import MOST_FAILOVERS
from ...domain.channel import ChannelName
from ...domain.conditions import Unchanged
from ...domain.errors import FieldProblem
from ..journal import Journal


class ChannelFailovers:
    """Checks the channel accounts that an operator names as failover."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    async def checked(
        self,
        account_id: str,
        channel: ChannelName,
        failover: Sequence[str],
        problems: list[FieldProblem],
    ) -> tuple[Unchanged, ...]:
        """
        Return the conditions under which each of these may follow; add a problem for each that may not.

        An unknown id and one of another customer's have the same problem, which tells nothing of the
        other. Those beyond the most are not looked up: the decision refuses them all.
        """
        unchanged: list[Unchanged] = []
        for number, each in enumerate(failover[:MOST_FAILOVERS]):
            found = await self._journal.find(channel_account_decider, each)
            if (
                found is None
                or found.state.account_id != account_id
                or found.state.channel_type != channel
            ):
                why = f"must be the id of a channel account of this account for {channel}"
            elif found.state.failover:
                why = "has failover accounts itself, and none may lead to another"
            else:
                unchanged.append(Unchanged(each, found.version))
                continue
            problems.append(FieldProblem(f"failover[{number}]", why))
        return tuple(unchanged)
