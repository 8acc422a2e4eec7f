"""A message as the delivery report shows it, and what was heard of one, line by line (C-23, C-37, C-62)."""

from __future__ import annotations

from typing import Any

from ...application.messages.looking_up.reading_histories import HistoryEntry, StepProgress
from ...application.messages.looking_up.searching_messages import ReportedMessage
from ..wire.codec import wire_time


def reported_message(message: ReportedMessage) -> dict[str, Any]:
    """Return a message of the report as plain data in the wire's spelling; never what it says."""
    return {
        "messageId": message.message_id,
        "accountId": message.account_id,
        "channelType": message.channel,
        "channelName": message.channel_name,
        "channelAccountId": message.channel_account_id,
        "resourceType": message.resource_type,
        "direction": message.direction,
        "sender": message.sender,
        "recipient": message.recipient,
        "status": message.status,
        "errorCode": message.error_code,
        "campaignName": message.campaign,
        "custRefs": message.cust_refs,
        "tags": message.tags,
        "fallbackRunId": message.run_id,
        "sentByRunId": message.sent_by_run,
        "actor": message.actor,
        "apiKeyName": message.api_key_name,
        "createdAt": wire_time(message.created_at),
        "updatedAt": wire_time(message.updated_at),
        "events": [history_line(line) for line in message.events],
    }


def history_line(line: HistoryEntry) -> dict[str, Any]:
    """Return what was heard of a message at one time."""
    return {"status": line.status, "at": wire_time(line.at), **error_code(line)}


def error_code(line: HistoryEntry | StepProgress) -> dict[str, str]:
    """Return the member for what went wrong, where something did."""
    return {} if line.error_code is None else {"errorCode": line.error_code}
