"""Builds the use cases of the statistics (C-80)."""

from __future__ import annotations

from attrs import frozen

from ...application.forgetting import Forgetting
from ...application.journal import Journal
from ...application.log_follower import LogFollower
from ...application.log_wakeup import LogWakeup
from ...application.ports.clock import Clock
from ...application.ports.event_store import Outline
from ...application.statistics.asking import AskingStatistics
from ...application.statistics.eras import FOLLOWER, RebuildingStatistics
from ...application.statistics.following import (
    BATCH,
    PACE,
    PAUSE,
    FollowingStatistics,
    forgetting,
)


@frozen(kw_only=True)
class Statistics:
    """The use cases of the statistics, and the work that the worker does for them."""

    asking: AskingStatistics
    rebuilding: RebuildingStatistics
    follower: LogFollower[Outline]
    forgetting: Forgetting

    @classmethod
    def wire(cls, journal: Journal, clock: Clock, wakeup: LogWakeup) -> Statistics:
        """Build them; `wakeup` observes the appends of the journal."""
        following = FollowingStatistics(journal, clock)
        return cls(
            asking=AskingStatistics(journal, clock),
            rebuilding=RebuildingStatistics(journal, clock),
            follower=LogFollower(
                FOLLOWER,
                journal,
                clock,
                wakeup,
                following.read,
                following.react,
                batch=BATCH,
                pause=PAUSE,
                pace=PACE,
                alone=True,
            ),
            forgetting=forgetting(journal, clock),
        )
