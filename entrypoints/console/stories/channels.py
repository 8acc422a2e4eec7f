"""The outcomes, attempts and receipts of a code or a message on its channels, as rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from .telling import channel_words


@frozen(kw_only=True)
class Attempt:
    """One attempt to send through a channel account."""

    account: str
    status: str
    code: str


@frozen(kw_only=True)
class ChannelLine:
    """A channel of a code: its outcome, the attempts that led to it, and its newest receipt."""

    channel: str
    account: str
    status: str
    code: str
    message: str
    provider_id: str
    receipt: str
    receipt_at: str
    receipt_code: str
    attempts: tuple[Attempt, ...]


def channel_lines(record: Mapping[str, Any], names: Mapping[str, str]) -> Sequence[ChannelLine]:
    """Return the channels of a verification's record; `names` are those of channel accounts."""
    return [_line(each, names) for each in record["channels"]]


def attempts(tried: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> tuple[Attempt, ...]:
    """Return the attempts of a dispatch, in their order."""
    return tuple(
        Attempt(
            account=_named(each.get("channelAccountId"), names),
            status=str(each["status"]),
            code=each.get("code") or "",
        )
        for each in tried
    )


def _line(channel: Mapping[str, Any], names: Mapping[str, str]) -> ChannelLine:
    receipt = channel.get("receipt") or {}
    return ChannelLine(
        channel=channel_words(channel["channel"]),
        account=_named(channel.get("channelAccountId"), names),
        status=str(channel["status"]),
        code=channel.get("errorCode") or "",
        message=channel.get("errorMessage") or "",
        provider_id=channel.get("providerMessageId") or "",
        receipt=receipt.get("status", ""),
        receipt_at=receipt.get("at", ""),
        receipt_code=receipt.get("errorCode") or "",
        attempts=attempts(channel.get("tried") or (), names),
    )


def _named(account: str | None, names: Mapping[str, str]) -> str:
    return names.get(account, account) if account else ""
