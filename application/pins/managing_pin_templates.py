"""Manage PIN templates: create, revise, enable, disable, archive, find, list (D4, C-17, C-35)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from attrs import frozen

from ...domain import pin_template as templates
from ...domain.decider import Decision
from ...domain.pin_template import (
    PinTemplate,
    TemplateChannel,
    TemplateMark,
    TemplateNotFoundError,
    TemplateStatus,
    pin_template_decider,
)
from ...domain.pin_template.policy import PinPolicy
from ..caller import Caller
from ..journal import Journal, beginning, change, retry_on_conflict
from ..paging import Listed, Paging
from ..ports.clock import Clock
from ..ports.event_store import Change
from ..ports.listings import Contains, Equals, Filter, Missing, Query, of_account
from ..ports.randomness import Randomness
from ..records.pin_template import PIN_TEMPLATE, PinTemplateRow
from ..repository import Repository
from ..searches import narrows
from .template_channels import ChannelEntry, TemplateChannels
from .verification_receipts import VerificationReceipts
from .views import PinTemplateView

RevisePolicy = Callable[[PinPolicy], PinPolicy]

SORT_COLUMNS = {
    "created_at": "created_at",
    "updated_at": "updated_at",
    "name": "name_folded",
    "status": "status_rank",
}


@frozen(kw_only=True)
class TemplateSearch:
    """The filters and the order of a template list."""

    search: str = narrows("Those with this in their name.", default="")
    status: TemplateStatus | None = narrows("Those of this status.")
    include_archived: bool = narrows("Archived ones, too.", default=False)
    sort_by: str = narrows("What they are sorted by.", default="created_at")
    descending: bool = narrows("The greatest first.", default=True)


def template_query(account_id: str | None, search: TemplateSearch) -> Query[PinTemplateRow]:
    """Return the query of a list of templates, of one account or of all."""
    where: list[Filter] = [*of_account(account_id)]
    if search.search:
        where.append(Contains("name_folded", search.search.casefold()))
    if search.status is not None:
        where.append(Equals("status", str(search.status)))
    if not search.include_archived:
        where.append(Missing("archived_at"))
    return Query(
        rows=PinTemplateRow,
        where=tuple(where),
        order_by=SORT_COLUMNS[search.sort_by],
        descending=search.descending,
    )


class ManagingPinTemplates:
    """Creates and changes the templates of accounts."""

    def __init__(
        self,
        journal: Journal,
        receipts: VerificationReceipts,
        randomness: Randomness,
        clock: Clock,
    ) -> None:
        self._journal = journal
        self._receipts = receipts
        self._randomness = randomness
        self._clock = clock
        self._repository = Repository(journal, clock, pin_template_decider, TemplateNotFoundError)
        self._channels = TemplateChannels(journal, randomness)

    async def create(
        self,
        by: Caller,
        *,
        name: str,
        policy: PinPolicy,
        channels: Sequence[ChannelEntry],
        template_id: str | None = None,
    ) -> PinTemplateView:
        """Create a template for the caller's account; only a sandbox passes `template_id`."""
        now = self._clock.now()
        template_id = template_id or self._randomness.new_id(PIN_TEMPLATE.prefix)
        created = await self._created(by, now, template_id, name, policy, channels)
        await self._journal.write(by, now, created)
        return PinTemplateView.of(template_id, created.state)

    async def drafted(
        self,
        by: Caller,
        *,
        name: str,
        policy: PinPolicy,
        channels: Sequence[ChannelEntry],
    ) -> PinTemplateView:
        """Return the template that `create` would make, or raise what it would (D-506)."""
        template_id = self._randomness.new_id(PIN_TEMPLATE.prefix)
        created = await self._created(by, self._clock.now(), template_id, name, policy, channels)
        return PinTemplateView.of(template_id, created.state)

    async def revise(
        self,
        by: Caller,
        template_id: str,
        *,
        name: str | None = None,
        policy: RevisePolicy | None = None,
        channels: Sequence[ChannelEntry] | None = None,
    ) -> PinTemplateView:
        """Replace the given parts; `policy` returns the new limits for the current ones."""

        async def attempt() -> PinTemplateView:
            now = self._clock.now()
            revised = await self._revised(by, now, template_id, name, policy, channels)
            if revised.events:
                await self._journal.write(by, now, revised)
            return PinTemplateView.of(template_id, revised.state)

        return await retry_on_conflict(attempt)

    async def drafted_revision(
        self,
        by: Caller,
        template_id: str,
        *,
        name: str | None = None,
        policy: RevisePolicy | None = None,
        channels: Sequence[ChannelEntry] | None = None,
    ) -> PinTemplateView:
        """Return the template that `revise` would make, or raise what it would (D-506)."""
        revised = await self._revised(by, self._clock.now(), template_id, name, policy, channels)
        return PinTemplateView.of(template_id, revised.state)

    async def enable(self, by: Caller, template_id: str) -> PinTemplateView:
        """Allow sends under a template again."""
        return await self._mark(by, template_id, templates.enable)

    async def disable(self, by: Caller, template_id: str) -> PinTemplateView:
        """Stop sends under a template."""
        return await self._mark(by, template_id, templates.disable)

    async def archive(self, by: Caller, template_id: str) -> PinTemplateView:
        """Archive a template; this is final."""
        return await self._mark(by, template_id, templates.archive)

    async def get(self, by: Caller, template_id: str) -> PinTemplateView:
        """Return one template; raises `TemplateNotFoundError`."""
        return PinTemplateView.of(template_id, await self._repository.state(by, template_id))

    async def list(
        self, account_id: str | None, search: TemplateSearch, paging: Paging
    ) -> Listed[PinTemplateView]:
        """List templates, of one account or of all (D4, C-17)."""
        listed = await self._journal.listed(template_query(account_id, search), paging)
        records = [
            PinTemplateView.of(
                row.id, (await self._journal.load(pin_template_decider, row.id)).state
            )
            for row in listed.data
        ]
        return Listed(
            page=listed.page, page_size=listed.page_size, total=listed.total, data=records
        )

    async def _created(
        self,
        by: Caller,
        now: datetime,
        template_id: str,
        name: str,
        policy: PinPolicy,
        channels: Sequence[ChannelEntry],
    ) -> Change:
        self._receipts.check_policy(policy)
        built = await self._channels.of(by.account_id, channels)
        decision = built.decided(
            lambda entries: templates.create(
                templates.CreatePinTemplate(
                    at=now,
                    by=by.actor,
                    account_id=by.account_id,
                    name=name,
                    policy=policy,
                    channels=entries,
                )
            )
        )
        return beginning(pin_template_decider, template_id, decision)

    async def _revised(
        self,
        by: Caller,
        now: datetime,
        template_id: str,
        name: str | None,
        policy: RevisePolicy | None,
        channels: Sequence[ChannelEntry] | None,
    ) -> Change:
        loaded = await self._repository.load(by, template_id)
        present = loaded.state
        revised_policy = policy(present.policy) if policy else None
        if revised_policy is not None:
            self._receipts.check_policy(revised_policy)

        def revised(entries: tuple[TemplateChannel, ...] | None) -> Decision:
            return templates.revise(
                present,
                templates.RevisePinTemplate(
                    at=now, by=by.actor, name=name, policy=revised_policy, channels=entries
                ),
            )

        if channels is None:
            decision = revised(None)
        else:
            built = await self._channels.of(present.account_id, channels, present.channels)
            decision = built.decided(revised)
        return change(pin_template_decider, template_id, loaded, decision)

    async def _mark(
        self,
        by: Caller,
        template_id: str,
        decide: Callable[[PinTemplate, TemplateMark], Decision],
    ) -> PinTemplateView:
        marked = await self._repository.decide(
            by,
            template_id,
            lambda template, at: decide(template, TemplateMark(at=at, by=by.actor)),
        )
        return PinTemplateView.of(template_id, marked)
