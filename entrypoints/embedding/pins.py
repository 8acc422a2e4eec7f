"""The PIN service for embedders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from attrs import evolve

from ...application.paging import DEFAULT_PAGE_SIZE, Listed, Paging
from ...application.pins.issuing_pins import IssueRequest
from ...application.pins.resending_pins import ResendRequest
from ...application.pins.sending_pins import SentPin
from ...application.pins.verifying_pins import VerifiedPin
from ...application.pins.views import VerificationView
from ...application.ports.event_store import KeyAnswered
from ..wire.searches import verification_search
from ..wire.structuring import structure
from ..wire.typed_requests import VerifyRequest
from .leasing import Facade, Lease
from .references import (
    PinReference,
    Reference,
    account_filter,
    acting_for,
    calling_for,
    documented,
    id_of,
    pin_of,
)
from .saved_results import Saver


class Pins(Facade):
    """The PIN service: issue, resend, verify, look up."""

    def __init__(self, lease: Lease) -> None:
        super().__init__(lease)
        self._saver = Saver(lease.parts.idempotency_keys, SentPin)

    async def issue(
        self,
        account: Reference,
        template: Reference,
        destination: str,
        channels: Sequence[str] | None = None,
        reference_id: str | None = None,
        params: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
        context: Mapping[str, str] | None = None,
        locale: str | None = None,
    ) -> SentPin:
        """
        Create a PIN and send its code (D1).

        `context` has the user's `ip` and `userAgent`, if they are known; the guard counts by them. `locale`
        is the user's language, such as `pt-BR`, and chooses among the template's texts. With
        an `idempotency_key`, the same call within 24 hours returns the first result again.
        """
        raw = documented(
            template_id=id_of(template, "template_id"),
            destination=destination,
            channels=channels,
            reference_id=reference_id,
            template_params=params,
            context=context,
            locale=locale,
        )
        wanted = structure(raw, IssueRequest)
        by = await calling_for(self._parts, account)
        idempotency = self._saver.idempotency(by, "issue", idempotency_key, raw)
        try:
            return await self._parts.issuing.issue(by, wanted, idempotency)
        except KeyAnswered as known:
            return self._saver.result(idempotency, known.answer)

    async def resend(
        self,
        account: Reference,
        pin: PinReference,
        channels: Sequence[str] | None = None,
        params: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
    ) -> SentPin:
        """Replace a PIN's code by a new one and send it (D2)."""
        pin_id = pin_of(pin)
        raw = documented(channels=channels, template_params=params)
        wanted = structure(raw, ResendRequest)
        by = await calling_for(self._parts, account)
        idempotency = self._saver.idempotency(by, f"resend {pin_id}", idempotency_key, raw)
        try:
            return await self._parts.resending.resend(by, pin_id, wanted, idempotency)
        except KeyAnswered as known:
            return self._saver.result(idempotency, known.answer)

    async def verify(self, account: Reference, pin: PinReference, code: str) -> VerifiedPin:
        """
        Verify a code as the user typed it (D3); raise `PinIncorrectError` for a wrong one.

        Under a template with `receipt`, the result has a receipt, issued by `public_url` if it is known.
        """
        typed = structure({"pin": code}, VerifyRequest).pin
        verifying = self._parts.verifying
        by = await calling_for(self._parts, account)
        verified = await verifying.verify(by, pin_of(pin), typed)
        return verifying.signed(verified, self._parts.short_domains.base_url)

    def receipt_keys(self) -> list[Mapping[str, str]]:
        """Return the public keys of verification receipts as JWKs, for a JWK Set of your own (C-83)."""
        return list(self._parts.receipts.public_keys())

    async def get(self, account: Reference, pin: PinReference) -> VerificationView:
        """Return a PIN as searches show it; raise `PinNotFoundError`."""
        account_id = (await acting_for(self._parts, account)).account_id
        return await self._parts.verifications.get(account_id, pin_of(pin))

    async def list(
        self,
        page: int = 1,
        page_size: int = DEFAULT_PAGE_SIZE,
        *,
        account: Reference | None = None,
        reference_id: str | None = None,
        destination: str | None = None,
        template_id: str | None = None,
        status: str | None = None,
        channel: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> Listed[VerificationView]:
        """Search PINs, the newest first."""
        account_id = await account_filter(self._parts, account)
        given = documented(
            reference_id=reference_id,
            destination=destination,
            template_id=template_id,
            status=status,
            channel=channel,
            since=since,
            until=until,
        )
        search = evolve(verification_search(given), account_id=account_id)
        return await self._parts.verifications.search(search, Paging.clamped(page, page_size))
