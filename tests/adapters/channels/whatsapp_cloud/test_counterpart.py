"""Requests and error codes as pywa has them, a client of the Cloud API that is not ours (issue 22)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import httpx
import pytest
from pywa import errors
from pywa.client import WhatsApp
from pywa.types.callback import Button, Section, SectionList, SectionRow, URLButton
from pywa.types.templates import BodyText, CopyCodeOTPButton, TemplateLanguage

from tests.adapters.channels.whatsapp_cloud.graph_server import (
    PHONE_NUMBER_ID,
    TOKEN,
    GraphServer,
    a_whatsapp_message,
)
from watchword.adapters.channels.whatsapp_cloud import WhatsappCloudProvider
from watchword.adapters.channels.whatsapp_cloud.faults import UNKNOWN, fault_of
from watchword.adapters.channels.whatsapp_cloud.graph import GRAPH_VERSION, GraphError
from watchword.application.ports.channels import Accepted, Fault, Message, ProviderTemplate
from watchword.domain.message import WhatsappSessionContent, WhatsappTemplateContent

TO, REFERENCE = "+919812345610", "msg_7"
LINK = "https://files.example.com/tea"
YES = Button("Yes", "yes")
MENU = SectionList("Menu", [Section("Hot", [SectionRow("Tea", "tea", "Green")])])
# Codes of pywa's groups that a later send, or one by another account, does not get over.
NOT_BUSY = (131048, 131064)

Sending = Callable[[WhatsApp], Any]
SESSIONS: Mapping[str, Sending] = {
    "text": lambda wa: wa.send_message(TO, "Hello", tracker=REFERENCE),
    "preview": lambda wa: wa.send_message(TO, LINK, preview_url=True, tracker=REFERENCE),
    "image": lambda wa: wa.send_image(TO, LINK, caption="Tea", tracker=REFERENCE),
    "video": lambda wa: wa.send_video(TO, LINK, tracker=REFERENCE),
    "audio": lambda wa: wa.send_audio(TO, LINK, tracker=REFERENCE),
    "document": lambda wa: wa.send_document(
        TO, LINK, filename="tea.pdf", caption="Tea", tracker=REFERENCE
    ),
    "buttons": lambda wa: wa.send_message(
        TO, "Tea?", header="The house", footer="Until six", buttons=[YES], tracker=REFERENCE
    ),
    "picture with buttons": lambda wa: wa.send_image(
        TO, LINK, caption="Tea?", buttons=[YES], tracker=REFERENCE
    ),
    "list": lambda wa: wa.send_message(TO, "Tea?", buttons=MENU, tracker=REFERENCE),
    "link": lambda wa: wa.send_message(
        TO, "Tea?", buttons=URLButton("Open", LINK), tracker=REFERENCE
    ),
    "location": lambda wa: wa.request_location(TO, "Where?", tracker=REFERENCE),
}


def body(*values: str) -> Any:
    """Return pywa's values of a body; its declaration of `params` lacks a `staticmethod`."""
    params: Any = BodyText.params
    return params(*values)


def sent_by_pywa(sending: Sending) -> httpx.Request:
    """Return the request that pywa makes of a call."""
    made: list[httpx.Request] = []

    def keep(request: httpx.Request) -> httpx.Response:
        made.append(request)
        contact, message = {"input": TO, "wa_id": TO[1:]}, {"id": "wamid.HBgL"}
        return httpx.Response(200, json={"contacts": [contact], "messages": [message]})

    session = httpx.Client(transport=httpx.MockTransport(keep))
    version = float(GRAPH_VERSION.removeprefix("v"))
    sending(WhatsApp(PHONE_NUMBER_ID, TOKEN, session=session, api_version=version))
    return made[0]


async def sent_by_us(
    whatsapp: WhatsappCloudProvider, graph: GraphServer, message: Message
) -> tuple[str, Mapping[str, Any]]:
    """Send a message, and return the path and the body that came."""
    answer = await whatsapp.send(graph.config, message)
    assert isinstance(answer, Accepted), answer
    return graph.requests[-1][1], graph.taken[-1]


@pytest.mark.parametrize("kind", SESSIONS)
async def test_a_session_message_goes_out_as_by_pywa(
    whatsapp: WhatsappCloudProvider, graph: GraphServer, kind: str
) -> None:
    """What a caller gives in Meta's shape arrives in the same request, member by member."""
    theirs = sent_by_pywa(SESSIONS[kind])
    wanted = json.loads(theirs.content)
    content = WhatsappSessionContent(type=wanted["type"], body=wanted[wanted["type"]])
    message = a_whatsapp_message(destination=TO, reference=REFERENCE, content=content)

    assert (theirs.url.path, wanted) == await sent_by_us(whatsapp, graph, message)


async def test_a_pin_goes_out_as_by_pywa(
    whatsapp: WhatsappCloudProvider, graph: GraphServer
) -> None:
    """The code stands in the body, and in the button as one of type url."""
    graph.templates["login_code", "en_US"] = (1, 1)
    values = [body("482913"), CopyCodeOTPButton.params(otp="482913")]
    theirs = sent_by_pywa(
        lambda wa: wa.send_template(
            TO, "login_code", TemplateLanguage.ENGLISH_US, values, tracker=REFERENCE
        )
    )
    template = ProviderTemplate(
        name="login_code", language="en_US", code="482913", copy_code_button_index=0
    )
    message = a_whatsapp_message(destination=TO, reference=REFERENCE, template=template)
    path, taken = await sent_by_us(whatsapp, graph, message)

    assert theirs.url.path == path
    assert plain(json.loads(theirs.content)) == plain(taken)


async def test_a_template_goes_out_as_by_pywa(
    whatsapp: WhatsappCloudProvider, graph: GraphServer
) -> None:
    """Its components are passed on as the caller gave them."""
    graph.templates["tea_ready", "en_GB"] = (2, 0)
    theirs = sent_by_pywa(
        lambda wa: wa.send_template(
            TO,
            "tea_ready",
            TemplateLanguage.ENGLISH_UK,
            [body("Asha", "4711")],
            tracker=REFERENCE,
        )
    )
    wanted = json.loads(theirs.content)
    content = WhatsappTemplateContent(
        name="tea_ready", language="en_GB", components=tuple(wanted["template"]["components"])
    )
    message = a_whatsapp_message(destination=TO, reference=REFERENCE, content=content)

    assert (theirs.url.path, wanted) == await sent_by_us(whatsapp, graph, message)


def plain(said: Any) -> Any:
    """Return a body with types in lower case and indexes as texts: Meta takes either spelling."""
    if isinstance(said, Mapping):
        return {
            name: str(each).lower() if name in ("type", "sub_type", "index") else plain(each)
            for name, each in said.items()
        }
    return [plain(each) for each in said] if isinstance(said, list) else said


def codes_of(group: type[errors.WhatsAppError]) -> list[int]:
    """Return the codes of a group of errors."""
    return [code for each in group.__subclasses__() for code in each.__error_codes__ or ()]


@pytest.mark.parametrize(
    ("group", "fault"),
    [
        (errors.AuthorizationError, Fault.ACCOUNT),
        (errors.IntegrityError, Fault.ACCOUNT),
        (errors.ThrottlingError, Fault.BUSY),
    ],
)
def test_a_group_of_errors_has_one_fault(group: type[errors.WhatsAppError], fault: Fault) -> None:
    """A log-in or a ban is the account's fault, and a limit of a rate passes."""
    found = {code: fault_of(GraphError(code=code)) for code in codes_of(group)}

    assert {code: Fault.ACCOUNT if code in NOT_BUSY else fault for code in codes_of(group)} == found


def test_every_error_of_a_send_is_known() -> None:
    """No code of a send that pywa knows is left to the HTTP status."""
    codes = {*codes_of(errors.SendMessageError)} - UNKNOWN

    assert set() == {code for code in codes if fault_of(GraphError(code=code)) is None}
