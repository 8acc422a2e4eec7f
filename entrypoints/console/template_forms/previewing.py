"""The previews of a PIN template's channels, as they go out by its channel accounts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from ....application.caller import Caller
from ....application.channel_accounts.views import ChannelAccountView
from ....application.message_templates.template_kinds import WHATSAPP_TEMPLATES
from ....application.paging import MAX_PAGE_SIZE, Paging
from ....domain.accounts.channel_account import ChannelAccountNotFoundError
from ....domain.channel import Channel
from ....domain.errors import ValidationFailedError
from ....domain.pin_template.pin_type import PinType
from ....domain.pin_template.policy import LONGEST_PIN, SHORTEST_PIN, PinPolicy
from ....domain.template_filling import MessageTemplateNotFoundError
from ...message_templates.whatsapp_writing import shown_whatsapp_template
from ...wired import Wired
from ..previews.pin_templates import entry_preview, example_code
from ..previews.reading import at, list_at, text_at
from ..previews.shown import Preview


class ChannelAccounts:
    """The channel accounts that the entries of a template use, or may use."""

    def __init__(self, found: Mapping[str, ChannelAccountView]) -> None:
        self._found = found

    @classmethod
    async def of_account(cls, service: Wired, account_id: str) -> ChannelAccounts:
        """Return those of an account, the newest hundred."""
        listed = await service.channel_accounts.list(account_id, Paging(page_size=MAX_PAGE_SIZE))
        return cls({each.id: each for each in listed.data})

    @classmethod
    async def of_template(
        cls, service: Wired, by: Caller, template: Mapping[str, Any]
    ) -> ChannelAccounts:
        """Return those that a template uses."""
        found = {}
        for entry in list_at(template, "channels"):
            channel_account_id = text_at(entry, "channelAccountId")
            try:
                account = await service.channel_accounts.get(by, channel_account_id)
            except ChannelAccountNotFoundError:
                continue
            found[channel_account_id] = account
        return cls(found)

    @property
    def account_id(self) -> str | None:
        """The account that they belong to."""
        return next((each.account_id for each in self._found.values()), None)

    def has(self, channel: str) -> bool:
        """Return whether one of them is for a channel."""
        return any(each.channel_type == channel for each in self._found.values())

    def name(self, channel_account_id: str) -> str:
        """Return the name of one; its id, if it is unknown."""
        found = self._found.get(channel_account_id)
        return channel_account_id if found is None else found.name

    def sender(self, channel_account_id: str) -> str:
        """Return the sender of an entry; empty if its channel account has none."""
        found = self._found.get(channel_account_id)
        return "" if found is None else found.sender or ""

    def options(self, channel: str, chosen: str) -> list[tuple[str, str]]:
        """Return the choices of an entry, with the one that it has, if it is not among them."""
        known = [
            (each.id, each.name if each.enabled else f"{each.name} (disabled)")
            for each in self._found.values()
            if each.channel_type == channel
        ]
        others = [(chosen, chosen)] if chosen and chosen not in dict(known) else []
        return [("", "the oldest that is enabled"), *known, *others]


async def pin_previews(
    service: Wired,
    by: Caller,
    template: Mapping[str, Any],
    accounts: ChannelAccounts,
    account_id: str | None,
) -> list[Preview]:
    """Return the preview of each channel of a template, a stored one or a draft."""
    code = example_code(_pin_type(template), _length(template))
    return [
        attrs.evolve(
            entry_preview(
                entry,
                code,
                sender=accounts.sender(text_at(entry, "channelAccountId")),
                provider_template=await _provider_template(service, by, account_id, entry),
            ),
            language=text_at(entry, "languageCode"),
        )
        for entry in list_at(template, "channels")
    ]


async def _provider_template(
    service: Wired, by: Caller, account_id: str | None, entry: Any
) -> Mapping[str, Any] | None:
    """Return the WhatsApp template that an entry names, if the account has it in our store."""
    name = text_at(entry, "providerTemplateRef")
    if account_id is None or text_at(entry, "channelType") != Channel.WHATSAPP or not name:
        return None
    language = text_at(entry, "languageCode") or None
    try:
        found = await service.finding_templates.whatsapp_template(account_id, name, language)
    except (MessageTemplateNotFoundError, ValidationFailedError):
        return None
    template = await service.fetching_templates.get(by, WHATSAPP_TEMPLATES, found)
    return shown_whatsapp_template(template)


def _pin_type(template: Mapping[str, Any]) -> PinType:
    given = text_at(template, "pinType")
    return PinType(given) if given in tuple(PinType) else PinPolicy().pin_type


def _length(template: Mapping[str, Any]) -> int:
    given = at(template, "pinLength")
    known = isinstance(given, int) and SHORTEST_PIN <= given <= LONGEST_PIN
    return given if known else PinPolicy().pin_length
