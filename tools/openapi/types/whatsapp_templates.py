"""WhatsApp templates in Meta's shape, and the fetch of templates of both channels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, NotRequired, TypedDict

from tools.openapi.patterns import any_case, whole
from tools.openapi.schemas import Joined, narrowed, or_null, reference
from tools.openapi.types.messages import PageDetails
from tools.openapi.types.shapes import a_list, any_of, members, text
from tools.openapi.types.shapes import whole as all_of
from watchword.application.paging import MAX_PAGE_SIZE
from watchword.domain.approval import MAX_REASON, ApprovalStatus
from watchword.domain.rcs_template import MessageType
from watchword.domain.rcs_template.violations import MAX_SENDER_PROFILE
from watchword.domain.whatsapp_template import Category, Submission
from watchword.domain.whatsapp_template import button_rules as buttons
from watchword.domain.whatsapp_template import carousel_rules as carousels
from watchword.domain.whatsapp_template import component_rules as components
from watchword.domain.whatsapp_template.violations import LANGUAGE, NAME
from watchword.entrypoints.message_templates.whatsapp_components import BUTTONS, WORDED
from watchword.entrypoints.messaging.template_questions import CHANNEL_WORDS
from watchword.entrypoints.wire.typed_requests import WhatsappTemplateReview


class CreatedWhatsappTemplate(TypedDict):
    """A new template."""

    id: str
    status: Literal[ApprovalStatus.PENDING]
    category: Category


class ShownWhatsappTemplate(TypedDict):
    """The members of a template's record beside those of its author."""

    id: str
    category: Category
    status: ApprovalStatus
    created_on: str
    updated_on: str
    rejected_reason: NotRequired[str]


class OperatorsMembers(TypedDict):
    """The members that only operators see: the account's id, and the submission."""

    accountId: str
    submission: NotRequired[Submission]


class FetchedTemplates(TypedDict):
    """A page of templates."""

    page_details: PageDetails
    data: list[Any]


_ANY_TEXT = {"type": ["string", "null"]}
_TEXTS = {"type": ["array", "null"], "items": {"type": "string"}}
_SIGNATURE = 11
_NOT_NEGATIVE = {"type": "integer", "minimum": 0}
_LOCAL_TIME_OR_NOTHING = r"^(\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(\.\d{3})?)?$"
_LOCAL_TIME = reference("LocalTime")


def _word(words: Any) -> dict[str, Any]:
    return {"type": "string", "pattern": any_case(map(str, words))}


def _word_or_nothing(words: Any) -> dict[str, Any]:
    """Return the schema of one of a few words in any case; an empty text is no filter."""
    return {"type": ["string", "null"], "pattern": f"^$|{any_case(map(str, words))}"}


def _question(channels: Iterable[str], **more: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a request for a channel's templates."""
    asked = {
        "channel": _word(channels),
        "senderProfile": text(MAX_SENDER_PROFILE, required=False, least=0),
        "status": _word_or_nothing(ApprovalStatus),
        "createdDate": {"type": ["string", "null"], "pattern": _LOCAL_TIME_OR_NOTHING},
        "templateName": _ANY_TEXT,
        "pageNo": _NOT_NEGATIVE,
        "limit": _NOT_NEGATIVE,
    }
    return members(["channel", "pageNo", "limit"], **{**asked, **more})


_NEW = all_of(
    name={"type": "string", "pattern": whole(NAME.pattern)},
    language={"type": "string", "pattern": whole(LANGUAGE.pattern)},
    category=_word(Category),
    components=a_list(reference("WhatsappComponent"), 1, 4),
)
_SHOWN = narrowed(
    ShownWhatsappTemplate,
    created_on=_LOCAL_TIME,
    updated_on=_LOCAL_TIME,
    rejected_reason={"type": "string", "maxLength": MAX_REASON},
)

_RCS = "RCS"
_OF_RCS = _question([_RCS], senderProfile=text(MAX_SENDER_PROFILE), messageType=_word(MessageType))

NAMED: Mapping[str, Any] = {
    "WhatsappCategory": Category,
    "WhatsappExample": members(
        [],
        header_text=_TEXTS,
        header_handle=_TEXTS,
        body_text={
            "type": ["array", "null"],
            "items": {"type": "array", "items": {"type": "string"}},
        },
    ),
    "WhatsappApp": all_of(
        package_name=text(buttons.MAX_PACKAGE_NAME, least=0),
        signature_hash={"type": "string", "minLength": _SIGNATURE, "maxLength": _SIGNATURE},
    ),
    "WhatsappButton": members(
        ["type"],
        type=_word([*BUTTONS, "OTP"]),
        text=text(buttons.MAX_BUTTON_TEXT, required=False, least=0),
        url=text(buttons.MAX_URL, required=False, least=0),
        phone_number=text(buttons.MAX_PHONE_NUMBER, required=False, least=0),
        example={"type": ["array", "string", "null"], "items": {"type": "string"}},
        otp_type=_ANY_TEXT,
        autofill_text=text(buttons.MAX_BUTTON_TEXT, required=False, least=0),
        supported_apps=a_list(reference("WhatsappApp"), 1, buttons.MAX_APPS, required=False),
    ),
    "WhatsappCard": all_of(components={"type": "array", "items": reference("WhatsappComponent")}),
    "WhatsappComponent": members(
        ["type"],
        type=_word(WORDED),
        format=_ANY_TEXT,
        text=text(components.MAX_BODY, required=False, least=0),
        example=or_null(reference("WhatsappExample")),
        add_security_recommendation={"type": ["boolean", "null"]},
        code_expiration_minutes={
            "type": ["integer", "null"],
            "minimum": 1,
            "maximum": components.MAX_MINUTES,
        },
        buttons=a_list(reference("WhatsappButton"), 1, buttons.MAX_BUTTONS, required=False),
        cards=a_list(
            reference("WhatsappCard"), carousels.MIN_CARDS, carousels.MAX_CARDS, required=False
        ),
    ),
    "NewWhatsappTemplate": _NEW,
    "CreatedWhatsappTemplate": CreatedWhatsappTemplate,
    "WhatsappTemplate": Joined(_NEW, _SHOWN),
    "TemplateSubmission": Submission,
    "OperatorsWhatsappTemplate": Joined(
        _NEW, _SHOWN, narrowed(OperatorsMembers, submission=reference("TemplateSubmission"))
    ),
    "WhatsappTemplateReview": WhatsappTemplateReview,
    # Requests for RCS templates need a sender profile and a type (C-54).
    "FetchRcsTemplates": {
        **_OF_RCS,
        "required": [*_OF_RCS["required"], "senderProfile", "messageType"],
    },
    "FetchWhatsappTemplates": _question(
        [each for each in CHANNEL_WORDS if each != _RCS], messageType=_word_or_nothing(Category)
    ),
    "FetchTemplates": any_of("FetchRcsTemplates", "FetchWhatsappTemplates"),
    "FetchedTemplates": narrowed(
        FetchedTemplates,
        data=a_list(any_of("RcsTemplate", "WhatsappTemplate"), 0, MAX_PAGE_SIZE),
    ),
}
