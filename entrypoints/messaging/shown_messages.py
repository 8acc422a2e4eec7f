"""Messages in answers: to sends, in histories and in the delivery report (C-19, C-23, C-37)."""

from __future__ import annotations

from typing import Any

from ...application.messages.looking_up.views import (
    FallbackProgress,
    FollowedMessage,
    HistoryEntry,
    ReportedMessage,
    StepProgress,
    TriedChannelAccount,
    UnknownMessage,
)
from ...application.messages.sending_messages import SentMessage, SentMessages
from ..wire.codec import wire_time


def reported_message(message: ReportedMessage) -> dict[str, Any]:
    """Return a message of the report as plain data in the wire's spelling, without its content."""
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
        "events": [_history_line(line) for line in message.events],
    }


def sent_messages(sent: SentMessages, request_id: str) -> dict[str, Any]:
    """Return the answer to a send (C-19)."""
    body: dict[str, Any] = {
        "status": "success",
        "requestId": request_id,
        "data": [_sent_message(message) for message in sent.messages],
    }
    if sent.fallback is not None:
        body["fallback"] = {
            "fallback_id": sent.fallback.fallback_id,
            # A text, as in SPEC 2.6 (D-42).
            "waittime": str(sent.fallback.waittime_seconds),
            "deadline": wire_time(sent.fallback.deadline),
        }
    return body


def _sent_message(message: SentMessage) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "messageId": message.message_id,
        "channel": message.channel,
        "recipient": message.recipient,
        "status": "accepted" if message.accepted else "rejected",
    }
    if not message.accepted:
        entry |= {"errorCode": message.error_code, "errorMessage": message.error_message}
    entry["custRefs"] = message.cust_refs
    if message.run_id is not None:
        entry["fallbackRunId"] = message.run_id
    return entry


def followed_message(message: FollowedMessage | UnknownMessage) -> dict[str, Any]:
    """Return a message's status, history and fallback (C-23)."""
    if isinstance(message, UnknownMessage):
        return {"messageId": message.message_id, "status": message.status}
    entry: dict[str, Any] = {
        "messageId": message.message_id,
        "channel": message.channel,
        "sender": message.sender,
        "recipient": message.recipient,
        "status": message.status,
        "direction": message.direction,
        "createdAt": wire_time(message.created_at),
        "updatedAt": wire_time(message.updated_at),
        "custRefs": message.cust_refs,
        "events": [_history_line(each) for each in message.events],
    }
    if message.fallback is not None:
        entry["fallback"] = _fallback(message.fallback)
    return entry


def _fallback(progress: FallbackProgress) -> dict[str, Any]:
    return {
        "runId": progress.run_id,
        "status": progress.status,
        "steps": [_step(each) for each in progress.steps],
    }


def _step(step: StepProgress) -> dict[str, Any]:
    message = {} if step.message_id is None else {"messageId": step.message_id}
    return {"channel": step.channel, **message, "status": step.status, **_error_code(step)}


def _history_line(line: HistoryEntry) -> dict[str, Any]:
    """Return one line of a message's history."""
    shown = {"status": line.status, "at": wire_time(line.at), **_error_code(line)}
    return {**shown, "tried": [_tried(each) for each in line.tried]} if line.tried else shown


def _tried(attempt: TriedChannelAccount) -> dict[str, str]:
    """Return one attempt of a dispatch (C-69)."""
    shown = {"channelAccountId": attempt.channel_account_id, "status": attempt.status}
    return shown if attempt.code is None else {**shown, "code": attempt.code}


def _error_code(line: HistoryEntry | StepProgress) -> dict[str, str]:
    """Return the member `errorCode` if there is an error."""
    return {} if line.error_code is None else {"errorCode": line.error_code}
