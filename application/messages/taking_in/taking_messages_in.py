"""Take a send in before its dispatch: its messages, fallback runs, seals and due rows."""

from __future__ import annotations

from datetime import datetime, timedelta

from attrs import frozen

from ...caller import Caller
from ...concurrency.bulk_lane import BulkWork
from ...ports.clock import Clock
from ...ports.event_store import Change, Due
from ...ports.randomness import Randomness
from ...ports.sealer import SealKey
from ..planning.planning_sends import Plan
from ..planning.send_requests import SendRequest
from .contents_of_calls import ContentsOfCall
from .making_short_links import MakingShortLinks
from .messages_of_calls import MessagesOfCall, TakenMessage
from .sealed_contents import SealedContents

# A place and the provider take at most two provider time-outs (40 s). A message without
# an outcome by then is orphaned (C-65: recovered within 60 s).
ORPHANED_AFTER = timedelta(seconds=45)


@frozen(kw_only=True)
class TakenIn:
    """All parts of the append that takes a call in, and the messages to send."""

    messages: tuple[TakenMessage, ...]
    changes: tuple[Change, ...]
    due: tuple[Due, ...]
    keys: tuple[SealKey, ...]


class TakingMessagesIn:
    """Creates the ids and the first events of messages and runs."""

    def __init__(
        self,
        sealed: SealedContents,
        links: MakingShortLinks,
        randomness: Randomness,
        clock: Clock,
    ) -> None:
        self._sealed = sealed
        self._links = links
        self._randomness = randomness
        self._clock = clock

    async def take(
        self, by: Caller, request: SendRequest, plan: Plan, now: datetime, work: BulkWork
    ) -> TakenIn:
        """Take a whole call in, in the given order."""
        only_person = _only_person(plan)
        links = self._links.of_call(
            by.account_id,
            request.links,
            now,
            hidden=plan.carries_code,
            only_person=only_person,
        )
        contents = ContentsOfCall(
            self._sealed,
            links,
            self._randomness,
            by.account_id,
            now,
            sent=(each.request.content for each in plan.messages if each.refused is None),
            runs=len(plan.messages),
            only_person=only_person,
        )
        orphaned_at = self._clock.real() + ORPHANED_AFTER
        call = MessagesOfCall(
            by, request, plan, contents, now, orphaned_at, self._sealed, self._randomness
        )
        for planned in plan.messages:
            call.take(planned)
            await work.pause()
        return TakenIn(
            messages=tuple(call.taken),
            changes=(*contents.changes, *call.changes, *links.changes),
            due=tuple(call.due),
            keys=tuple(call.keys),
        )


def _only_person(plan: Plan) -> str | None:
    """Return the person to whom all messages of a call go: what they share goes with the person (D-366)."""
    people = {each.person_id for each in plan.messages}
    return people.pop() if len(people) == 1 else None
