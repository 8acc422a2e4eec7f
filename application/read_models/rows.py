"""One row type per list; the first field is the row's key."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from attrs import field

from ...domain.value import value


@value
class Row:
    """The base of the rows."""


@value(kw_only=True)
class AccountRow(Row):
    """An account in the list of accounts."""

    id: str
    name: str
    created_at: datetime
    suspended_at: datetime | None


@value(kw_only=True)
class ApiKeyRow(Row):
    """An API key in the list of keys; neither the key nor its hash is in it."""

    id: str
    account_id: str
    name: str
    prefix: str
    scopes: tuple[str, ...]
    template_auto_match: bool
    expires_at: datetime | None
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None


@value(kw_only=True)
class CallbackEndpointRow(Row):
    """A callback endpoint in the list of callbacks; its secret is not in it (C-33)."""

    id: str
    account_id: str
    url: str = field(repr=False)
    events: tuple[str, ...]
    created_at: datetime
    removed_at: datetime | None


@value(kw_only=True)
class CallbackDeliveryRow(Row):
    """
    One event on its way to one endpoint; no event tells of it, and no replay gives it (D-67).

    Where there is a `url`, it came with a message, whose id stands for that of an endpoint.
    `event_version` is the event's in its stream. `queued_at` is when its attempts began, anew with each
    redelivery. `last_status` is the HTTP status that the last attempt heard, `error` the kind of its
    failure.
    """

    id: str
    account_id: str
    endpoint_id: str
    url: str | None = field(repr=False)
    type: str
    event_id: str
    event_version: int
    body: str = field(repr=False)
    created_at: datetime
    queued_at: datetime
    status: str
    attempts: int
    last_status: int | None
    error: str | None
    next_attempt_at: datetime | None
    ended_at: datetime | None


@value(kw_only=True)
class ChannelAccountRow(Row):
    """A channel account in the list of channel accounts."""

    id: str
    account_id: str
    channel_type: str
    provider: str
    name: str
    sender: str | None
    config: Mapping[str, Any] = field(repr=False)
    created_at: datetime


@value(kw_only=True)
class ConsentRow(Row):
    """
    A number on an opt list, or on none since it was taken off one (C-27).

    `recipient` is spelled as it was when last put on a list.
    """

    id: str
    account_id: str
    channel: str
    recipient: str = field(repr=False)
    opt_list: str | None
    since: datetime


@value(kw_only=True)
class DltTemplateRow(Row):
    """A registered DLT template (C-30)."""

    id: str
    account_id: str
    template_id: str
    entity_id: str
    text: str
    created_at: datetime
    removed_at: datetime | None


@value(kw_only=True)
class FallbackConfigurationRow(Row):
    """A fallback configuration in the list of fallback configurations."""

    id: str
    account_id: str
    fallback_id: str
    steps: tuple[str, ...]
    created_at: datetime


@value
class StepLine:
    """What became of one step of a fallback run, as far as the run knows (C-51)."""

    channel: str
    message_id: str | None
    status: str
    error_code: str | None


@value(kw_only=True)
class FallbackRunRow(Row):
    """A fallback run beside its message; what its steps send is not in it (C-51)."""

    id: str
    account_id: str
    message_id: str
    fallback_id: str
    status: str
    waittime_seconds: int
    deadline: datetime | None
    steps: tuple[StepLine, ...]
    created_at: datetime
    updated_at: datetime


@value
class HistoryLine:
    """One line of a message's history (C-23)."""

    status: str
    at: datetime
    error_code: str | None


@value(kw_only=True)
class MediaRow(Row):
    """A hosted medium (C-25); `size` is in bytes, `sha256` of them in hexadecimal."""

    id: str
    account_id: str
    name: str = field(repr=False)
    content_type: str
    size: int
    sha256: str
    created_at: datetime
    removed_at: datetime | None


@value(kw_only=True)
class LegacyTokenRow(Row):
    """
    A token of the legacy platform; no event tells of it, and no replay gives it (D-97).

    `generation` is the user's when it was given, `expires_at` an hour behind its last use; None for
    one that never expires.
    """

    token_hash: str = field(repr=False)
    user_id: str
    generation: int
    created_at: datetime
    expires_at: datetime | None


@value(kw_only=True)
class LegacyUserRow(Row):
    """A legacy user in the list of legacy users; neither the password nor its hash is in it."""

    id: str
    account_id: str
    email: str = field(repr=False)
    created_at: datetime
    removed_at: datetime | None


@value(kw_only=True)
class MessageRow(Row):
    """
    A message in the history; what it says is not in it (C-23).

    `reference` is the first of its custom references, which it is found by (C-37).
    `person_canonical` is the canonical number of the person it went to or came from,
    `own_canonical` that of the account which an inbound message was written to (C-28, C-59).
    `resource_type` is None where it came in by the API, as most do, or from a person.
    """

    id: str
    account_id: str
    direction: str
    channel: str
    channel_account_id: str
    sender: str = field(repr=False)
    recipient: str = field(repr=False)
    person_canonical: str = field(repr=False)
    own_canonical: str | None
    cust_refs: Mapping[str, str] = field(repr=False)
    reference: str | None = field(repr=False)
    campaign: str | None
    run_id: str | None
    sent_by_run: str | None
    resource_type: str | None
    tag1: str | None = field(repr=False)
    tag2: str | None = field(repr=False)
    tag3: str | None = field(repr=False)
    callback_url: str | None = field(repr=False)
    created_at: datetime
    status: str
    events: tuple[HistoryLine, ...]
    updated_at: datetime


@value(kw_only=True)
class MessageTemplateRow(Row):
    """
    An RCS or WhatsApp template in the fetch of templates; what it says is not in it (SPEC 4 A2, C-54).

    `sender_profile` is an RCS template's alone, `language` a WhatsApp template's. `category` is what
    requests call `messageType` on RCS.
    """

    id: str
    account_id: str
    channel: str
    sender_profile: str | None
    name: str
    language: str | None
    category: str
    status: str
    created_at: datetime
    updated_at: datetime


@value(kw_only=True)
class PinTemplateRow(Row):
    """A PIN template in the list of templates; `status_rank` sorts by declaration order (C-17)."""

    id: str
    account_id: str
    name: str
    name_folded: str
    status: str
    status_rank: int
    archived_at: datetime | None
    created_at: datetime
    updated_at: datetime


@value(kw_only=True)
class ShortLinkRow(Row):
    """
    A short link, by the id that follows from its code, with all that a click on it needs.

    Every click and switch is one event behind the first, so that both tell the stream's version too.
    """

    id: str
    account_id: str
    message_id: str | None
    url: str | None = field(repr=False)
    sealed: str | None = field(repr=False)
    created_at: datetime
    clicks: int
    clicked_at: datetime | None
    disabled_at: datetime | None
    switches: int


@value
class VerificationRow(Row):
    """
    A PIN in the search of verifications.

    `status` is the recorded one: a pending PIN past `expires_at` is shown as expired (C-15).
    `destination` is as given, `destination_canonical` what it is found by (C-28). `key_version` is
    the version of the code key that its newest code needs (C-3).
    """

    pin_id: str
    account_id: str
    template_id: str
    destination: str = field(repr=False)
    destination_canonical: str = field(repr=False)
    reference_id: str | None = field(repr=False)
    key_version: int
    created_at: datetime
    status: str
    attempts_remaining: int
    expires_at: datetime
    updated_at: datetime
    superseded_by: str | None
    channels: tuple[Mapping[str, Any], ...]
    channel_names: str


# What a replay of the log gives again, and the check of the audit compares.
ROWS: tuple[type[Row], ...] = (
    AccountRow,
    ApiKeyRow,
    CallbackEndpointRow,
    ChannelAccountRow,
    ConsentRow,
    DltTemplateRow,
    FallbackConfigurationRow,
    FallbackRunRow,
    MediaRow,
    LegacyUserRow,
    MessageRow,
    MessageTemplateRow,
    PinTemplateRow,
    ShortLinkRow,
    VerificationRow,
)
