"""PIN templates for embedders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...application.paging import DEFAULT_PAGE_SIZE, Listed, Paging
from ...application.pins.managing_pin_templates import TemplateSearch
from ...application.pins.views import PinTemplateView
from ...domain.pin_template.policy import PinPolicy
from ..wire.typed_requests import NewPinTemplate, PinTemplatePatch, revised_policy, with_policy
from .leasing import Facade
from .references import (
    Reference,
    account_filter,
    acting_for,
    documented,
    embedder,
    id_of,
    options_of,
)


class PinTemplates(Facade):
    """PIN templates. A channel is a `ChannelEntry`, or a dictionary in either spelling."""

    async def create(
        self, /, account: Reference, name: str, channels: Sequence[Any], **limits: Any
    ) -> PinTemplateView:
        """Create a template; `limits` are the fields of `PinPolicy`, such as `pin_length=8`."""
        raw = documented(
            name=name, channels=_channel_entries(channels), **options_of(PinPolicy, limits)
        )
        body, policy = with_policy(raw, NewPinTemplate)
        return await self._parts.pin_templates.create(
            await acting_for(self._parts, account),
            name=body.name,
            policy=policy,
            channels=body.channels,
        )

    async def get(self, template: Reference) -> PinTemplateView:
        """Return a template; raise `TemplateNotFoundError`."""
        return await self._parts.pin_templates.get(embedder(self._parts, ""), id_of(template))

    async def list(
        self,
        account: Reference | None = None,
        search: TemplateSearch = TemplateSearch(),  # noqa: B008  frozen, so it can be shared
        page: int = 1,
        page_size: int = DEFAULT_PAGE_SIZE,
    ) -> Listed[PinTemplateView]:
        """List templates (D4)."""
        account_id = await account_filter(self._parts, account)
        paging = Paging.clamped(page, page_size)
        return await self._parts.pin_templates.list(account_id, search, paging)

    async def revise(
        self,
        /,
        template: Reference,
        name: str | None = None,
        channels: Sequence[Any] | None = None,
        **limits: Any,
    ) -> PinTemplateView:
        """Replace the given fields, and leave the others as they are; `receipt=None` ends receipts."""
        raw = documented(
            name=name,
            channels=None if channels is None else _channel_entries(channels),
            **options_of(PinPolicy, limits),
        )
        if "receipt" in limits:
            raw["receipt"] = limits["receipt"]
        body, _ = with_policy(raw, PinTemplatePatch)
        return await self._parts.pin_templates.revise(
            embedder(self._parts, ""),
            id_of(template),
            name=body.name,
            policy=revised_policy(raw),
            channels=body.channels,
        )

    async def enable(self, template: Reference) -> PinTemplateView:
        """Allow sends under a template again."""
        return await self._parts.pin_templates.enable(embedder(self._parts, ""), id_of(template))

    async def disable(self, template: Reference) -> PinTemplateView:
        """Stop sends under a template."""
        return await self._parts.pin_templates.disable(embedder(self._parts, ""), id_of(template))

    async def archive(self, template: Reference) -> PinTemplateView:
        """Archive a template; it can never be used again."""
        return await self._parts.pin_templates.archive(embedder(self._parts, ""), id_of(template))


def _channel_entries(channels: Sequence[Any]) -> list[Any]:
    """Return the channels of a template in the documented spelling."""
    return [documented(**each) if isinstance(each, Mapping) else each for each in channels]
