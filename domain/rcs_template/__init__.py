"""An RCS template: its four types, cards, buttons and rules (SPEC 2.1 to 2.3)."""

from .commands import CreateRcsTemplate, SubmitRcsTemplate
from .content import (
    Alignment,
    Card,
    Carousel,
    Height,
    Horizontal,
    HostedFile,
    MessageOrder,
    MessageType,
    RichCard,
    TemplateContent,
    TemplateDefinition,
    TemplateState,
    TextMessage,
    TextMessageWithMedia,
    UploadedFile,
    Vertical,
    Width,
)
from .decide import approve, create, reject, submit, template_name
from .errors import TemplateNotSubmittedError
from .events import (
    RcsTemplateApproved,
    RcsTemplateCreated,
    RcsTemplateRejected,
    RcsTemplateSubmitted,
)
from .hosted_files import with_files
from .media_rules import looks_like_a_video
from .member_order import in_order
from .states import RcsTemplate, rcs_template_decider
from .suggestion import (
    CalendarEvent,
    DialerAction,
    Reply,
    ShareLocation,
    Suggestion,
    UrlAction,
    ViewLocationLatLong,
    ViewLocationQuery,
)
from .violations import form_problems, message_type_of, message_type_problem, violations

__all__ = [
    "Alignment",
    "CalendarEvent",
    "Card",
    "Carousel",
    "CreateRcsTemplate",
    "DialerAction",
    "Height",
    "Horizontal",
    "HostedFile",
    "MessageOrder",
    "MessageType",
    "RcsTemplate",
    "RcsTemplateApproved",
    "RcsTemplateCreated",
    "RcsTemplateRejected",
    "RcsTemplateSubmitted",
    "Reply",
    "RichCard",
    "ShareLocation",
    "SubmitRcsTemplate",
    "Suggestion",
    "TemplateContent",
    "TemplateDefinition",
    "TemplateNotSubmittedError",
    "TemplateState",
    "TextMessage",
    "TextMessageWithMedia",
    "UploadedFile",
    "UrlAction",
    "Vertical",
    "ViewLocationLatLong",
    "ViewLocationQuery",
    "Width",
    "approve",
    "create",
    "form_problems",
    "in_order",
    "looks_like_a_video",
    "message_type_of",
    "message_type_problem",
    "rcs_template_decider",
    "reject",
    "submit",
    "template_name",
    "violations",
    "with_files",
]
