"""Manage callback endpoints and their deliveries: create, list, remove, redeliver (C-33, C-53)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial

import attrs

from ...domain import callback_endpoint
from ...domain.accounts.api_key import ForbiddenError
from ...domain.callback_endpoint import (
    EVERYTHING,
    OPERATORS,
    CallbackEndpointCreated,
    callback_endpoint_decider,
)
from ...domain.decider import Decision
from ...domain.errors import FieldProblem, ValidationFailedError
from ...domain.event import ERASED, MASK
from ...domain.public_url import MAX_URL
from ..caller import Caller
from ..journal import Journal, beginning, change, retry_on_conflict
from ..log_wakeup import LogWakeup
from ..paging import Listed, Paging
from ..ports.clock import Clock
from ..ports.event_store import Checkpoint, Due, DueKind, Overtaken
from ..ports.listings import Equals, Query, of_account
from ..ports.randomness import Randomness
from ..ports.web import Web
from ..records.callback_delivery import CallbackDeliveryRow
from ..records.callback_endpoint import (
    CALLBACK_ENDPOINT,
    CallbackEndpointRow,
    callback_endpoint_row,
)
from .deliveries import DELIVERY_PREFIX, DeliveryNotFoundError, DeliveryStatus
from .endpoint_repository import EndpointRepository
from .endpoint_secrets import EndpointSecrets, NewSecret
from .views import CallbackView, DeliveryRequest, DeliveryView, SentTest, WholeDelivery


class ManagingCallbacks:
    """Creates and removes the endpoints of accounts, and redelivers their callbacks."""

    def __init__(
        self,
        journal: Journal,
        web: Web,
        secrets: EndpointSecrets,
        wakeup: LogWakeup,
        randomness: Randomness,
        clock: Clock,
    ) -> None:
        self._journal = journal
        self._web = web
        self._secrets = secrets
        self._wakeup = wakeup
        self._randomness = randomness
        self._clock = clock
        self._endpoints = EndpointRepository(journal, clock)

    async def create(
        self,
        by: Caller,
        *,
        url: str,
        events: Sequence[str] | None = None,
        secret: str | None = None,
    ) -> CallbackView:
        """
        Create an endpoint, which receives all later events; return it with its secret.

        By default it receives all types, and its secret is generated. Raises `ValidationFailedError`, also
        for a URL that must not be called, and `ForbiddenError` if a caller who is bound to an account asks
        for an endpoint of operators: a head tells the volume of all accounts (D-464).
        """
        if by.account_id == OPERATORS and by.bound_to is not None:
            raise ForbiddenError(
                "This token is bound to an account, and heads of the log are about the whole store."
                " Use a token without an account."
            )
        endpoint_id = self._randomness.new_id(CALLBACK_ENDPOINT.prefix)
        created = CallbackEndpointCreated(
            at=self._clock.now(),
            account_id=by.account_id,
            url=url,
            events=(EVERYTHING,) if events is None else tuple(events),
        )
        problems = [*await self.url_problems(url)]
        decision, kept = Decision(), None
        try:
            decision = callback_endpoint.create(created)
        except ValidationFailedError as refusal:
            problems += refusal.problems
        try:
            kept = self._secrets.make(endpoint_id, secret)
        except ValidationFailedError as refusal:
            problems += refusal.problems
        if problems or kept is None:
            raise ValidationFailedError(problems)
        return await self._keep(by, endpoint_id, decision, kept)

    async def get(self, by: Caller, endpoint_id: str) -> CallbackView:
        """Return an endpoint; raises `CallbackNotFoundError`."""
        return CallbackView.of(await self._row(by, endpoint_id))

    async def list(self, account_id: str | None, paging: Paging) -> Listed[CallbackView]:
        """List endpoints, of one account or of all, the newest first; never their secrets."""
        query = Query(rows=CallbackEndpointRow, where=of_account(account_id))
        return (await self._journal.listed(query, paging)).showing(CallbackView.of)

    async def remove(self, by: Caller, endpoint_id: str) -> CallbackView:
        """Remove an endpoint and its secret; raises `CallbackNotFoundError`."""
        removed = await self._endpoints.remove(by, endpoint_id)
        return CallbackView.of(callback_endpoint_row(endpoint_id, removed))

    async def deliveries(
        self, by: Caller, endpoint_id: str, paging: Paging
    ) -> Listed[DeliveryView]:
        """List an endpoint's deliveries, the newest first; raises `CallbackNotFoundError`."""
        await self._row(by, endpoint_id)
        query = Query(rows=CallbackDeliveryRow, where=(Equals("endpoint_id", endpoint_id),))
        return (await self._journal.listed(query, paging)).showing(DeliveryView.of)

    async def redeliver(self, by: Caller, endpoint_id: str, delivery_id: str) -> DeliveryView:
        """
        Attempt a delivery now, and again for three days, under the same id.

        Raises `CallbackNotFoundError`, `DeliveryNotFoundError`, `CallbackRemovedError`.
        """
        return await retry_on_conflict(partial(self._redeliver, by, endpoint_id, delivery_id))

    async def delivery(self, by: Caller, endpoint_id: str, delivery_id: str) -> WholeDelivery:
        """
        Return a delivery with its request.

        Raises `CallbackNotFoundError` and `DeliveryNotFoundError`.
        """
        endpoint = await self._row(by, endpoint_id)
        row = await self._delivery(endpoint_id, delivery_id)
        readable = row.body not in (ERASED, MASK)
        return WholeDelivery(
            **attrs.asdict(DeliveryView.of(row), recurse=False),
            request=DeliveryRequest(
                url=endpoint.url if row.url is None else row.url,
                body=json.loads(row.body) if readable else None,
            ),
            last_answer=row.last_answer,
        )

    async def test(self, by: Caller, endpoint_id: str) -> SentTest:
        """
        Send a test event to an endpoint, whatever events it wants; attempts are repeated as for any event.

        Raises `CallbackNotFoundError` and `CallbackRemovedError`.
        """
        delivery_id = self._randomness.new_id(DELIVERY_PREFIX)
        await self._endpoints.decide(
            by, endpoint_id, partial(callback_endpoint.test, delivery_id=delivery_id)
        )
        self._wakeup.wake()
        return SentTest(endpoint_id=endpoint_id, delivery_id=delivery_id)

    async def _redeliver(self, by: Caller, endpoint_id: str, delivery_id: str) -> DeliveryView:
        loaded = await self._endpoints.load(by, endpoint_id)
        delivery = await self._delivery(endpoint_id, delivery_id)
        if delivery.body == ERASED:
            raise DeliveryNotFoundError
        now = self._clock.now()
        decision = callback_endpoint.redeliver(loaded.state, now, delivery_id)
        again = attrs.evolve(
            delivery,
            status=str(DeliveryStatus.PENDING),
            queued_at=now,
            next_attempt_at=now,
            ended_at=None,
        )
        begun = await self._journal.position(delivery_id)
        try:
            await self._journal.write(
                by,
                now,
                change(callback_endpoint_decider, endpoint_id, loaded, decision),
                checkpoints=(Checkpoint(delivery_id, begun, begun),),
                rows=(again,),
                due=(Due(DueKind.CALLBACK, delivery_id, begun, now),),
            )
        except Overtaken:
            # An attempt has just begun, as requested.
            return DeliveryView.of(delivery)
        return DeliveryView.of(again)

    async def url_problems(self, url: str, path: str = "url") -> tuple[FieldProblem, ...]:
        """Return the reasons for which a URL, given at a path, must not be called."""
        if len(url) > MAX_URL:
            return (FieldProblem(path, f"must have at most {MAX_URL} characters"),)
        refusal = await self._web.refusal(url)
        return () if refusal is None else (FieldProblem(path, refusal),)

    async def _keep(
        self, by: Caller, endpoint_id: str, decision: Decision, secret: NewSecret
    ) -> CallbackView:
        made = beginning(callback_endpoint_decider, endpoint_id, decision)
        await self._journal.write(by, self._clock.now(), made, keeping=(secret.kept,))
        self._wakeup.wake()
        record = CallbackView.of(callback_endpoint_row(endpoint_id, made.state))
        return attrs.evolve(record, secret=secret.text)

    async def _delivery(self, endpoint_id: str, delivery_id: str) -> CallbackDeliveryRow:
        row = await self._journal.row(CallbackDeliveryRow, delivery_id)
        if row is None or row.endpoint_id != endpoint_id:
            raise DeliveryNotFoundError
        return row

    async def _row(self, by: Caller, endpoint_id: str) -> CallbackEndpointRow:
        return callback_endpoint_row(endpoint_id, await self._endpoints.state(by, endpoint_id))
