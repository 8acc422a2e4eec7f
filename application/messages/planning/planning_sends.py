"""Plan a send: check it, and choose its channel accounts, before anything is written."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from attrs import field, frozen

from ....domain import destination
from ....domain.accounts.fallback_configuration import fallback_configuration_decider, fallback_name
from ....domain.channel import ChannelName, ChannelOutcome, rejected
from ....domain.conditions import Unchanged
from ....domain.errors import FieldProblem, ValidationFailedError
from ....domain.guard import DESTINATION_NOT_ALLOWED
from ....domain.message import WhatsappSessionContent
from ....domain.message.whatsapp_session import SESSION_EXPIRED
from ....domain.template_filling import MessageTemplate
from ...concurrency.bulk_lane import BulkWork
from ...guard.guarding_recipients import NOT_ALLOWED, GuardedSend, GuardingRecipients
from ...journal import Journal
from ...people.people import People, PersonRef, new_people_of
from ...ports.clock import Clock
from ...ports.event_store import PersonRecord
from ..opt_lists.consents import Consents, Standing, opted_out
from .bounding_sends import require_bounded
from .choosing_channel_accounts import ChoosingChannelAccounts
from .linking_media import LinkingMedia
from .measuring_links import shortened_contents
from .send_requests import FallbackRequest, MessageRequest, SendRequest, StepRequest
from .templates_of_sends import (
    TemplatesOfSends,
    require_approved,
    require_values,
    to_be_hidden,
)
from .whatsapp_sessions import WhatsappSessions


@frozen(kw_only=True)
class PlannedMessage:
    """
    One message of a plan; `person_id` is its recipient.

    `refused` is the outcome of a message that is rejected without a try: its recipient is no number, is
    not allowed by the guard or has opted out, or its session is closed.
    """

    request: MessageRequest
    person_id: str
    recipient: str = field(repr=False)
    channel_account_id: str
    template: MessageTemplate | None
    refused: ChannelOutcome | None = None


@frozen(kw_only=True)
class PlannedStep:
    """One step of the fallback, in the configuration's order."""

    request: StepRequest
    template: MessageTemplate | None


@frozen(kw_only=True)
class Plan:
    """
    The plan of a send; without a fallback, it has no steps.

    If one part of the send carries a code, `carries_code` holds for all of it: a fallback repeats the
    code, whatever its type says (C-23, D-34). `conditions` are the consents that were read. If an
    opt-out wins the race with the send, the send is planned again (D-72). `new_people` are the recipients
    whom the account has not written to before. `guarded` judged the recipients.
    """

    messages: tuple[PlannedMessage, ...]
    steps: tuple[PlannedStep, ...] = ()
    carries_code: bool
    guarded: GuardedSend
    conditions: tuple[Unchanged, ...] = ()
    new_people: tuple[PersonRecord, ...] = ()

    @property
    def only_person(self) -> str | None:
        """The recipient of all messages; None if there are several."""
        people = {each.person_id for each in self.messages}
        return people.pop() if len(people) == 1 else None


class PlanningSends:
    """Looks up the templates, channel accounts, media and consents of a send."""

    def __init__(
        self,
        journal: Journal,
        choosing: ChoosingChannelAccounts,
        templates: TemplatesOfSends,
        media: LinkingMedia,
        sessions: WhatsappSessions,
        consents: Consents,
        people: People,
        guarding: GuardingRecipients,
        clock: Clock,
    ) -> None:
        self._journal = journal
        self._choosing = choosing
        self._templates = templates
        self._media = media
        self._sessions = sessions
        self._consents = consents
        self._people = people
        self._guarding = guarding
        self._clock = clock

    async def plan(self, account_id: str, request: SendRequest, work: BulkWork) -> Plan:
        """
        Plan a send; it is refused unless only single recipients are wrong (C-48, C-89).

        Raises, in this order (C-64): `ValidationFailedError` for addresses that are in no text; for
        contents that are too large with their short links, an unknown fallback configuration,
        objects that are not its steps (C-52) and channels without a channel account;
        `MessageTemplateNotFoundError`, for the fallback's templates too; `TemplateNotApprovedError`
        for the primary's; `ValidationFailedError` for values that do not fill their templates
        (C-60), then for ids of media that the account does not have.
        """
        await require_bounded(request, await shortened_contents(request, work), work)
        problems: list[FieldProblem] = []
        steps = await self._steps(account_id, request.fallback, problems)
        chosen = await self._channel_accounts(account_id, request, steps, problems)
        if problems:
            raise ValidationFailedError(problems)
        templates = await self._templates.of(account_id, (*request.messages, *steps))
        own, of_steps = templates[: len(request.messages)], templates[len(request.messages) :]
        require_approved(request.messages, own)
        await require_values((*request.messages, *steps), templates, work)
        wanted = await self._media.linked(account_id, request.messages, work)
        steps = tuple(await self._media.linked(account_id, steps, work))
        recipients = [destination.prefixed(each.recipient, request.prefix) for each in wanted]
        standings = await self._consents.for_sends(
            account_id,
            ((each.channel, to) for each, to in zip(wanted, recipients, strict=True)),
            work,
        )
        people = await self._people.find_or_create(account_id, recipients, work)
        guarded = await self._guarding.of(account_id)
        planned: list[PlannedMessage] = []
        for each, to, template in zip(wanted, recipients, own, strict=True):
            planned.append(
                await self._message(
                    each, to, people[to], standings.get(to), chosen, template, guarded
                )
            )
            await work.pause()
        return Plan(
            messages=tuple(planned),
            steps=tuple(
                PlannedStep(request=each, template=template)
                for each, template in zip(steps, of_steps, strict=True)
            ),
            carries_code=any(
                to_be_hidden(each.content, template)
                for each, template in zip((*wanted, *steps), templates, strict=True)
            ),
            guarded=guarded,
            conditions=(guarded.unchanged, *{each.unchanged for each in standings.values()}),
            new_people=new_people_of(people.values()),
        )

    async def _message(
        self,
        request: MessageRequest,
        recipient: str,
        person: PersonRef,
        standing: Standing | None,
        chosen: Mapping[tuple[ChannelName, str], str],
        template: MessageTemplate | None,
        guarded: GuardedSend,
    ) -> PlannedMessage:
        refused = None
        channel_account_id = chosen[request.channel, request.sender]
        refuse = partial(rejected, request.channel, channel_account_id)
        problem = destination.number_problem(recipient)
        if problem is not None:
            refused = refuse(destination.INVALID_RECIPIENT, f"The recipient {problem}.")
        elif guarded.refuses(request.channel, recipient, person.person_id):
            refused = refuse(DESTINATION_NOT_ALLOWED, NOT_ALLOWED)
        elif standing is not None and standing.opted_out:
            refused = opted_out(request.channel, channel_account_id)
        elif isinstance(request.content, WhatsappSessionContent):
            now = self._clock.now()
            if not await self._sessions.open_for(person.person_id, now):
                refused = refuse("session_expired", SESSION_EXPIRED)
        return PlannedMessage(
            request=request,
            person_id=person.person_id,
            recipient=recipient,
            channel_account_id=channel_account_id,
            template=template,
            refused=refused,
        )

    async def _steps(
        self, account_id: str, fallback: FallbackRequest | None, problems: list[FieldProblem]
    ) -> tuple[StepRequest, ...]:
        if fallback is None:
            return ()
        subject = fallback_name(account_id, fallback.fallback_id)
        holder = await self._journal.holder(subject)
        if holder is None:
            problems.append(
                FieldProblem(
                    "fallback.fallback_id", "names no fallback configuration of this account"
                )
            )
            return ()
        configuration = (await self._journal.load(fallback_configuration_decider, holder)).state
        order = ", then ".join(configuration.steps)
        for channel in configuration.steps:
            if channel not in fallback.steps:
                problems.append(
                    FieldProblem(
                        f"fallback.{fallback.name_of(channel)}",
                        f"is required: the configuration falls back to {order}",
                    )
                )
        for channel, step in fallback.steps.items():
            if channel not in configuration.steps:
                problems.append(
                    FieldProblem(
                        step.path, f"is no step of the configuration, which falls back to {order}"
                    )
                )
        return tuple(
            fallback.steps[channel] for channel in configuration.steps if channel in fallback.steps
        )

    async def _channel_accounts(
        self,
        account_id: str,
        request: SendRequest,
        steps: tuple[StepRequest, ...],
        problems: list[FieldProblem],
    ) -> dict[tuple[ChannelName, str], str]:
        """Choose one for each channel and sender, and note the channels that have none (D-51)."""
        chosen: dict[tuple[ChannelName, str], str] = {}
        missing: set[ChannelName] = set()
        for each in (*request.messages, *steps):
            if (each.channel, each.sender) in chosen or each.channel in missing:
                continue
            found = await self._choosing.choose(account_id, each.channel, each.sender)
            if found is None:
                missing.add(each.channel)
                problems.append(
                    FieldProblem(
                        f"{each.path}.sender",
                        f"the account has no channel account for {each.channel}; ask your operator",
                    )
                )
            else:
                chosen[each.channel, each.sender] = found
        return chosen
