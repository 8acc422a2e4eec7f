"""Release a subject of a rule: its count begins anew (C-78, C-102)."""

from __future__ import annotations

from attrs import frozen

from ...domain.guard import SubjectReleased, guard_decider, release
from ..caller import Caller
from ..journal import Journal, change, retry_on_conflict
from ..ports.clock import Clock
from ..records.guard import guard_stream
from .guards import Guards
from .naming_subjects import NamingSubjects, SubjectNamed


@frozen(kw_only=True)
class Released:
    """Whether the count of a subject began anew; not if the rule counts nothing of it."""

    released: bool


class ReleasingSubjects:
    """Lets subjects go. The log has who did it, and nothing else changes: later sends count again."""

    def __init__(
        self, journal: Journal, guards: Guards, naming: NamingSubjects, clock: Clock
    ) -> None:
        self._journal = journal
        self._guards = guards
        self._naming = naming
        self._clock = clock

    async def release(self, by: Caller, named: SubjectNamed) -> Released:
        """
        Begin the count of a subject in the caller's account anew, under the policy as it stands.

        Raises `ValidationFailedError` for a subject that the rule cannot have.
        """
        return Released(released=await retry_on_conflict(lambda: self._release(by, named)))

    async def _release(self, by: Caller, named: SubjectNamed) -> bool:
        # Found anew after a lost race: the person may have been erased.
        subject = await self._naming.find(by.account_id, named)
        if subject is None:
            return False
        now, guard = self._clock.now(), await self._guards.load(by.account_id)
        decision = release(
            guard.state,
            SubjectReleased(
                at=now,
                account_id=by.account_id,
                rule=named.rule,
                key=subject.key,
                subject=subject.shown,
                person_id=subject.person_id,
            ),
        )
        if decision.events:
            stream = guard_stream(by.account_id)
            await self._journal.write(by, now, change(guard_decider, stream, guard, decision))
            self._journal.absent.forget(stream)
        return bool(decision.events)
