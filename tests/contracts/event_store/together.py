"""The promises of an event store's process about appends that arrive together."""

from __future__ import annotations

import asyncio

from tests.contracts.event_store.budgets import FULL_UNTIL, back, budget, reached, send
from tests.contracts.event_store.histories import NOON, step
from tests.contracts.event_store.passes import DAY, last_of
from tests.contracts.event_store.repairs import RepairedTogetherContract
from tests.contracts.event_store.sample_people import ANNA, BERT
from watchword.application.ports.event_store import BudgetsMoved, EventStore, PassMoved
from watchword.domain.conditions import StartAnew, VerifiedAfter, Verifies


class TogetherContract(RepairedTogetherContract):
    """Appends of one process are settled in the order in which they arrive; two nodes share no order."""

    async def test_people_verify_and_are_erased_in_order(self, store: EventStore) -> None:
        """Arriving together, a person is added, verifies, passes, is erased, and passes no more."""
        passing = VerifiedAfter(ANNA.person_id, NOON - DAY)
        told = await asyncio.gather(
            *(
                store.append(each)
                for each in (
                    step(new_people=(ANNA, BERT)),
                    step(conditions=(passing,)),
                    step(conditions=(Verifies(ANNA.person_id, NOON),)),
                    step(conditions=(Verifies(BERT.person_id, NOON),)),
                    step(conditions=(passing, Verifies(ANNA.person_id, NOON + DAY))),
                    step(erasing=(ANNA.person_id,)),
                    step(conditions=(passing,)),
                )
            ),
            return_exceptions=True,
        )

        assert [1, 6] == [number for number, each in enumerate(told) if isinstance(each, PassMoved)]
        assert {} == await store.people_named([ANNA.person_id])
        assert NOON == await last_of(store, BERT.person_id)

    async def test_one_append_after_the_other_of_a_batch_is_counted(
        self, store: EventStore
    ) -> None:
        """Arriving together, appends that count, give back and start anew see each other."""
        told = await asyncio.gather(
            *(
                store.append(send(*each))
                for each in (
                    (budget(), budget()),
                    (budget(1),),
                    (back(),),
                    (budget(2),),
                    (budget(3),),
                    (StartAnew("prefix"),),
                    (budget(4),),
                    (budget(64), budget(65, "ip")),
                    (budget(65),),
                )
            ),
            return_exceptions=True,
        )

        refused = [isinstance(each, BudgetsMoved) for each in told]
        assert [False, True, False, False, True, False, False, False, True] == refused
        assert {"prefix": FULL_UNTIL} == await reached(store, budget(66))
