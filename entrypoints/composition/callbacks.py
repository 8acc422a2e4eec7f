"""Builds the use cases of callbacks, and the due work that makes and delivers them."""

from __future__ import annotations

from attrs import frozen

from ...application.callbacks.call_queues import MOST_CALLS, MOST_CALLS_TO_ONE
from ...application.callbacks.delivering import Delivering
from ...application.callbacks.endpoint_secrets import EndpointSecrets
from ...application.callbacks.making_deliveries import FOLLOWER, MakingDeliveries
from ...application.callbacks.managing_callbacks import ManagingCallbacks
from ...application.callbacks.telling_heads import TellingHeads
from ...application.concurrency.bounded_tasks import BoundedTasks
from ...application.due_work import DueWork
from ...application.journal import Journal
from ...application.log_follower import LogFollower
from ...application.log_wakeup import LogWakeup
from ...application.people.people import People
from ..legacy.progress_bodies import progress_body
from ..wire.callback_bodies import callback_body
from .ports import Ports


@frozen(kw_only=True)
class CallbackUseCases:
    """The use cases for endpoints; `tasks` are the calls under way."""

    managing: ManagingCallbacks
    tasks: BoundedTasks
    due_work: tuple[DueWork, ...]

    @classmethod
    def wire(
        cls, ports: Ports, journal: Journal, people: People, wakeup: LogWakeup
    ) -> CallbackUseCases:
        """Build them on the given ports."""
        clock, randomness = ports.clock, ports.randomness
        secrets = EndpointSecrets(journal, ports.sealer, ports.signer)
        tasks = BoundedTasks(MOST_CALLS, MOST_CALLS_TO_ONE)
        deliveries = MakingDeliveries(
            journal, people, callback_body, progress_body, randomness, clock
        )
        follower = LogFollower(
            FOLLOWER,
            journal,
            clock,
            wakeup,
            journal.read_log,
            deliveries.react,
            since=deliveries.since,
        )
        delivering = Delivering(
            journal, ports.web, secrets, ports.signer, tasks, ports.observers, randomness, clock
        )
        return cls(
            managing=ManagingCallbacks(journal, ports.web, secrets, wakeup, randomness, clock),
            tasks=tasks,
            # Heads first, so that one round of due work delivers what it makes.
            due_work=(
                TellingHeads(journal, callback_body, randomness, clock),
                follower,
                delivering,
            ),
        )
