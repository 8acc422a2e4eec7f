"""The PIN service."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from .. import calls
from ..data.pins import (
    CallerContext,
    CreatePin,
    ListTemplates,
    Pin,
    PinChannel,
    PinTemplatePage,
    ResendPin,
    StandingPin,
    VerifiedPin,
    VerifyPin,
)
from .calling import AsyncCalling


class AsyncPins:
    """Issue, resend, verify and look up PINs."""

    def __init__(self, calling: AsyncCalling) -> None:
        self._calling = calling

    async def issue(
        self,
        template: str,
        destination: str,
        *,
        channels: Sequence[PinChannel] | None = None,
        reference_id: str | None = None,
        params: Mapping[str, str] | None = None,
        context: CallerContext | None = None,
        locale: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Pin:
        """
        Create a PIN and send its code (D1).

        Attempts share one Idempotency-Key, yours or a new one, so a lost answer is no second code. Raise
        `DispatchFailedError` if no channel took the code, `RateLimitedError` and others.
        """
        request = CreatePin(
            destination=destination,
            template_id=template,
            channels=channels,
            reference_id=reference_id,
            template_params=params,
            context=context,
            locale=locale,
        )
        return await self._calling.make(
            calls.CREATE_PIN, request, idempotency_key=idempotency_key, timeout=timeout
        )

    async def resend(
        self,
        pin: str,
        *,
        channels: Sequence[PinChannel] | None = None,
        params: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Pin:
        """
        Replace a PIN's code by a new one and send it (D2), under one Idempotency-Key, as `issue` does.

        Raise `ResendCooldownError` if it is too early, `PinNotFoundError` and others.
        """
        return await self._calling.make(
            calls.RESEND_PIN,
            ResendPin(channels=channels, template_params=params),
            path={"pin_id": pin},
            idempotency_key=idempotency_key,
            timeout=timeout,
        )

    async def verify(self, pin: str, code: str, *, timeout: float | None = None) -> VerifiedPin:
        """
        Verify a code as the user typed it (D3).

        Raise `PinIncorrectError` for a wrong code, `PinExpiredError`, `PinBlockedError`,
        `PinAlreadyVerifiedError` and others. The call is made again only where no guess was judged, because
        each may use up an attempt: after `AnswerLostError`, look at `get`.
        """
        return await self._calling.make(
            calls.VERIFY_PIN, VerifyPin(pin=code), path={"pin_id": pin}, timeout=timeout
        )

    async def get(self, pin: str, *, timeout: float | None = None) -> StandingPin:
        """Return a PIN as it stands; raise `PinNotFoundError`."""
        return await self._calling.make(calls.GET_PIN, path={"pin_id": pin}, timeout=timeout)


class AsyncPinTemplates:
    """The templates of PINs, which operators make."""

    def __init__(self, calling: AsyncCalling) -> None:
        self._calling = calling

    async def list(
        self,
        *,
        search: str | None = None,
        status: Literal["enabled", "disabled"] | None = None,
        include_archived: bool | None = None,
        sort_by: Literal["createdAt", "updatedAt", "name", "status"] | None = None,
        sort_direction: Literal["asc", "desc"] | None = None,
        page: int | None = None,
        page_size: int | None = None,
        timeout: float | None = None,
    ) -> PinTemplatePage:
        """Return a page of PIN templates (D4); the first is 1."""
        request = ListTemplates(
            search=search,
            status=status,
            include_archived=include_archived,
            sort_by=sort_by,
            sort_direction=sort_direction,
            page=page,
            page_size=page_size,
        )
        return await self._calling.make(calls.LIST_TEMPLATES, request, timeout=timeout)
