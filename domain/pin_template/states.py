"""The state of a PIN template."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import assert_never, get_args

import attrs
from attrs import frozen

from ..channel import Channel
from ..decider import Decider
from .channel_content import TemplateChannel
from .events import (
    PinTemplateArchived,
    PinTemplateCreated,
    PinTemplateDisabled,
    PinTemplateEnabled,
    PinTemplateRevised,
)
from .policy import PinPolicy

LaterPinTemplateEvent = (
    PinTemplateRevised | PinTemplateEnabled | PinTemplateDisabled | PinTemplateArchived
)
PinTemplateEvent = PinTemplateCreated | LaterPinTemplateEvent


class TemplateStatus(StrEnum):
    """Whether PINs may be sent under a template, in the order of declaration (C-17)."""

    ENABLED = "enabled"
    DISABLED = "disabled"


@frozen(kw_only=True)
class PinTemplate:
    """The state of a template: its limits and channel entries. Exactly one entry is the default."""

    account_id: str
    name: str
    status: TemplateStatus = TemplateStatus.ENABLED
    archived_at: datetime | None = None
    created_at: datetime
    updated_at: datetime
    created_by: str
    updated_by: str
    policy: PinPolicy
    channels: tuple[TemplateChannel, ...]

    @cached_property
    def by_channel(self) -> Mapping[Channel, tuple[TemplateChannel, ...]]:
        """The entries by their channels; a channel has one for each language (C-86)."""
        found: dict[Channel, list[TemplateChannel]] = {}
        for entry in self.channels:
            found.setdefault(entry.channel_type, []).append(entry)
        return {channel: tuple(entries) for channel, entries in found.items()}

    @cached_property
    def default_channel(self) -> Channel:
        """The channel of a send that names none."""
        return next(entry.channel_type for entry in self.channels if entry.is_default)


def begin(event: PinTemplateCreated) -> PinTemplate:
    """Return the state after the first event."""
    return PinTemplate(
        account_id=event.account_id,
        name=event.name,
        created_at=event.at,
        updated_at=event.at,
        created_by=event.by,
        updated_by=event.by,
        policy=event.policy,
        channels=event.channels,
    )


def evolve(template: PinTemplate, event: LaterPinTemplateEvent) -> PinTemplate:
    """Apply a later event."""
    match event:
        case PinTemplateRevised():
            revised = attrs.evolve(
                template, name=event.name, policy=event.policy, channels=event.channels
            )
        case PinTemplateEnabled():
            revised = attrs.evolve(template, status=TemplateStatus.ENABLED)
        case PinTemplateDisabled():
            revised = attrs.evolve(template, status=TemplateStatus.DISABLED)
        case PinTemplateArchived():
            revised = attrs.evolve(template, archived_at=event.at)
        case _:
            assert_never(event)
    return attrs.evolve(revised, updated_at=event.at, updated_by=event.by)


pin_template_decider: Decider[PinTemplate] = Decider(
    "pin_template", begin, (PinTemplateCreated,), evolve, get_args(LaterPinTemplateEvent)
)
