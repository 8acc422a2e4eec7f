"""From the state of an aggregate to its row; a replay of the log gives the same rows again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...domain.account import Account
from ...domain.api_key import ApiKey
from ...domain.channel import ChannelOutcome
from ...domain.channel_account import ChannelAccount
from ...domain.destination import canonical
from ...domain.fallback_configuration import FallbackConfiguration
from ...domain.pin import Pin, Superseded
from ...domain.pin_code import key_version
from ...domain.pin_template import PinTemplate, TemplateStatus
from .rows import (
    AccountRow,
    ApiKeyRow,
    ChannelAccountRow,
    FallbackConfigurationRow,
    PinTemplateRow,
    Row,
    VerificationRow,
)

_STATUS_RANKS = {status: rank for rank, status in enumerate(TemplateStatus)}


def row_of(stream: str, state: Any) -> Row:
    """Give the row that shows this state."""
    return _PROJECTIONS[type(state)](stream, state)


def account_row(stream: str, account: Account) -> AccountRow:
    """Give an account's row."""
    assert account.created_at is not None
    return AccountRow(id=stream, name=account.name, created_at=account.created_at)


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


def _verification_row(stream: str, pin: Pin) -> VerificationRow:
    assert pin.created_at is not None
    assert pin.updated_at is not None
    assert pin.expires_at is not None
    names = [str(outcome.channel) for outcome in pin.outcomes] or [
        str(channel) for channel in pin.undispatched.get(pin.issue, ())
    ]
    return VerificationRow(
        pin_id=stream,
        account_id=pin.account_id,
        template_id=pin.template_id,
        destination=pin.destination,
        destination_canonical=canonical(pin.destination),
        reference_id=pin.reference_id,
        key_version=key_version(pin.code_hash),
        created_at=pin.created_at,
        status=str(pin.life.status),
        attempts_remaining=pin.attempts_remaining,
        expires_at=pin.expires_at,
        updated_at=pin.updated_at,
        superseded_by=pin.life.by if isinstance(pin.life, Superseded) else None,
        channels=tuple(_outcome(outcome) for outcome in pin.outcomes),
        channel_names=f",{','.join(names)},",
    )


def _outcome(outcome: ChannelOutcome) -> dict[str, Any]:
    return {
        "channel": str(outcome.channel),
        "channel_account_id": outcome.channel_account_id,
        "status": str(outcome.status),
        "provider_message_id": outcome.provider_message_id,
        "error_code": outcome.error_code,
        "error_message": outcome.error_message,
    }


_PROJECTIONS: dict[type, Callable[[str, Any], Row]] = {
    Account: account_row,
    ApiKey: api_key_row,
    ChannelAccount: channel_account_row,
    FallbackConfiguration: fallback_configuration_row,
    PinTemplate: _pin_template_row,
    Pin: _verification_row,
}
