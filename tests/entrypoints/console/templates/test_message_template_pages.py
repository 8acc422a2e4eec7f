"""The pages of RCS and WhatsApp templates, and of their drafts."""

import json
from typing import Any

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.console.conftest import ConsoleAs
from tests.entrypoints.console.visitor import Visitor
from tests.entrypoints.message_templates import creating_rcs, creating_whatsapp
from watchword.domain.accounts.token_role import TokenRole
from watchword.domain.approval import MAX_REASON
from watchword.entrypoints.wired import Wired

STORES = ("memory",)
MOVING = {"HX-Request": "true"}
CARD = {
    "cardTitle": "Spring [year]",
    "cardDescription": "Green teas for long mornings",
    "mediaUrl": "https://example.com/t.png",
}
CAROUSEL = {
    "name": "teas",
    "type": "carousel",
    "height": "SHORT_HEIGHT",
    "width": "MEDIUM_WIDTH",
    "carouselList": [CARD, CARD],
    "templateState": "Create",
}


async def rcs_record(caller: Caller) -> dict[str, Any]:
    """Return the RCS template that a test made."""
    listed = (await caller.operated("GET", "/rcs-templates"))["data"]
    return next(each for each in listed if each["name"] == "teas")


async def whatsapp_record(caller: Caller) -> dict[str, Any]:
    """Return the WhatsApp template that a test made."""
    listed = (await caller.operated("GET", "/wa-templates"))["data"]
    return next(each for each in listed if each["name"] != "demo")


async def test_an_rcs_template_goes_its_way(console: Visitor, caller: Caller) -> None:
    """A draft is submitted, then approved, then rejected with a reason; each page says what came of it."""
    await creating_rcs.created(caller, CAROUSEL)
    record = await rcs_record(caller)
    path = f"/templates/rcs/{record['id']}"
    shown = await console.get(path)
    assert (shown.heading, "draft" in shown.text) == ("teas", True)
    assert "Spring [year]" in shown.text.replace(" [year]", " [year]")
    assert [each.action for each in shown.forms if "/templates/" in each.action] == [
        f"/console{path}/submit"
    ]
    assert "Submitted." in (await console.post(f"{path}/submit")).text
    assert "Approved." in (await console.post(f"{path}/approve", {"reason": ""})).text
    assert (await rcs_record(caller))["status"] == "Approved"
    rejected = await console.post(f"{path}/reject", {"reason": "Does not say who it is from."})
    assert "Rejected." in rejected.text
    assert "Does not say who it is from." in rejected.text
    assert (await rcs_record(caller))["reason"] == "Does not say who it is from."


async def test_a_draft_cannot_be_approved(console: Visitor, caller: Caller) -> None:
    """What the API refuses, the console refuses with its status and sentence."""
    await creating_rcs.created(caller, CAROUSEL)
    record = await rcs_record(caller)
    refused = await console.post(f"/templates/rcs/{record['id']}/approve")
    assert refused.status == 409


async def test_a_whatsapp_template_is_reviewed(console: Visitor, caller: Caller) -> None:
    """A WhatsApp template is shown with its examples, and approved under the token as its actor."""
    await creating_whatsapp.created(caller, creating_whatsapp.FULL)
    record = await whatsapp_record(caller)
    path = f"/templates/whatsapp/{record['id']}"
    assert (await console.get(path)).heading == record["name"]
    assert "Approved." in (await console.post(f"{path}/approve", {"reason": "Good"})).text
    assert (await whatsapp_record(caller))["status"] == "Approved"
    (*_, approved) = await caller.events(record["id"])
    assert approved["actor"] == "admin"


async def test_a_reason_has_the_apis_limit(console: Visitor, caller: Caller) -> None:
    """A reason that is too long stands in its field with what is wrong, and nothing is decided."""
    await creating_whatsapp.created(caller, creating_whatsapp.FULL)
    record = await whatsapp_record(caller)
    path = f"/templates/whatsapp/{record['id']}"
    wrong = await console.post(f"{path}/reject", {"reason": "x" * (MAX_REASON + 1)})
    assert wrong.status == 400
    assert 'id="reason-problem"' in wrong.html
    assert (await whatsapp_record(caller))["status"] == "Pending"


async def test_a_template_that_no_provider_reviews_is_not_submitted(
    console: Visitor, caller: Caller
) -> None:
    """Without a channel account that submits, the API's refusal is shown."""
    await creating_whatsapp.created(caller, creating_whatsapp.FULL)
    record = await whatsapp_record(caller)
    refused = await console.post(f"/templates/whatsapp/{record['id']}/submit")
    assert refused.status == 409


@pytest.mark.parametrize(
    ("path", "heading"),
    [("/templates/rcs", "RCS templates"), ("/templates/whatsapp", "WhatsApp templates")],
)
async def test_lists_page_as_the_api_does(console: Visitor, path: str, heading: str) -> None:
    """A list has the account's templates by name; a page that is past the end says what to do first."""
    shown = await console.get(path)
    assert shown.heading == heading
    assert "demo" in shown.text
    assert "POST /" in (await console.get(f"{path}?page=9")).text


async def test_auditors_read_and_decide_nothing(console_as: ConsoleAs, caller: Caller) -> None:
    """An auditor sees a template's preview and no form; every form of the page is refused."""
    await creating_whatsapp.created(caller, creating_whatsapp.FULL)
    record = await whatsapp_record(caller)
    auditor = await console_as(TokenRole.AUDITOR)
    path = f"/templates/whatsapp/{record['id']}"
    shown = await auditor.get(path)
    assert [each.action for each in shown.forms if each.method == "post"] == ["/console/logout"]
    for word in ("submit", "approve", "reject"):
        assert (await auditor.post(f"{path}/{word}")).status == 403
    assert (await auditor.post("/templates/drafts/rcs", {"data": "{}"})).status == 403


async def test_another_accounts_template_does_not_exist(
    console_as: ConsoleAs, caller: Caller
) -> None:
    """A bound token finds none of another account's templates, in lists, by id, or to review."""
    await caller.operated("POST", "/accounts", {"name": "acme"})
    await creating_whatsapp.created(caller, creating_whatsapp.FULL)
    record = await whatsapp_record(caller)
    operator = await console_as(TokenRole.OPERATOR, "acme")
    path = f"/templates/whatsapp/{record['id']}"
    assert (await operator.get(path)).status == 404
    assert (await operator.post(f"{path}/approve")).status == 404
    assert record["name"] not in (await operator.get("/templates/whatsapp")).text
    assert (await whatsapp_record(caller))["status"] == "Pending"


async def test_a_draft_is_judged_by_every_rule(console: Visitor, service: Wired) -> None:
    """A draft names each rule that it breaks and each member that no rule knows, with its preview."""
    newest = await service.journal.newest()
    draft = {**CAROUSEL, "carouselList": [CARD], "colour": "green", "name": ""}
    shown = await console.post("/templates/drafts/rcs", {"data": json.dumps(draft)}, headers=MOVING)
    assert "A create of this would be refused:" in shown.text
    for path in ("data.name", "data.carouselList", "data.colour"):
        assert path in shown.text
    assert "Green teas" in shown.text
    assert "<h1" not in shown.html
    assert await service.journal.newest() == newest


@pytest.mark.parametrize("channel", ["rcs", "whatsapp"])
async def test_the_example_keeps_every_rule(console: Visitor, channel: str) -> None:
    """The page of drafts begins with a template that no rule refuses."""
    shown = await console.get(f"/templates/drafts/{channel}")
    assert "It keeps every rule." in shown.text
    assert "the new teas are here" in shown.text


async def test_a_draft_names_its_uploads(console: Visitor) -> None:
    """A file that a draft names is found among the uploads that its author says will come."""
    card = {**CARD, "fileName": "spring.png"}
    del card["mediaUrl"]
    data = json.dumps({**CAROUSEL, "carouselList": [card, CARD]})
    refused = await console.post("/templates/drafts/rcs", {"data": data}, headers=MOVING)
    assert "A create of this would be refused:" in refused.text
    accepted = await console.post(
        "/templates/drafts/rcs", {"data": data, "files": "spring.png"}, headers=MOVING
    )
    assert "It keeps every rule." in accepted.text


@pytest.mark.parametrize("text", ["", "{", "[]", '{"name": 1, "name": 2}', "7", "\x00"])
async def test_a_draft_may_be_anything(console: Visitor, text: str) -> None:
    """What is no template is refused by the reader, and has no preview or an empty one."""
    for channel in ("rcs", "whatsapp"):
        shown = await console.post(f"/templates/drafts/{channel}", {"data": text})
        assert shown.status == 200
        assert "A create of this would be refused:" in shown.text
