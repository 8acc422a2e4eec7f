"""Create and dispatch a PIN (D1)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from attrs import field

from ...domain import pin as pins
from ...domain.channel import PinChannel
from ...domain.conditions import Unchanged
from ...domain.destination import MAX_LENGTH, require_reachable
from ...domain.errors import DomainError
from ...domain.limits import Characters, OneLine
from ...domain.pin import pin_decider
from ...domain.pin_template import (
    PinTemplate,
    TemplateChannel,
    TemplateNotFoundError,
    channels_for,
    check_params,
    pin_template_decider,
    require_usable,
)
from ...domain.pin_template.policy import PinPolicy
from ...domain.value import value
from ..caller import Caller
from ..idempotency import Idempotency
from ..journal import Journal, beginning, retry_on_conflict
from ..people.people import People
from ..ports.clock import Clock
from ..ports.code_hasher import CodeHasher
from ..ports.event_store import Loaded
from ..ports.randomness import Randomness
from ..ports.redacted import Redacted
from ..records.pin import PIN
from .pin_request_rules import channel_list, parameters
from .sending_pins import OutgoingCode, SendingPins, SentPin, orphan_due_row, ttl_of


@value(kw_only=True)
class IssueRequest:
    """The values of a request for a PIN (SPEC D1); raises `ValueError` for impossible ones."""

    destination: str = field(repr=False, validator=Characters(1, MAX_LENGTH))
    template_id: str = field(validator=OneLine(1, 200))
    channels: tuple[PinChannel, ...] | None = field(default=None, validator=channel_list)
    reference_id: str | None = field(default=None, repr=False, validator=OneLine(1, 200))
    template_params: Mapping[str, str] = field(factory=dict, repr=False, validator=parameters)


class _NewCode(Redacted, frozen=True):
    """A code that fits a policy, and its hash for the PIN `pin_id`."""

    policy: PinPolicy
    pin_id: str
    code: str
    code_hash: str


class IssuingPins:
    """Creates PINs: one append before the dispatch, one after."""

    def __init__(
        self,
        journal: Journal,
        sending: SendingPins,
        hasher: CodeHasher,
        randomness: Randomness,
        clock: Clock,
        people: People,
    ) -> None:
        self._journal = journal
        self._people = people
        self._sending = sending
        self._hasher = hasher
        self._randomness = randomness
        self._clock = clock

    async def issue(
        self, by: Caller, request: IssueRequest, idempotency: Idempotency | None = None
    ) -> SentPin:
        """
        Create a PIN and send its code on every requested channel.

        Returns when at least one channel accepted. Raises, in this order (C-65):
        `TemplateNotFoundError`, `TemplateDisabledError`, `ChannelNotConfiguredError`,
        `ValidationFailedError` for a destination that no channel reaches, then for the parameters,
        and `RateLimitedError`. After the dispatch it raises `DispatchFailedError` when no channel
        is known to have accepted the code. A replay raises `KeyAnswered` with the saved answer.
        """
        # Hashing is the dearest part of a create, so a create that is decided again keeps its code.
        made: list[_NewCode] = []
        outgoing = await retry_on_conflict(lambda: self._record(by, request, idempotency, made))
        return await self._sending.send(by, outgoing, idempotency)

    async def _record(
        self,
        by: Caller,
        request: IssueRequest,
        idempotency: Idempotency | None,
        made: list[_NewCode],
    ) -> OutgoingCode:
        now = self._clock.now()
        reservation = idempotency.reservation if idempotency else None
        try:
            template, entries = await self._journal.decide_on_recalled(
                pin_template_decider, request.template_id, partial(_planned, by, request)
            )
        except DomainError:
            await self._journal.check_key(reservation, now)
            raise
        policy = template.state.policy
        person = self._people.recall_or_create(by.account_id, request.destination)
        if not made or made[-1].policy is not policy:
            made.append(await self._new_code(policy))
        new = made[-1]
        pin_id = new.pin_id
        decision = pins.issue(
            pins.IssuePin(
                at=now,
                pin_id=pin_id,
                account_id=by.account_id,
                template_id=request.template_id,
                person_id=person.person_id,
                destination=request.destination,
                reference_id=request.reference_id,
                channels=tuple([entry.channel_type for entry in entries]),
                code_hash=new.code_hash,
                policy=policy,
            )
        )
        due = orphan_due_row(pin_id, 1, self._clock)
        await self._journal.write(
            by,
            now,
            beginning(pin_decider, pin_id, decision),
            # The condition on the template comes first, so that its current limits
            # hold, and an earlier disable takes effect.
            conditions=(Unchanged(request.template_id, template.version),),
            due=(due,),
            new_people=person.new_people,
            bounded=True,
            taking=reservation.about(person.person_id) if reservation else None,
        )
        return OutgoingCode(
            pin_id=pin_id,
            template_id=request.template_id,
            issue=1,
            person_id=person.person_id,
            destination=request.destination,
            entries=entries,
            code=new.code,
            params=request.template_params,
            ttl_seconds=ttl_of(policy),
            due=due,
        )

    async def _new_code(self, policy: PinPolicy) -> _NewCode:
        pin_id = self._randomness.new_id(PIN.prefix)
        code = self._randomness.new_code(policy.pin_type.alphabet, policy.pin_length)
        return _NewCode(policy, pin_id, code, await self._hasher.hash(pin_id, 1, code))


async def _planned(
    by: Caller, request: IssueRequest, template: Loaded[PinTemplate] | None
) -> tuple[Loaded[PinTemplate], tuple[TemplateChannel, ...]]:
    if template is None or template.state.account_id != by.account_id:
        raise TemplateNotFoundError
    require_usable(template.state)
    entries = channels_for(template.state, request.channels)
    require_reachable(request.destination, [entry.channel_type for entry in entries])
    check_params(entries, request.template_params)
    return template, entries
