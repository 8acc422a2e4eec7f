"""
Look up the decisions of providers on templates, as posts may be missed (C-36, D-288).

One node looks up for each channel account: often while one of its templates waits for a decision, else
rarely. It is no due work of a template, because one list answers for all of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial

from ....domain.approval import MAX_REASON, ApprovalStatus, Review
from ....domain.channel import Channel
from ....domain.decider import Decision
from ....domain.whatsapp_template import (
    SubmissionStatus,
    WhatsappTemplate,
    approve,
    reject,
    whatsapp_template_decider,
)
from ...caller import THE_WORKER, Caller
from ...concurrency.bounded_tasks import BoundedTasks
from ...journal import Journal, change, retry_on_conflict
from ...ports.channels import TemplateReview
from ...ports.clock import Clock
from ...ports.event_store import Checkpoint, Overtaken
from ...ports.listings import Equals, Filter
from ...ports.provider_observer import ProviderObserver
from ...ports.randomness import Randomness
from ...records.channel_account import ChannelAccountRow
from ...records.message_template import MessageTemplateRow
from .submitting_accounts import SubmittingAccounts
from .template_calls import TemplateCalls

OFTEN, RARELY = timedelta(minutes=5), timedelta(hours=1)
# The accounts themselves are looked at once a minute in each process.
_EVERY = timedelta(minutes=1)

# The pending templates of an account that are loaded to find one that waits for a decision.
MOST_LOADED = 50

_PENDING = Equals("status", str(ApprovalStatus.PENDING))

_Names = tuple[str, str | None]


class LookingUpDecisions:
    """Looks up decisions regularly; each call is a background task."""

    kind = None

    def __init__(
        self,
        journal: Journal,
        accounts: SubmittingAccounts,
        calls: TemplateCalls,
        tasks: BoundedTasks,
        observers: Sequence[ProviderObserver],
        randomness: Randomness,
        clock: Clock,
    ) -> None:
        self._journal = journal
        self._accounts = accounts
        self._calls = calls
        self._tasks = tasks
        self._observers = observers
        self._randomness = randomness
        self._clock = clock
        self._looked_at: datetime | None = None

    async def run_due(self) -> int:
        """Begin the look-ups that are due; return how many there were."""
        now = self._clock.now()
        # A sandbox's clock may be set back.
        if self._looked_at is not None and timedelta(0) <= now - self._looked_at < _EVERY:
            return 0
        self._looked_at = now
        begun = 0
        async for account in self._accounts.each():
            if self._tasks.reserve(account.account_id):
                begun += await self._begin(account, now)
        return begun

    async def _begin(self, account: ChannelAccountRow, now: datetime) -> bool:
        """Begin a look-up if it is due and no other node does it; the place was reserved."""
        looks_up = False
        try:
            looks_up = await self._claim(account, now)
        finally:
            if not looks_up:
                self._tasks.release(account.account_id)
        if looks_up:
            self._tasks.begin(account.account_id, self._look_up(account))
        return looks_up

    async def _claim(self, account: ChannelAccountRow, now: datetime) -> bool:
        name = f"template-states:{account.id}"
        last = await self._journal.position(name)
        seconds = int(now.timestamp())
        if 0 <= seconds - last < RARELY.total_seconds() and (
            seconds - last < OFTEN.total_seconds() or not await self._waits(account)
        ):
            return False
        try:
            await self._journal.write(
                THE_WORKER, now, checkpoints=(Checkpoint(name, last, seconds),)
            )
        except Overtaken:
            return False
        return True

    async def _waits(self, account: ChannelAccountRow) -> bool:
        """
        Return whether a template that this channel account submitted waits for a decision.

        Where many templates wait for anything, one of them is taken to: each would have to be loaded.
        """
        looked_at = 0
        async for row in self._templates(account, _PENDING):
            looked_at += 1
            if looked_at > MOST_LOADED:
                return True
            if _is_submitted(await self._state(row.id), account.id):
                return True
        return False

    async def _look_up(self, account: ChannelAccountRow) -> None:
        seen = {(row.name, row.language): row async for row in self._templates(account)}
        if not seen:
            return
        found = await self._calls.states(account.id)
        if not isinstance(found, Sequence):
            for observer in self._observers:
                observer.templates_not_looked_up(account.id, found.code)
            return
        for review in found:
            await self._compare(account, seen, review)

    async def _compare(
        self,
        account: ChannelAccountRow,
        seen: Mapping[_Names, MessageTemplateRow],
        review: TemplateReview,
    ) -> None:
        row = seen.get((review.name, review.language))
        status = ApprovalStatus.APPROVED if review.approved else ApprovalStatus.REJECTED
        # Most templates have not changed, and their rows say so.
        if row is not None and row.status != status:
            await retry_on_conflict(partial(self._decide, account, row, review))
            # Many templates may be decided on at once, and requests go on meanwhile.
            await asyncio.sleep(0)

    async def _decide(
        self, account: ChannelAccountRow, row: MessageTemplateRow, review: TemplateReview
    ) -> None:
        now = self._clock.now()
        loaded = await self._journal.load(whatsapp_template_decider, row.id)
        decision = _decision(loaded.state, account.id, row, review, now)
        if decision.events:
            after = change(whatsapp_template_decider, row.id, loaded, decision)
            by = Caller(account.account_id, account.id, self._randomness.new_id("req"))
            await self._journal.write(by, now, after)

    def _templates(
        self, account: ChannelAccountRow, *where: Filter
    ) -> AsyncIterator[MessageTemplateRow]:
        """Return the WhatsApp templates of an account, the oldest first; none is ever removed."""
        of_account = Equals("account_id", account.account_id)
        on_whatsapp = Equals("channel", str(Channel.WHATSAPP))
        return self._journal.every(MessageTemplateRow, of_account, on_whatsapp, *where)

    async def _state(self, template_id: str) -> WhatsappTemplate:
        return (await self._journal.load(whatsapp_template_decider, template_id)).state


def _is_submitted(template: WhatsappTemplate, channel_account_id: str) -> bool:
    submission = template.submission
    if submission is None or submission.status is not SubmissionStatus.SUBMITTED:
        return False
    return submission.channel_account_id == channel_account_id


def _decision(
    template: WhatsappTemplate,
    channel_account_id: str,
    row: MessageTemplateRow,
    review: TemplateReview,
    now: datetime,
) -> Decision:
    if not _is_submitted(template, channel_account_id):
        return Decision()
    if template.updated_at != row.updated_at:
        # A post may have brought a newer decision than the list that was read meanwhile.
        return Decision()
    reason = review.reason and review.reason[:MAX_REASON]
    given = Review(at=now, reason=reason, by_provider=True)
    return approve(template, given) if review.approved else reject(template, given)
