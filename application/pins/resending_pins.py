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
from ...domain.test_destination import never_verified
from ...domain.value import value
from ..caller import Caller
from ..concurrency.keyed_queue import KeyedQueue
from ..guard.guards import Guards, unchanged
from ..idempotency import Idempotency
from ..journal import CONTENTION_SECONDS, Journal, change, retry_on_conflict
from ..ports.clock import Clock
from ..ports.code_hasher import CodeHasher
from ..ports.event_store import Loaded, PassMoved
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
        guards: Guards,
        fixed_codes: FixedCodes,
    ) -> None:
        self._journal = journal
        self._sending = sending
        self._hasher = hasher
        self._guards = guards
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
        reaches, then for the parameters, `ResendCooldownError`, and `RateLimitedError`. After the
        dispatch it raises `DispatchFailedError` when no channel is known to have accepted the code.
        A replay raises `KeyAnswered` with the saved answer.
        """
        record = partial(self._record, by, pin_id, request, idempotency, in_use=False)
        outgoing = await self._queue.take(pin_id, partial(retry_on_conflict, record))
        return await self._sending.send(by, outgoing, idempotency)

    async def _record(
        self,
        by: Caller,
        pin_id: str,
        request: ResendRequest,
        idempotency: Idempotency | None,
        *,
        in_use: bool,
    ) -> OutgoingCode:
        now = self._clock.now()
        reservation = idempotency.reservation if idempotency else None
        try:
            loaded, template, entries = await self._plan(by, pin_id, request)
            policy = template.state.policy
            issue = loaded.state.issue + 1
            person_id = loaded.state.person_id
            guard = await self._guards.recall(by.account_id)
            test_id = None if in_use else guard.state.test_of(person_id, now)
            code = await self._fixed_codes.code_for(test_id, policy)
            decision = pins.resend(
                loaded.state,
                pins.ResendPin(
                    at=now,
                    channels=tuple(entry.channel_type for entry in entries),
                    code_hash=await self._hasher.hash(pin_id, issue, code),
                    policy=policy,
                    test=test_id is not None,
                ),
            )
        except DomainError:
            await self._journal.check_key(reservation, now)
            raise
        due = orphan_due_row(pin_id, issue, self._clock)
        try:
            await self._journal.write(
                by,
                now,
                change(pin_decider, pin_id, loaded, decision),
                bounded=True,
                conditions=(
                    Unchanged(loaded.state.template_id, template.version),
                    unchanged(guard),
                    *(() if test_id is None else (never_verified(person_id),)),
                ),
                due=(due,),
                taking=reservation.about(person_id) if reservation else None,
            )
        except PassMoved:
            return await self._record(by, pin_id, request, idempotency, in_use=True)
        return OutgoingCode(
            pin_id=pin_id,
            template_id=loaded.state.template_id,
            issue=issue,
            person_id=person_id,
            destination=loaded.state.destination,
            entries=entries,
            code=code,
            params=request.template_params,
            ttl_seconds=ttl_of(policy),
            due=due,
            test=test_id is not None,
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
        entries = channels_for(template.state, request.channels or loaded.state.channels)
        require_reachable(loaded.state.destination, [entry.channel_type for entry in entries])
        check_params(entries, request.template_params)
        return loaded, template, entries
