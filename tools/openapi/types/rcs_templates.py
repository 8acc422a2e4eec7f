"""RCS templates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, NotRequired, TypedDict, get_args

import attrs

from tools.openapi.patterns import any_case, whole
from tools.openapi.schemas import Joined, an_object, narrowed, or_null, reference, words
from tools.openapi.types.shapes import a_list, text
from watchword.domain.approval import MAX_REASON, ApprovalStatus
from watchword.domain.errors import camel
from watchword.domain.rcs_template import (
    Alignment,
    Card,
    Height,
    MessageOrder,
    MessageType,
    Suggestion,
    TemplateContent,
    TemplateState,
    Width,
    text_rules,
)
from watchword.domain.rcs_template.violations import (
    MAX_CARDS,
    MAX_SENDER_PROFILE,
    MAX_UPDATE_BY,
    MIN_CARDS,
    NAME,
)
from watchword.entrypoints.http.rcs_forms import MAX_FILES
from watchword.entrypoints.wire.typed_requests import RcsTemplateReview

_SUGGESTIONS = {"type": ["array", "null"], "items": reference("RcsSuggestion")}
_WHOLE_TIME = r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}$"
_TEXT = {"type": ["string", "null"]}


def _word_or_nothing(kind: type[StrEnum] | Iterable[str]) -> dict[str, Any]:
    """Return the schema of one of a few words; an empty text counts as missing."""
    return {"anyOf": [words(kind), {"const": ""}, {"type": "null"}]}


_KINDS = [attrs.fields(kind).type.default for kind in get_args(TemplateContent)]
_BUTTONS = get_args(Suggestion)
_BUTTON_TEXTS = ("application", "label", "query", "title", "description")


def _suggestion() -> dict[str, Any]:
    """Return one schema for all kinds of suggestions, whose members follow from the type."""
    properties: dict[str, Any] = {
        "suggestionType": words(attrs.fields(kind).suggestion_type.default for kind in _BUTTONS),
        "displayText": text(text_rules.MAX_DISPLAY_TEXT),
        "postback": text(text_rules.MAX_POSTBACK),
    }
    for kind in _BUTTONS:
        for each in attrs.fields(kind):
            needed = each.default is attrs.NOTHING
            member: dict[str, Any] = {"type": "string" if needed else ["string", "null"]}
            if each.name in _BUTTON_TEXTS:
                member["maxLength"] = text_rules.MAX_BUTTON_TEXT
            properties.setdefault(camel(each.name), member)
    return an_object(properties, ["suggestionType", "displayText", "postback"])


_DATA = an_object(
    {
        "name": {"type": "string", "pattern": whole(NAME.pattern)},
        "type": words(_KINDS),
        "suggestions": _SUGGESTIONS,
        "textMessageContent": text(text_rules.MAX_TEXT_MESSAGE, required=False, least=0),
        "documentUrl": _TEXT,
        "documentFileName": _TEXT,
        "messageOrder": or_null(words(MessageOrder)),
        "orientation": _word_or_nothing(("VERTICAL", "HORIZONTAL")),
        "height": _word_or_nothing(Height),
        "alignment": _word_or_nothing(Alignment),
        "standAlone": reference("RcsCard"),
        "width": _word_or_nothing(Width),
        "carouselList": a_list(reference("RcsCard"), MIN_CARDS, MAX_CARDS),
        "templateState": {**_word_or_nothing(TemplateState), "default": "Submit"},
    },
    ["name", "type"],
)


class ShownRcsTemplate(TypedDict):
    """The members of a template's record beside those of its author."""

    templateState: TemplateState
    senderProfile: str
    messageType: MessageType
    category: str
    status: ApprovalStatus
    created_on: str
    updated_on: str
    reason: NotRequired[str]


class OperatorsRcsIds(TypedDict):
    """The ids that only operators see."""

    id: str
    accountId: str


_LOCAL_TIME = reference("LocalTime")
_SHOWN = narrowed(
    ShownRcsTemplate,
    category=words(kind.replace("_", " ").title() for kind in _KINDS),
    created_on=_LOCAL_TIME,
    updated_on=_LOCAL_TIME,
    reason={"type": "string", "maxLength": MAX_REASON},
)

NAMED: Mapping[str, Any] = {
    "ApprovalStatus": ApprovalStatus,
    "LocalTime": {"type": "string", "pattern": _WHOLE_TIME},
    "RcsSuggestion": _suggestion(),
    "RcsCard": narrowed(
        Card,
        cardTitle=text(text_rules.MAX_CARD_TITLE),
        cardDescription=text(text_rules.MAX_CARD_DESCRIPTION),
        suggestions=_SUGGESTIONS,
    ),
    "RcsTemplateData": _DATA,
    "NewRcsTemplate": an_object(
        {
            "data": {
                "type": "string",
                "contentMediaType": "application/json",
                "contentSchema": reference("RcsTemplateData"),
            },
            "sender_profile_name": text(MAX_SENDER_PROFILE),
            "update_by": text(MAX_UPDATE_BY),
            "message_type": {"type": "string", "pattern": any_case(MessageType)},
            "multimedia_files": a_list({"type": "string", "format": "binary"}, 0, MAX_FILES),
        },
        ["data", "sender_profile_name", "update_by", "message_type"],
    ),
    "RcsTemplate": Joined(_DATA, _SHOWN),
    "CreatedRcsTemplate": an_object(
        {"status": {"const": "success"}, "data": reference("RcsTemplate")}
    ),
    "OperatorsRcsTemplate": Joined(_DATA, _SHOWN, OperatorsRcsIds),
    "RcsTemplateReview": RcsTemplateReview,
}
