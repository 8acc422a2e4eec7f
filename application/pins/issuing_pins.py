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
from ...domain.language_tags import a_language_tag, read_tag
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
from ..guard.guarding import Guarding
from ..guard.guards import unchanged
from ..idempotency import Idempotency
from ..journal import Journal, beginning, retry_on_conflict
from ..people.people import People
from ..ports.clock import Clock
from ..ports.code_hasher import CodeHasher
from ..ports.event_store import Loaded
from ..ports.randomness import Randomness
from ..ports.redacted import Redacted
from ..records.pin import PIN
from ..test_destinations.fixed_codes import FixedCodes
from .caller_context import CallerContext, counted_as
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
    context: CallerContext | None = field(default=None, repr=False)
    locale: str | None = field(default=None, repr=False, validator=a_language_tag)


class _NewCode(Redacted, frozen=True):
    """A code that fits a policy, or is fixed as of a version of the guard, and its hash for a PIN."""

    policy: PinPolicy
    fixed: Unchanged | None
    pin_id: str
    code: str
    code_hash: str


class _Attempts:
    """What the attempts of one create share."""

    def __init__(self) -> None:
        # Hashing is the dearest part of a create, so a create that is decided again keeps its code.
        self.made: _NewCode | None = None


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
        guarding: Guarding,
        fixed_codes: FixedCodes,
    ) -> None:
        self._journal = journal
        self._people = people
        self._guarding = guarding
        self._fixed_codes = fixed_codes
        self._sending = sending
        self._hasher = hasher
        self._randomness = randomness
        self._clock = clock

    async def issue(
        self, by: Caller, request: IssueRequest, idempotency: Idempotency | None = None
    ) -> SentPin:
        """
        Create a PIN and send its code on every requested channel.

        Returns when at least one channel accepted. Raises, in this order (C-65, C-102):
        `TemplateNotFoundError`, `TemplateDisabledError`, `ChannelNotConfiguredError`,
        `ValidationFailedError` for a destination that no channel reaches, then for the parameters,
        `DestinationNotAllowedError`, and `RateLimitedError`. After the dispatch it raises
        `DispatchFailedError` when no channel is known to have accepted the code. A replay raises
        `KeyAnswered` with the saved answer.
        """
        attempts = _Attempts()
        outgoing = await retry_on_conflict(lambda: self._record(by, request, idempotency, attempts))
        return await self._sending.send(by, outgoing, idempotency)

    async def _record(
        self,
        by: Caller,
        request: IssueRequest,
        idempotency: Idempotency | None,
        attempts: _Attempts,
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
        person = await self._people.recall_find_or_create(by.account_id, request.destination)
        ip, user_agent = self._hashed(by.account_id, request.context)
        channels = tuple([entry.channel_type for entry in entries])
        looked = await self._guarding.look_at(
            by.account_id, person.person_id, request.destination, channels, now, ip
        )
        if looked.refused is not None:
            await self._journal.check_key(reservation, now)
            raise self._guarding.not_allowed(looked, looked.refused, known=not person.new_people)
        checked = self._guarding.check(
            looked, policy.pin_attempts, now, known=not person.new_people
        )
        fixed = None if looked.test_id is None else unchanged(looked.guard)
        new = attempts.made
        if new is None or new.policy is not policy or new.fixed != fixed:
            new = attempts.made = await self._new_code(policy, fixed, looked.test_id)
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
                channels=channels,
                code_hash=new.code_hash,
                policy=policy,
                country=looked.target.country,
                test=looked.test_id is not None,
                context_ip=ip,
                context_user_agent=user_agent,
                locale=None if request.locale is None else read_tag(request.locale),
                guarded=checked.guarded,
            )
        )
        due = orphan_due_row(pin_id, 1, self._clock)
        append = partial(
            self._journal.write,
            by,
            now,
            beginning(pin_decider, pin_id, decision),
            # The conditions on the template and on the guard come first, so that their current
            # limits hold, and an earlier disable takes effect.
            conditions=(Unchanged(request.template_id, template.version), *checked.required),
            due=(due,),
            new_people=person.new_people,
            bounded=True,
            taking=reservation.about(person.person_id) if reservation else None,
        )
        await self._guarding.append(checked, append)
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
            test=looked.test_id is not None,
        )

    def _hashed(
        self, account_id: str, context: CallerContext | None
    ) -> tuple[str | None, str | None]:
        """Return the HMACs of the IP and of the user agent in a context; None for what is not there."""
        if context is None:
            return None, None
        ip, user_agent, keys = context.ip, context.user_agent, self._guarding.keys
        return (
            None if ip is None else keys.ip(account_id, counted_as(ip)),
            None if user_agent is None else keys.user_agent(account_id, user_agent),
        )

    async def _new_code(
        self, policy: PinPolicy, fixed: Unchanged | None, test_id: str | None
    ) -> _NewCode:
        pin_id = self._randomness.new_id(PIN.prefix)
        code = await self._fixed_codes.code_for(test_id, policy)
        return _NewCode(policy, fixed, pin_id, code, await self._hasher.hash(pin_id, 1, code))


async def _planned(
    by: Caller, request: IssueRequest, template: Loaded[PinTemplate] | None
) -> tuple[Loaded[PinTemplate], tuple[TemplateChannel, ...]]:
    if template is None or template.state.account_id != by.account_id:
        raise TemplateNotFoundError
    require_usable(template.state)
    entries = channels_for(template.state, request.channels, request.locale)
    require_reachable(request.destination, [entry.channel_type for entry in entries])
    check_params(entries, request.template_params, template.state.channels)
    return template, entries
