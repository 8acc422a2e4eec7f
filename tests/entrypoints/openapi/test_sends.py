"""A send is 400 exactly if the document does not allow it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from aiohttp.test_utils import TestClient

from tests.entrypoints.messaging.sends import (
    DEMO_FALLBACK_WA,
    DEMO_RCS,
    DEMO_WA,
    FALLBACK,
    FALLBACK_SMS,
    FALLBACK_WA,
    INTERACTIVE,
    RECIPIENT,
    SMS,
    session,
    without,
)
from tests.entrypoints.messaging.sends import (
    FILLED as FILLED_WA,
)
from tests.entrypoints.openapi.described import Document, Operation
from watchword.entrypoints.demo.seeding import API_KEY
from watchword.entrypoints.messaging.message_bodies import MAX_PARAMETER, MAX_TEXT, MAX_TTL
from watchword.entrypoints.messaging.message_rules import MAX_REFERENCE, MAX_REFERENCES

SEND = Operation("post", "/oapi/send_sms")
WITH_SMS = {**FALLBACK, "sms": FALLBACK_SMS}
TEMPLATE: dict[str, Any] = DEMO_WA["template"]


FILLED = {"name": "Asha", "order": "1"}
TEXTS: tuple[Any, ...] = ("", "x", 1, None, [], {})
FLAGS: tuple[Any, ...] = (0, 1, True, False, None, 2, -1, "1", [])
SECONDS: tuple[Any, ...] = ("1", "0060", 60, "0", 0, -1, "", " 60", "6 0", "1.5", True, None, [])
DETAILS: tuple[Any, ...] = ([], [{}], [{}] * 100, [{}] * 101, None, {}, [1])

AMOUNT = {"type": "currency", "currency": {"fallback_value": "$5"}}
LINK = "https://tea.example/cup.png"
TEXT = {"type": "text", "text": "x"}
COMPONENTS: tuple[Any, ...] = (
    FILLED_WA,
    [{**FILLED_WA[0], "type": "Body"}],
    [{}],
    [1],
    {},
    [{"type": "footer"}],
    [*FILLED_WA, {"type": "button"}],
    [*FILLED_WA, {"type": "button", "sub_type": "flow", "index": "0"}],
    [{"type": "body", "parameters": {}}],
    [{"type": "body", "parameters": [TEXT, 1]}],
    [{"type": "body", "parameters": [TEXT, {"type": "text"}]}],
    [{"type": "body", "parameters": [TEXT, {"type": "text", "text": "x" * 1025}]}],
    [{"type": "body", "parameters": [TEXT, {"type": "image", "image": {"link": LINK}}]}],
    [{"type": "body", "parameters": [TEXT, {"type": "currency", "currency": {}}]}],
    [{"type": "body", "parameters": [TEXT, AMOUNT]}],
    [*FILLED_WA, {"type": "header", "parameters": [{"type": "image", "image": {}}]}],
    FILLED_WA * 21,
)
REPLY = {"type": "reply", "reply": {"id": "yes", "title": "Yes"}}
ROWS = {"rows": [{"id": "1", "title": "Oolong", "description": "Rolled"}]}
ACTIONS: Mapping[str, tuple[Any, ...]] = {
    "button": (
        {"buttons": [REPLY]},
        {"buttons": []},
        {"buttons": [REPLY] * 4},
        {"buttons": [{**REPLY, "type": "url"}]},
        {"buttons": [{"type": "reply", "reply": {"id": "1", "title": "x" * 21}}]},
        {},
        None,
    ),
    "list": (
        {"button": "Teas", "sections": [ROWS]},
        {"button": "x" * 21, "sections": [ROWS]},
        {"button": "Teas", "sections": []},
        {"button": "Teas", "sections": [{"rows": []}]},
        {"button": "Teas", "sections": [{"rows": [{"id": "1"}]}]},
    ),
    "cta_url": (
        {"name": "cta_url", "parameters": {"display_text": "Go", "url": LINK}},
        {"name": "cta_url", "parameters": {"display_text": "Go"}},
        {"name": "other", "parameters": {"display_text": "Go", "url": LINK}},
        {"name": "cta_url"},
    ),
    "location_request_message": ({"name": "send_location"}, {"name": "other"}),
    "catalog_message": ({"name": "catalog_message"}, {}, None),
}
SAID = {"text": "Tea?"}
INTERACTIVES: tuple[Any, ...] = (
    *(
        {"type": kind, "body": SAID, "action": action}
        for kind, actions in ACTIONS.items()
        for action in actions
    ),
    INTERACTIVE,
    {**INTERACTIVE, "body": {"text": "x" * 1024}},
    {**INTERACTIVE, "body": {"text": "x" * 1025}},
    {**INTERACTIVE, "body": None},
    {**INTERACTIVE, "footer": {"text": "x" * 61}},
    {**INTERACTIVE, "header": {"type": "text"}},
    {**INTERACTIVE, "header": {"type": "image", "image": {"link": LINK}}},
    {**INTERACTIVE, "header": {"type": "image", "image": {}}},
    {**INTERACTIVE, "header": {"type": "audio"}},
    {"type": "sticker", "body": SAID, "action": {}},
    {},
    {"type": 1},
    None,
)

Bodies = list[dict[str, Any]]


def bodies(make: Callable[[Any], dict[str, Any]], *values: Any) -> Bodies:
    """Return one body for each value."""
    return [make(value) for value in values]


def sms(name: str, *values: Any) -> Bodies:
    """Put each value in a field of an SMS."""
    return bodies(lambda value: {"sms": [{**SMS, name: value}]}, *values)


def wa(name: str, *values: Any) -> Bodies:
    """Put each value in a field of a WhatsApp entry."""
    return bodies(lambda value: {"wa": [{**DEMO_WA, name: value}]}, *values)


def template(name: str, *values: Any) -> Bodies:
    """Put each value in a field of a WhatsApp template."""
    return wa("template", *({**TEMPLATE, name: value} for value in values))


def in_session(kind: str, *values: Any) -> Bodies:
    """Say each value in a session."""
    return bodies(lambda value: {"wa": [session(kind, value)]}, *values)


def rcs(*params: Any) -> Bodies:
    """Fill an RCS template with each of these parameters."""

    def make(value: Any) -> dict[str, Any]:
        message = {"templateCode": "demo", "customParams": value}
        return {"rcs": [{**DEMO_RCS, "contentMessage": {"templateMessage": message}}]}

    return bodies(make, *params)


def beside(name: str, *values: Any) -> Bodies:
    """Put each value beside an SMS."""
    return bodies(lambda value: {"sms": [SMS], name: value}, *values)


def fallback(name: str, *values: Any) -> Bodies:
    """Put each value in a field of a fallback."""
    return beside("fallback", *({**WITH_SMS, name: value} for value in values))


def fallback_wa(name: str, *values: Any) -> Bodies:
    """Put each value in a field of a fallback's WhatsApp object."""
    demo = DEMO_FALLBACK_WA
    two = {**WITH_SMS, "fallback_id": "demo-two"}
    return beside("fallback", *({**two, "wa": {**demo, name: value}} for value in values))


BODIES: Bodies = [
    {},
    {"sms": [], "wa": None},
    {"sms": [SMS], "wa": None, "rcs": None, "fallback": None, "unheardOf": 1},
    {"sms": [SMS], "rcs": [DEMO_RCS]},
    {"sms": SMS},
    {"sms": [SMS] * 1001},
    *bodies(lambda name: {"sms": [without(SMS, name)]}, *SMS),
    *bodies(lambda name: {"wa": [without(DEMO_WA, name)]}, *DEMO_WA),
    *bodies(lambda name: {"rcs": [without(DEMO_RCS, name)]}, *DEMO_RCS),
    *(
        body
        for name in (*SMS, "templateId", "entityId", "custRef1", "custRef5")
        for body in sms(name, *TEXTS)
    ),
    *sms("sender", "x" * 64, "x" * 65),
    *sms("entityId", "x" * 64, "x" * 65),
    *sms("recipient", "1" * 64, "1" * 65),
    *sms("messageBody", "é" * MAX_TEXT, "é" * (MAX_TEXT + 1)),
    *sms("type", "OTP", "SE", "otp", "TXN"),
    *sms("unicode", *FLAGS),
    *sms("ttl", *SECONDS, MAX_TTL, MAX_TTL + 1, str(MAX_TTL), str(MAX_TTL + 1)),
    *sms("ttl", "999999", "1999999", "2499999", "2589999", "2591999"),
    *sms("custRef2", "x" * MAX_REFERENCE, "x" * (MAX_REFERENCE + 1)),
    *sms("custRef3", {"x" * MAX_REFERENCE: ""}, {"x" * (MAX_REFERENCE + 1): ""}),
    *sms("custRef4", *({str(n): "" for n in range(MAX_REFERENCES + more)} for more in (0, 1))),
    *sms("custRef1", {"CustomReference1": 1}),
    *wa("recipient", [RECIPIENT, "x" * 65], [], [""], [1], RECIPIENT, None),
    *wa("messaging_product", "sms", None),
    *wa("recipient_type", "group", None),
    *wa("type", "text", "sticker", None, []),
    *wa("custref3", *TEXTS),
    *wa("text", 5),
    *template("components", *COMPONENTS),
    *template("language", {}, "en", None, {"code": "x" * 16}, {"code": "x" * 17}),
    *template("name", "x" * 513, "", None),
    *in_session("text", {"body": "x"}, {"body": ""}, {"body": 1}, {"body": "x" * (MAX_TEXT + 1)}),
    *(
        body
        for kind in ("image", "video", "document", "audio")
        for body in in_session(
            kind, {}, {"link": LINK, "caption": "c"}, {"link": LINK, "id": "m"}, {"link": ""}, "m"
        )
    ),
    *in_session("interactive", *INTERACTIVES),
    *rcs(FILLED, {**FILLED, "more": "x" * MAX_PARAMETER}, {**FILLED, "more": 1}, 5, [], True),
    *rcs({**FILLED, "more": "x" * (MAX_PARAMETER + 1)}, {**FILLED, "more": None}),
    {"rcs": [{**DEMO_RCS, "contentMessage": {"templateMessage": {}}}]},
    {"rcs": [{**DEMO_RCS, "messageType": "x" * 65}]},
    *beside("prefix", "", "49", "+49", "+", "x", "1" * 8, "1" * 9, None, 49),
    *beside("campaignName", "", "x" * 200, "x" * 201, None, 1),
    *beside("urlShortener", *({"flag": flag} for flag in FLAGS)),
    *beside("urlShortener", *({"urlDetails": each} for each in DETAILS)),
    *beside("urlShortener", *({"urlDetails": [{"longUrl": each}]} for each in TEXTS)),
    *beside("urlShortener", *({"urlDetails": [{"domain": each}]} for each in TEXTS)),
    *beside("urlShortener", *({"urlDetails": [{"track_user": each}]} for each in FLAGS)),
    *beside("fallback", *(without(WITH_SMS, name) for name in FALLBACK)),
    *beside("fallback", {"fallback": False, "waittime": "tea", "sms": 5}, [], "x"),
    *fallback("waittime", *SECONDS, 172_800, 172_801, "172800", "172801"),
    *fallback("waittime", "99999", "169999", "171999", "172799"),
    *fallback("fallback", False, None, "true", 1),
    *fallback("sms", *(without(FALLBACK_SMS, name) for name in FALLBACK_SMS)),
    *(
        fallback("sms", {**FALLBACK_SMS, "type": said})[0]
        for said in ("", "TXN", "x" * 64, "x" * 65, 1, None)
    ),
    *(body for name in FALLBACK_WA for body in fallback_wa(name, *TEXTS)),
]


async def test_the_server_accepts_what_the_document_accepts(
    client: TestClient, document: Document
) -> None:
    """The document also accepts what the server accepts, except for checks that need the store."""
    for body in BODIES:
        answer = await client.post(SEND.path, json=body, headers={"apikey": API_KEY})
        described = document.request_problems(SEND, body)
        told = await answer.read()

        assert (answer.status == 400) == bool(described), (body, described, told)
        assert answer.status < 500
        assert [] == document.answer_problems(SEND, answer.status, answer.headers, told)
