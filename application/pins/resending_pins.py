"""Replace the code of a PIN with a new one (D2)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from attrs import field

from ...domain import pin as pins
from ...domain.channel import PinChannel
from ...domain.conditions import Unchanged
from ...domain.destination import require_reachable
from ...domain.errors import DomainError
from ...domain.pin import Pin, PinNotFoundError, pin_decider
from ...domain.pin_template import (
    PinTemplate,
    TemplateChannel,
    channels_for,
    check_params,
    pin_template_decider,
    require_usable,
)
from ...domain.value import value
from ..caller import Caller
from ..concurrency.keyed_queue import KeyedQueue
from ..guard.guarding import Guarding
from ..idempotency import Idempotency
from ..journal import CONTENTION_SECONDS, Journal, change, retry_on_conflict
from ..ports.clock import Clock
from ..ports.code_hasher import CodeHasher
from ..ports.event_store import Loaded
from ..test_destinations.fixed_codes import FixedCodes
from .pin_request_rules import channel_list, parameters
from .sending_pins import OutgoingCode, SendingPins, SentPin, orphan_due_row, ttl_of


@value(kw_only=True)
class ResendRequest:
    """The values of a request for a resend (SPEC D2); without channels, those of the create."""

    channels: tuple[PinChannel, ...] | None = field(default=None, validator=channel_list)
    template_params: Mapping[str, str] = field(factory=dict, repr=False, validator=parameters)


class ResendingPins:
    """Resends PINs under the current version of their template."""

    def __init__(
        self,
        journal: Journal,
        sending: SendingPins,
        hasher: CodeHasher,
        clock: Clock,
        guarding: Guarding,
        fixed_codes: FixedCodes,
    ) -> None:
        self._journal = journal
        self._sending = sending
        self._hasher = hasher
        self._guarding = guarding
        self._fixed_codes = fixed_codes
        self._clock = clock
        self._queue = KeyedQueue(patience=CONTENTION_SECONDS)

    async def resend(
        self,
        by: Caller,
        pin_id: str,
        request: ResendRequest,
        idempotency: Idempotency | None = None,
    ) -> SentPin:
        """
        Send a new code on the same PIN; the old code ends once this is recorded.

        Raises, in this order (C-15): `PinNotFoundError`, `PinAlreadyVerifiedError`,
        `PinBlockedError`, `PinExpiredError` (superseded), `TemplateDisabledError`,
        `ChannelNotConfiguredError`, `ValidationFailedError` for a destination that no channel
        reaches, then for the parameters, `DestinationNotAllowedError`, `ResendCooldownError`, and
        `RateLimitedError`. After the dispatch it raises `DispatchFailedError` when no channel is known
        to have accepted the code. A replay raises `KeyAnswered` with the saved answer.
        """
        record = partial(self._record, by, pin_id, request, idempotency)
        outgoing = await self._queue.take(pin_id, partial(retry_on_conflict, record))
        return await self._sending.send(by, outgoing, idempotency)

    async def _record(
        self, by: Caller, pin_id: str, request: ResendRequest, idempotency: Idempotency | None
    ) -> OutgoingCode:
        now = self._clock.now()
        reservation = idempotency.reservation if idempotency else None
        try:
            loaded, template, entries = await self._plan(by, pin_id, request)
        except DomainError:
            await self._journal.check_key(reservation, now)
            raise
        pin, policy = loaded.state, template.state.policy
        channels = tuple([entry.channel_type for entry in entries])
        looked = await self._guarding.look_at(
            by.account_id, pin.person_id, pin.destination, channels, now, pin.context_ip
        )
        if looked.refused is not None:
            await self._journal.check_key(reservation, now)
            raise self._guarding.not_allowed(looked, looked.refused)
        checked = self._guarding.check(looked, policy.pin_attempts, now)
        issue = pin.issue + 1
        code = await self._fixed_codes.code_for(looked.test_id, policy)
        command = pins.ResendPin(
            at=now,
            channels=channels,
            code_hash=await self._hasher.hash(pin_id, issue, code),
            policy=policy,
            test=looked.test_id is not None,
            guarded=checked.guarded,
        )
        try:
            decision = pins.resend(pin, command)
        except DomainError:
            await self._journal.check_key(reservation, now)
            raise
        due = orphan_due_row(pin_id, issue, self._clock)
        append = partial(
            self._journal.write,
            by,
            now,
            change(pin_decider, pin_id, loaded, decision),
            bounded=True,
            conditions=(Unchanged(pin.template_id, template.version), *checked.required),
            due=(due,),
            taking=reservation.about(pin.person_id) if reservation else None,
        )
        await self._guarding.append(checked, append)
        return OutgoingCode(
            pin_id=pin_id,
            template_id=pin.template_id,
            issue=issue,
            person_id=pin.person_id,
            destination=pin.destination,
            entries=entries,
            code=code,
            params=request.template_params,
            ttl_seconds=ttl_of(policy),
            due=due,
            test=looked.test_id is not None,
        )

    async def _plan(
        self, by: Caller, pin_id: str, request: ResendRequest
    ) -> tuple[Loaded[Pin], Loaded[PinTemplate], tuple[TemplateChannel, ...]]:
        loaded = await self._journal.find(pin_decider, pin_id)
        if loaded is None or loaded.state.account_id != by.account_id:
            raise PinNotFoundError
        pins.require_resendable(loaded.state)
        template = await self._journal.load(pin_template_decider, loaded.state.template_id)
        require_usable(template.state)
        pin = loaded.state
        entries = channels_for(template.state, request.channels or pin.channels, pin.locale)
        require_reachable(pin.destination, [entry.channel_type for entry in entries])
        check_params(entries, request.template_params, template.state.channels)
        return loaded, template, entries
