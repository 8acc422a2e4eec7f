"""A message as the delivery report shows it, and what was heard of one, line by line (C-23, C-37, C-62)."""

from __future__ import annotations

from typing import Any

from ...application.messages.searching_messages import ReportedMessage
from ...application.read_models.rows import HistoryLine, StepLine
from ..codec import wire_time
from ..messaging.message_questions import TAGS


def reported_message(message: ReportedMessage) -> dict[str, Any]:
    """Give a message of the report as plain data in the wire's spelling; never what it says."""
    row = message.row
    return {
        "messageId": row.id,
        "accountId": row.account_id,
        "channelType": row.channel,
        "channelName": message.channel_name,
        "channelAccountId": row.channel_account_id,
        "resourceType": message.resource_type,
        "direction": row.direction,
        "sender": row.sender,
        "recipient": row.recipient,
        "status": row.status,
        "errorCode": message.error_code,
        "campaignName": row.campaign,
        "custRefs": row.cust_refs,
        "tags": {name: tag for name in TAGS if (tag := getattr(row, name)) is not None},
        "fallbackRunId": row.run_id,
        "sentByRunId": row.sent_by_run,
        "actor": message.actor,
        "apiKeyName": message.api_key_name,
        "createdAt": wire_time(row.created_at),
        "updatedAt": wire_time(row.updated_at),
        "events": [history_line(line) for line in row.events],
    }


def history_line(line: HistoryLine) -> dict[str, Any]:
    """Give what was heard of a message at one time."""
    return {"status": line.status, "at": wire_time(line.at), **error_code(line)}


def error_code(line: HistoryLine | StepLine) -> dict[str, str]:
    """Give the member for what went wrong, where something did."""
    return {} if line.error_code is None else {"errorCode": line.error_code}
