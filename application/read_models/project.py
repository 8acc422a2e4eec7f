"""From the state of an aggregate to its row; a replay of the log gives the same rows again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from ...domain.account import Account
from ...domain.api_key import ApiKey
from ...domain.callback_endpoint import CallbackEndpoint
from ...domain.channel import Channel, ChannelOutcome
from ...domain.channel_account import ChannelAccount
from ...domain.chat_rating import ChatRating
from ...domain.consent import Consent
from ...domain.destination import canonical
from ...domain.dlt_template import DltTemplate
from ...domain.fallback_configuration import FallbackConfiguration
from ...domain.fallback_run import FallbackRun
from ...domain.legacy_user import LegacyUser
from ...domain.media import Media
from ...domain.message import Direction, Message, ResourceType
from ...domain.parked_receipt import ParkedReceipt
from ...domain.pin import Pin, Superseded
from ...domain.pin_code import key_version
from ...domain.pin_template import PinTemplate, TemplateStatus
from ...domain.rcs_template import RcsTemplate
from ...domain.receipt import Receipt
from ...domain.shared_content import SharedContent
from ...domain.short_link import ShortLink
from ...domain.whatsapp_template import WhatsappTemplate
from .rows import (
    AccountRow,
    ApiKeyRow,
    CallbackEndpointRow,
    ChannelAccountRow,
    ConsentRow,
    DltTemplateRow,
    FallbackConfigurationRow,
    FallbackRunRow,
    HistoryLine,
    LegacyUserRow,
    MediaRow,
    MessageRow,
    MessageTemplateRow,
    PinTemplateRow,
    Row,
    ShortLinkRow,
    StepLine,
    VerificationRow,
)

_STATUS_RANKS = {status: rank for rank, status in enumerate(TemplateStatus)}


def row_of(stream: str, state: Any) -> Row | None:
    """Give the row that shows this state; None for what no list shows."""
    return _PROJECTIONS[type(state)](stream, state)


def account_row(stream: str, account: Account) -> AccountRow:
    """Give an account's row."""
    assert account.created_at is not None
    return AccountRow(
        id=stream,
        name=account.name,
        created_at=account.created_at,
        suspended_at=account.suspended_at,
    )


def api_key_row(stream: str, key: ApiKey) -> ApiKeyRow:
    """Give an API key's row."""
    assert key.created_at is not None
    return ApiKeyRow(
        id=stream,
        account_id=key.account_id,
        name=key.name,
        prefix=key.prefix,
        scopes=tuple(str(scope) for scope in key.scopes),
        template_auto_match=key.template_auto_match,
        expires_at=key.expires_at,
        created_at=key.created_at,
        last_used_at=key.last_used_at,
        revoked_at=key.revoked_at,
    )


def callback_endpoint_row(stream: str, endpoint: CallbackEndpoint) -> CallbackEndpointRow:
    """Give a callback endpoint's row."""
    assert endpoint.created_at is not None
    return CallbackEndpointRow(
        id=stream,
        account_id=endpoint.account_id,
        url=endpoint.url,
        events=endpoint.events,
        created_at=endpoint.created_at,
        removed_at=endpoint.removed_at,
    )


def channel_account_row(stream: str, account: ChannelAccount) -> ChannelAccountRow:
    """Give a channel account's row."""
    assert account.created_at is not None
    return ChannelAccountRow(
        id=stream,
        account_id=account.account_id,
        channel_type=str(account.channel_type),
        provider=account.provider,
        name=account.name,
        sender=account.sender,
        config=account.config,
        created_at=account.created_at,
    )


def _consent_row(stream: str, consent: Consent) -> ConsentRow:
    assert consent.since is not None
    return ConsentRow(
        id=stream,
        account_id=consent.account_id,
        channel=str(consent.channel),
        recipient=consent.recipient,
        opt_list=consent.opt_list and str(consent.opt_list),
        since=consent.since,
    )


def dlt_template_row(stream: str, template: DltTemplate) -> DltTemplateRow:
    """Give a DLT template's row."""
    assert template.created_at is not None
    return DltTemplateRow(
        id=stream,
        account_id=template.account_id,
        template_id=template.template_id,
        entity_id=template.entity_id,
        text=template.text,
        created_at=template.created_at,
        removed_at=template.removed_at,
    )


def fallback_configuration_row(
    stream: str, configuration: FallbackConfiguration
) -> FallbackConfigurationRow:
    """Give a fallback configuration's row."""
    assert configuration.created_at is not None
    return FallbackConfigurationRow(
        id=stream,
        account_id=configuration.account_id,
        fallback_id=configuration.fallback_id,
        steps=configuration.steps,
        created_at=configuration.created_at,
    )


def _fallback_run_row(stream: str, run: FallbackRun) -> FallbackRunRow:
    assert run.created_at is not None
    assert run.updated_at is not None
    return FallbackRunRow(
        id=stream,
        account_id=run.account_id,
        message_id=run.message_id,
        fallback_id=run.fallback_id,
        status=str(run.status),
        waittime_seconds=run.waittime_seconds,
        deadline=run.deadline,
        steps=tuple(
            StepLine(str(step.channel), step.message_id, str(step.status), step.error_code)
            for step in run.steps
        ),
        created_at=run.created_at,
        updated_at=run.updated_at,
    )


def media_row(stream: str, media: Media) -> MediaRow:
    """Give a medium's row."""
    assert media.created_at is not None
    return MediaRow(
        id=stream,
        account_id=media.account_id,
        name=media.name,
        content_type=media.content_type,
        size=media.size,
        sha256=media.sha256,
        created_at=media.created_at,
        removed_at=media.removed_at,
    )


def legacy_user_row(stream: str, user: LegacyUser) -> LegacyUserRow:
    """Give a legacy user's row."""
    assert user.created_at is not None
    return LegacyUserRow(
        id=stream,
        account_id=user.account_id,
        email=user.email,
        created_at=user.created_at,
        removed_at=user.removed_at,
    )


def _message_row(stream: str, message: Message) -> MessageRow:
    assert message.created_at is not None
    assert message.updated_at is not None
    inbound = message.direction is Direction.INBOUND
    return MessageRow(
        id=stream,
        account_id=message.account_id,
        direction=str(message.direction),
        channel=str(message.channel),
        channel_account_id=message.channel_account_id,
        sender=message.sender,
        recipient=message.recipient,
        person_canonical=canonical(message.sender if inbound else message.recipient),
        own_canonical=canonical(message.recipient) if inbound else None,
        cust_refs=message.cust_refs,
        reference=next((text for text in message.cust_refs.values() if text), None),
        campaign=message.campaign,
        run_id=message.run_id,
        sent_by_run=message.sent_by_run,
        resource_type=(
            None if message.resource_type is ResourceType.API else str(message.resource_type)
        ),
        tag1=message.tags.get("tag1"),
        tag2=message.tags.get("tag2"),
        tag3=message.tags.get("tag3"),
        callback_url=message.callback_url,
        created_at=message.created_at,
        status=str(message.status),
        events=tuple(
            HistoryLine(str(line.status), line.at, line.error_code) for line in message.history
        ),
        updated_at=message.updated_at,
    )


def _no_row(_stream: str, _state: Any) -> None:
    """Show nothing: what has no list of its own."""


def _pin_template_row(stream: str, template: PinTemplate) -> PinTemplateRow:
    assert template.created_at is not None
    assert template.updated_at is not None
    return PinTemplateRow(
        id=stream,
        account_id=template.account_id,
        name=template.name,
        name_folded=template.name.casefold(),
        status=str(template.status),
        status_rank=_STATUS_RANKS[template.status],
        archived_at=template.archived_at,
        created_at=template.created_at,
        updated_at=template.updated_at,
    )


def _rcs_template_row(stream: str, template: RcsTemplate) -> MessageTemplateRow:
    assert template.created_at is not None
    assert template.updated_at is not None
    return MessageTemplateRow(
        id=stream,
        account_id=template.account_id,
        channel=str(Channel.RCS),
        sender_profile=template.sender_profile,
        name=template.name,
        language=None,
        category=str(template.message_type),
        status=str(template.status),
        created_at=template.created_at,
        updated_at=template.updated_at,
    )


def _short_link_row(stream: str, link: ShortLink) -> ShortLinkRow:
    assert link.created_at is not None
    return ShortLinkRow(
        id=stream,
        account_id=link.account_id,
        message_id=link.message_id,
        url=link.url,
        sealed=link.sealed,
        created_at=link.created_at,
        clicks=link.clicks,
        clicked_at=link.clicked_at,
        disabled_at=link.disabled_at,
        switches=link.switches,
    )


def _verification_row(stream: str, pin: Pin) -> VerificationRow:
    assert pin.created_at is not None
    assert pin.updated_at is not None
    assert pin.expires_at is not None
    names: Collection[str] = pin.undispatched.get(pin.issue, ())
    outcomes: tuple[Mapping[str, Any], ...] = ()
    if pin.outcomes:
        names = [outcome.channel for outcome in pin.outcomes]
        outcomes = tuple([_outcome(each, pin.receipts.get(each.channel)) for each in pin.outcomes])
    # By place, as every step of a PIN makes one: with names, Python takes half as long again (D-121).
    return VerificationRow(
        stream,
        pin.account_id,
        pin.template_id,
        pin.destination,
        canonical(pin.destination),
        pin.reference_id,
        key_version(pin.code_hash),
        pin.created_at,
        str(pin.life.status),
        pin.attempts_remaining,
        pin.expires_at,
        pin.updated_at,
        pin.life.by if isinstance(pin.life, Superseded) else None,
        outcomes,
        f",{','.join(names)},",
    )


def _outcome(outcome: ChannelOutcome, receipt: Receipt | None) -> dict[str, Any]:
    shown = {
        "channel": str(outcome.channel),
        "channel_account_id": outcome.channel_account_id,
        "status": str(outcome.status),
        "provider_message_id": outcome.provider_message_id,
        "error_code": outcome.error_code,
        "error_message": outcome.error_message,
    }
    return shown if receipt is None else {**shown, "receipt": _receipt(receipt)}


def _receipt(receipt: Receipt) -> dict[str, Any]:
    # As text, since that is what comes back from a column.
    return {
        "status": str(receipt.status),
        "at": receipt.reported_at.isoformat(),
        "error_code": receipt.error_code,
    }


def _whatsapp_template_row(stream: str, template: WhatsappTemplate) -> MessageTemplateRow:
    assert template.created_at is not None
    assert template.updated_at is not None
    return MessageTemplateRow(
        id=stream,
        account_id=template.account_id,
        channel=str(Channel.WHATSAPP),
        sender_profile=None,
        name=template.name,
        language=template.language,
        category=str(template.category),
        status=str(template.status),
        created_at=template.created_at,
        updated_at=template.updated_at,
    )


_PROJECTIONS: dict[type, Callable[[str, Any], Row | None]] = {
    Account: account_row,
    ApiKey: api_key_row,
    CallbackEndpoint: callback_endpoint_row,
    ChannelAccount: channel_account_row,
    # Ratings are read in the log.
    ChatRating: _no_row,
    Consent: _consent_row,
    DltTemplate: dlt_template_row,
    FallbackConfiguration: fallback_configuration_row,
    FallbackRun: _fallback_run_row,
    Media: media_row,
    LegacyUser: legacy_user_row,
    Message: _message_row,
    # A parked receipt is shown once it has found its message, in that message's history.
    ParkedReceipt: _no_row,
    PinTemplate: _pin_template_row,
    Pin: _verification_row,
    RcsTemplate: _rcs_template_row,
    # What messages say is in no list (C-23).
    SharedContent: _no_row,
    ShortLink: _short_link_row,
    WhatsappTemplate: _whatsapp_template_row,
}
