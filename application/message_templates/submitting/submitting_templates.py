"""
Submit templates when their attempts are due (C-99, D-284).

An append of its own begins each attempt, and puts its due row off for longer than the call takes. If the
process dies meanwhile, the next attempt finds the template at the provider, and adopts it.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

from attrs import evolve, frozen

from ....domain.approval import MAX_REASON, Review
from ....domain.conditions import Unchanged
from ....domain.decider import Decision
from ....domain.whatsapp_template import (
    TemplateDefinition,
    WhatsappSubmissionBegun,
    WhatsappSubmissionEnded,
    WhatsappSubmissionPutOff,
    WhatsappTemplate,
    WhatsappTemplateSubmitted,
    begin_submission,
    end_submission,
    put_off_submission,
    record_submitted,
    whatsapp_template_decider,
)
from ...callbacks.schedule import GIVES_UP_AFTER, next_attempt
from ...caller import THE_WORKER, WORKER, Caller
from ...concurrency.bounded_tasks import WHEN_CROWDED, BoundedTasks
from ...due_work import handle_due, put_off
from ...journal import Journal, change, retry_on_conflict
from ...ports.channels import Fault, Rejected, Submitted, Unknown
from ...ports.clock import Clock
from ...ports.event_store import Due, DueKind, Loaded
from ...ports.randomness import Randomness
from .template_calls import SUBMIT_SECONDS, TemplateCalls

# The templates that are submitted, and the accounts whose decisions are looked up, at once.
MOST_TEMPLATE_CALLS, MOST_TEMPLATE_CALLS_OF_ONE = 64, 8
# An attempt without an outcome is lost after the time of its call and its appends.
_LOST_AFTER = timedelta(seconds=SUBMIT_SECONDS + 60)
# Templates beyond the places of their account are looked at one after the other, and not all every 5 s:
# thousands of them would keep the store busy, and the templates of others waiting.
_APART, _LONGEST_WAIT = timedelta(milliseconds=200), timedelta(hours=1)
# The crowded accounts that are known; beyond, those whose templates are all due are forgotten.
_MOST_CROWDED = 1_000
_FINAL = (Fault.CONTENT, Fault.RECIPIENT)

Answer = Submitted | Rejected | Unknown


@frozen
class _Attempt:
    """An attempt that was begun, and what it submits through which channel account."""

    by: Caller
    stream: str
    number: int
    channel_account_id: str
    definition: TemplateDefinition


class SubmittingTemplates:
    """Makes the attempts that are due; each call is a background task."""

    kind = DueKind.TEMPLATE_SUBMISSION

    def __init__(
        self,
        journal: Journal,
        calls: TemplateCalls,
        tasks: BoundedTasks,
        randomness: Randomness,
        clock: Clock,
    ) -> None:
        self._journal = journal
        self._calls = calls
        self._tasks = tasks
        self._randomness = randomness
        self._clock = clock
        # The time to which the newest template of an account was put off.
        self._put_off_to: dict[str, datetime] = {}

    async def run_due(self) -> int:
        """Begin the attempts that are due; return how many were due."""
        self._tasks.raise_failure()
        return await handle_due(self._journal, self._clock, self.kind, self._handle)

    async def _handle(self, due: Due) -> None:
        template = await self._journal.load(whatsapp_template_decider, due.stream)
        owner, unmoved = template.state.account_id, Unchanged(due.stream, template.version)
        submission = template.state.submission
        # First: a crowded account must not put off the due row of a submission that has ended.
        if submission is None or submission.due_at is None:
            await self._journal.write(
                THE_WORKER, self._clock.now(), conditions=(unmoved,), done=(due,)
            )
            return
        if not self._tasks.reserve(owner):
            await put_off(self._journal, self._clock, due, self._wait(owner), unmoved)
            return
        begun = None
        try:
            begun = await self._begin(due, template, unmoved)
        finally:
            if begun is None:
                self._tasks.release(owner)
        if begun is not None:
            self._tasks.begin(owner, self._attempt(begun))

    def _wait(self, owner: str) -> timedelta:
        """Return how long a template waits behind the others that were put off."""
        now = self._clock.now()
        if len(self._put_off_to) >= _MOST_CROWDED:
            self._put_off_to = {each: at for each, at in self._put_off_to.items() if at > now}
        behind = self._put_off_to.get(owner, now) + _APART
        later = min(max(behind, now + WHEN_CROWDED), now + _LONGEST_WAIT)
        self._put_off_to[owner] = later
        return later - now

    async def _begin(
        self, due: Due, loaded: Loaded[WhatsappTemplate], unmoved: Unchanged
    ) -> _Attempt | None:
        """Record that a due attempt begins; None if another node has begun it."""
        now, template = self._clock.now(), loaded.state
        submission = template.submission
        assert submission is not None
        assert submission.due_at is not None
        number = submission.attempts + 1
        decision = begin_submission(
            template,
            WhatsappSubmissionBegun(at=now, attempt=number, again_at=now + _LOST_AFTER),
        )
        if not decision.events:
            # Another node began it, and its append moved the due row.
            await self._journal.write(
                THE_WORKER, now, conditions=(unmoved,), due=(evolve(due, at=submission.due_at),)
            )
            return None
        by = Caller(template.account_id, WORKER, self._randomness.new_id("req"))
        await self._write(by, due.stream, loaded, decision, now)
        return _Attempt(
            by,
            due.stream,
            number,
            submission.channel_account_id,
            TemplateDefinition(
                name=template.name, language=template.language, content=template.content
            ),
        )

    async def _attempt(self, attempt: _Attempt) -> None:
        answer = await self._calls.submit(attempt.channel_account_id, attempt.definition)
        await retry_on_conflict(partial(self._record, attempt, answer))

    async def _record(self, attempt: _Attempt, answer: Answer) -> None:
        now = self._clock.now()
        loaded = await self._journal.load(whatsapp_template_decider, attempt.stream)
        if isinstance(answer, Submitted):
            decision = _submitted(loaded.state, attempt.number, answer, now)
        else:
            decision = self._failed(loaded.state, attempt.number, answer, now)
        if decision.events:
            await self._write(attempt.by, attempt.stream, loaded, decision, now)

    def _failed(
        self, template: WhatsappTemplate, number: int, answer: Rejected | Unknown, now: datetime
    ) -> Decision:
        """Decide what follows from an attempt that failed: another one, or a rejected template."""
        ended = WhatsappSubmissionEnded(
            at=now, attempt=number, code=answer.code, reason=answer.message
        )
        if isinstance(answer, Rejected) and answer.fault in _FINAL:
            reason = f"{answer.code}: {answer.message}"[:MAX_REASON]
            return end_submission(template, ended, Review(at=now, reason=reason, by_provider=True))
        again = self._again(template, answer, now)
        if again is None:
            return end_submission(template, ended)
        return put_off_submission(
            template,
            WhatsappSubmissionPutOff(
                at=now, attempt=number, code=answer.code, reason=answer.message, again_at=again
            ),
        )

    def _again(
        self, template: WhatsappTemplate, answer: Rejected | Unknown, now: datetime
    ) -> datetime | None:
        """Return the time of the next attempt; None when three days are over."""
        if template.submission is None:
            return None
        since = template.submission.requested_at
        chance = int(self._randomness.new_code("0123456789", 3)) / 1000
        again = next_attempt(since, now, chance)
        wait = answer.retry_after if isinstance(answer, Rejected) else None
        if again is None or wait is None:
            return again
        return min(max(again, now + timedelta(seconds=wait)), since + GIVES_UP_AFTER)

    async def _write(
        self,
        by: Caller,
        stream: str,
        loaded: Loaded[WhatsappTemplate],
        decision: Decision,
        now: datetime,
    ) -> None:
        """Write a decision and what follows from the state after it: a due row, or none."""
        after = change(whatsapp_template_decider, stream, loaded, decision)
        due_at = after.state.submission.due_at
        if due_at is None:
            await self._journal.write(by, now, after, done=(Due(self.kind, stream, 1, now),))
        else:
            await self._journal.write(by, now, after, due=(Due(self.kind, stream, 1, due_at),))


def _submitted(
    template: WhatsappTemplate, number: int, answer: Submitted, now: datetime
) -> Decision:
    review = None
    if answer.approved is not None:
        review = answer.approved, Review(at=now, reason=answer.reason, by_provider=True)
    return record_submitted(
        template,
        WhatsappTemplateSubmitted(
            at=now,
            attempt=number,
            provider_template_id=answer.provider_template_id,
            category=answer.category,
            adopted=answer.adopted,
        ),
        review,
    )
