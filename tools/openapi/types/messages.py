"""The statuses of messages, and the opt lists."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, NotRequired, TypedDict

from tools.openapi.schemas import Count, narrowed, reference
from tools.openapi.types.pins import Attempt
from tools.openapi.types.shapes import a_list, any_of
from watchword.application.messages.opt_lists.keeping_opt_lists import MAX_RECIPIENTS
from watchword.application.paging import MAX_PAGE_SIZE
from watchword.domain.accounts.fallback_configuration import MAX_STEPS
from watchword.domain.channel import Channel
from watchword.domain.fallback_run import RunStatus, StepStatus
from watchword.domain.message import Direction, MessageStatus, ResourceType
from watchword.entrypoints.messaging.message_questions import MAX_STATUS_IDS, StatusQuestion
from watchword.entrypoints.messaging.opt_list_questions import ListedRecipients


class MessageEvent(TypedDict):
    """A line of a message's history; after failover, the line of its dispatch has what was tried."""

    status: MessageStatus | Literal["unknown"]
    at: datetime
    errorCode: NotRequired[str]
    tried: NotRequired[list[Attempt]]


WaitingStatus = Literal[StepStatus.ARMED, StepStatus.STOOD_DOWN, StepStatus.REJECTED]


class MessageFallbackStep(TypedDict):
    """A step of a fallback run."""

    channel: Channel
    messageId: NotRequired[str]
    status: WaitingStatus | MessageStatus
    errorCode: NotRequired[str]


class MessageFallback(TypedDict):
    """A fallback run beside its message."""

    runId: str
    status: RunStatus
    steps: list[MessageFallbackStep]


class Message(TypedDict):
    """A message for its caller."""

    messageId: str
    channel: Channel
    sender: str
    recipient: str
    status: MessageStatus
    direction: Direction
    createdAt: datetime
    updatedAt: datetime
    custRefs: Mapping[str, str]
    events: list[MessageEvent]
    fallback: NotRequired[MessageFallback]


class UnknownMessage(TypedDict):
    """An id that names no message."""

    messageId: str
    status: Literal["unknown"]


class MessageStatuses(TypedDict):
    """The statuses of messages."""

    status: Literal["success"]
    data: list[Message | UnknownMessage]


class PageDetails(TypedDict):
    """The requested page."""

    pageNo: Count
    limit: Count


class MessageHistory(TypedDict):
    """A page of a history."""

    page_details: PageDetails
    data: list[Message]


class ReportedMessage(TypedDict):
    """A message of the delivery report."""

    messageId: str
    accountId: str
    channelType: Channel
    channelName: str | None
    channelAccountId: str
    resourceType: ResourceType | None
    direction: Direction
    sender: str
    recipient: str
    status: MessageStatus
    errorCode: str | None
    campaignName: str | None
    custRefs: Mapping[str, str]
    tags: Mapping[str, str]
    fallbackRunId: str | None
    sentByRunId: str | None
    actor: str | None
    apiKeyName: str | None
    createdAt: datetime
    updatedAt: datetime
    events: list[MessageEvent]


class Added(TypedDict):
    """The number of recipients that were added to a list."""

    added: Count
    unchanged: Count


class AddedToList(TypedDict):
    """The same, in an answer."""

    status: Literal["success"]
    data: Added


class Removed(TypedDict):
    """The number of recipients that were removed from a list."""

    removed: Count
    unchanged: Count


class RemovedFromList(TypedDict):
    """The same, in an answer."""

    status: Literal["success"]
    data: Removed


class ListedRecipient(TypedDict):
    """A number on a list."""

    recipient: str
    since: datetime


class OptListPage(TypedDict):
    """A page of a list."""

    page_details: PageDetails
    data: list[ListedRecipient]


class Location(TypedDict):
    """The target of a short link."""

    location: str


NAMED: Mapping[str, Any] = {
    "MessageStatus": MessageStatus,
    "Direction": Direction,
    "ResourceType": ResourceType,
    "RunStatus": RunStatus,
    "StepStatus": WaitingStatus,
    "MessageEvent": MessageEvent,
    "MessageFallbackStep": MessageFallbackStep,
    "MessageFallback": narrowed(
        MessageFallback, steps=a_list(reference("MessageFallbackStep"), 1, MAX_STEPS)
    ),
    "Message": Message,
    "UnknownMessage": UnknownMessage,
    "CheckStatus": StatusQuestion,
    "MessageStatuses": narrowed(
        MessageStatuses,
        data=a_list(any_of("Message", "UnknownMessage"), 1, MAX_STATUS_IDS),
    ),
    "PageDetails": PageDetails,
    "MessageHistory": narrowed(MessageHistory, data=a_list(reference("Message"), 0, MAX_PAGE_SIZE)),
    "ReportedMessage": ReportedMessage,
    "ListedRecipients": narrowed(
        ListedRecipients, recipients=a_list(reference("PhoneNumber"), 1, MAX_RECIPIENTS)
    ),
    "Added": Added,
    "AddedToList": AddedToList,
    "Removed": Removed,
    "RemovedFromList": RemovedFromList,
    "ListedRecipient": ListedRecipient,
    "OptListPage": narrowed(
        OptListPage, data=a_list(reference("ListedRecipient"), 0, MAX_PAGE_SIZE)
    ),
    "Location": Location,
}
