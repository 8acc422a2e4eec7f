"""One description of each call, which both clients share."""

from __future__ import annotations

from enum import Enum, auto
from typing import Generic, Literal, TypeVar

from msgspec import Struct

from .data.media import HostedMedia, UploadedMedia
from .data.messages import MessageHistory, MessageStatuses, ReportedMessagePage
from .data.opt_lists import AddedToList, OptListPage, RemovedFromList
from .data.pins import Pin, PinTemplatePage, StandingPin, VerifiedPin
from .data.rcs_templates import CreatedRcsTemplate, RcsTemplatePage
from .data.sends import SentMessages
from .data.whatsapp_templates import CreatedWhatsappTemplate, WhatsappTemplatePage

AnswerT = TypeVar("AnswerT")


class Again(Enum):
    """When a call is made again although the service may have done it already."""

    ALWAYS = auto()  # it reads, or twice is as once
    BY_KEY = auto()  # under one Idempotency-Key
    NEVER = auto()  # it would use another guess, or make a second template


class Call(Struct, Generic[AnswerT], frozen=True):
    """
    A call: what it is named in `/openapi.json`, its method and path, what it answers.

    `{name}` in the path stands for a value that the call is made with.
    """

    name: str
    method: Literal["GET", "POST", "DELETE"]
    path: str
    answer: type[AnswerT]
    again: Again


CREATE_PIN = Call("createPin", "POST", "/v1/pins", Pin, Again.BY_KEY)
RESEND_PIN = Call("resendPin", "POST", "/v1/pins/{pin_id}/resend", Pin, Again.BY_KEY)
VERIFY_PIN = Call("verifyPin", "POST", "/v1/pins/{pin_id}/verify", VerifiedPin, Again.NEVER)
GET_PIN = Call("getPin", "GET", "/v1/pins/{pin_id}", StandingPin, Again.ALWAYS)
LIST_TEMPLATES = Call("listTemplates", "GET", "/v1/templates", PinTemplatePage, Again.ALWAYS)

SEND = Call("sendMessages", "POST", "/oapi/send_sms", SentMessages, Again.BY_KEY)
CHECK_STATUS = Call("checkStatus", "POST", "/status", MessageStatuses, Again.ALWAYS)
LIST_HISTORY = Call("listHistory", "GET", "/history", MessageHistory, Again.ALWAYS)
# With the filters in the body: proxies log addresses, and numbers do not belong in logs (D-536).
SEARCH_MESSAGES = Call(
    "reportMessagesByBody", "POST", "/messages/search", ReportedMessagePage, Again.ALWAYS
)

LIST_OPT_INS = Call("listOptIns", "GET", "/opt/in/wa", OptListPage, Again.ALWAYS)
ADD_OPT_INS = Call("addToOptIns", "POST", "/opt/in/wa", AddedToList, Again.ALWAYS)
REMOVE_OPT_INS = Call("removeFromOptIns", "DELETE", "/opt/in/wa", RemovedFromList, Again.ALWAYS)
LIST_OPT_OUTS = Call("listOptOuts", "GET", "/opt/out/wa", OptListPage, Again.ALWAYS)
ADD_OPT_OUTS = Call("addToOptOuts", "POST", "/opt/out/wa", AddedToList, Again.ALWAYS)
REMOVE_OPT_OUTS = Call("removeFromOptOuts", "DELETE", "/opt/out/wa", RemovedFromList, Again.ALWAYS)

CREATE_RCS_TEMPLATE = Call(
    "createRcsTemplate", "POST", "/rcs/templates", CreatedRcsTemplate, Again.NEVER
)
FETCH_RCS_TEMPLATES = Call(
    "fetchTemplates", "POST", "/oapi/templates/fetch", RcsTemplatePage, Again.ALWAYS
)
CREATE_WHATSAPP_TEMPLATE = Call(
    "createWhatsappTemplate", "POST", "/wa/templates", CreatedWhatsappTemplate, Again.NEVER
)
FETCH_WHATSAPP_TEMPLATES = Call(
    "fetchTemplates", "POST", "/oapi/templates/fetch", WhatsappTemplatePage, Again.ALWAYS
)
UPLOAD_MEDIA = Call("uploadMedia", "POST", "/rcs/mediaupload", HostedMedia, Again.NEVER)
UPLOAD_WHATSAPP_MEDIA = Call(
    "uploadWhatsappMedia", "POST", "/oapi/wa/mediaupload", UploadedMedia, Again.NEVER
)
