"""A message: one content for one recipient on one channel, and its provider's reports."""

from .commands import (
    EndMessage,
    ReceiveMessage,
    RecordDispatch,
    SubmitMessage,
    TakeMessageReceipt,
)
from .content import (
    Content,
    ProviderContent,
    RcsTemplateContent,
    SmsContent,
    SmsType,
    WhatsappSessionContent,
    WhatsappTemplateContent,
    carries_code,
)
from .decide import end, receive, record_dispatch, submit, take_receipt
from .errors import MessageNotFoundError
from .events import (
    MessageDispatched,
    MessageEnded,
    MessageReceived,
    MessageReported,
    MessageSubmitted,
    ResourceType,
)
from .ladder import Ending, MessageStatus, climbed
from .states import Direction, Happened, Message, message_decider
from .whatsapp_media import check_medium, media_ids, with_links
from .whatsapp_session_fields import session_problems
from .whatsapp_session_wording import session_wording

__all__ = [
    "Content",
    "Direction",
    "EndMessage",
    "Ending",
    "Happened",
    "Message",
    "MessageDispatched",
    "MessageEnded",
    "MessageNotFoundError",
    "MessageReceived",
    "MessageReported",
    "MessageStatus",
    "MessageSubmitted",
    "ProviderContent",
    "RcsTemplateContent",
    "ReceiveMessage",
    "RecordDispatch",
    "ResourceType",
    "SmsContent",
    "SmsType",
    "SubmitMessage",
    "TakeMessageReceipt",
    "WhatsappSessionContent",
    "WhatsappTemplateContent",
    "carries_code",
    "check_medium",
    "climbed",
    "end",
    "media_ids",
    "message_decider",
    "receive",
    "record_dispatch",
    "session_problems",
    "session_wording",
    "submit",
    "take_receipt",
    "with_links",
]
