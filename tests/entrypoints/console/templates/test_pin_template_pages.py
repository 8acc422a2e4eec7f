"""The pages of PIN templates."""

from typing import Any

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.console.conftest import ConsoleAs
from tests.entrypoints.console.templates.filling import NEW, fields, id_of
from tests.entrypoints.console.visitor import Visitor
from tests.entrypoints.message_templates.creating_whatsapp import created
from watchword.application.paging import Paging
from watchword.domain.accounts.token_role import TokenRole
from watchword.entrypoints.wired import Wired

STORES = ("memory",)
DRAFT = "/templates/pin/draft"
MOVING = {"HX-Request": "true"}


async def templates(caller: Caller, query: str = "") -> list[dict[str, Any]]:
    """Return the templates as the API lists them."""
    listed: list[dict[str, Any]] = (await caller.operated("GET", f"/pin-templates?{query}"))["data"]
    return listed


async def test_a_template_is_written(console: Visitor, caller: Caller) -> None:
    """What an author writes becomes a template with the API's values, under the token as its actor."""
    made = await console.post(
        NEW, fields(pinLength="4", receipt="hashed", email__used="true", defaultChannel="2")
    )
    assert made.heading == "Sign in"
    assert "Created." in made.text
    record = await caller.operated("GET", f"/pin-templates/{id_of(made)}")
    assert (record["name"], record["pinLength"], record["receipt"]) == ("Sign in", 4, "hashed")
    assert [(each["channelType"], each["isDefault"]) for each in record["channels"]] == [
        ("sms", False),
        ("email", True),
    ]


async def test_a_new_form_begins_with_a_channel(console: Visitor, caller: Caller) -> None:
    """The first channel that the account can send by is ticked, and none where there is none."""
    assert "482913" in (await console.get(NEW)).text
    await caller.operated("POST", "/accounts", {"name": "acme"})
    assert "Choose a channel" in (await console.get(f"{NEW}?account=acme")).text


async def test_what_is_wrong_stands_beside_its_field(console: Visitor, caller: Caller) -> None:
    """A refused form comes back with what was typed and each problem of the API; nothing is stored."""
    before = await templates(caller)
    wrong = await console.post(NEW, fields(sms__contentText="No code", email__used="true"))
    assert wrong.status == 400
    assert "must contain the placeholder {{pin}}" in wrong.text
    assert 'id="channels[0].contentText-problem"' in wrong.html
    assert "No code" in wrong.html
    assert await templates(caller) == before


async def test_a_template_is_revised(console: Visitor, caller: Caller) -> None:
    """The form has all of a template; what is changed in it changes, and the rest stays."""
    made = await console.post(
        NEW, fields(sms__paramDefaults="1=Tea", sms__contentText="{{pin}} {{1}}")
    )
    template = id_of(made)
    before = await caller.operated("GET", f"/pin-templates/{template}")
    form = await console.get(f"/templates/pin/{template}/edit")
    assert form.heading == "Edit Sign in"
    assert "1=Tea" in form.html
    changed = await console.post(
        f"/templates/pin/{template}/edit",
        fields(name="Log in", sms__paramDefaults="1=Tea", sms__contentText="{{pin}} {{1}}"),
    )
    assert "The change is saved." in changed.text
    after = await caller.operated("GET", f"/pin-templates/{template}")
    changing = {"name": "Log in", "updatedAt": after["updatedAt"]}
    assert after == {**before, **changing}


async def test_a_refused_revision_changes_nothing(console: Visitor, caller: Caller) -> None:
    """A revision that the API would refuse shows its problem, with the status of one."""
    template = id_of(await console.post(NEW, fields()))
    wrong = await console.post(f"/templates/pin/{template}/edit", fields(pinTimeToLive="soon"))
    assert wrong.status == 400
    assert 'id="pinTimeToLive-problem"' in wrong.html
    record = await caller.operated("GET", f"/pin-templates/{template}")
    assert record["pinTimeToLive"] == "10m"


async def test_a_draft_is_judged_while_it_is_typed(console: Visitor, service: Wired) -> None:
    """A draft answers with its preview, its findings and each field's problem, and stores nothing."""
    newest = await service.journal.newest()
    right = await console.post(
        DRAFT, fields(pinLength="4", pinAttempts="50", sms__contentText="{{pin}} ê"), headers=MOVING
    )
    assert "4829 ê" in right.text
    assert "UCS-2, 1 segment" in right.text
    assert "Wrong guesses: An attacker who has" in right.text
    wrong = await console.post(DRAFT, fields(sms__contentText="Hi {{1}}"), headers=MOVING)
    assert "SMS: Text : must contain the placeholder {{pin}}" in wrong.text
    assert 'id="channels[0].contentText-problem" hx-swap-oob="true">must contain' in wrong.html
    assert 'id="name-problem" hx-swap-oob="true"><' in wrong.html
    assert "<h1" not in wrong.html
    assert await service.journal.newest() == newest


async def test_a_draft_is_judged_without_scripts(console: Visitor) -> None:
    """The button Check answers with the whole page: the form as it was, its problems and its preview."""
    shown = await console.post(DRAFT, fields(name="Tea", sms__contentText="none"))
    assert (shown.status, shown.heading) == (200, "New PIN template")
    assert shown.values["name"] == "Tea"
    assert "SMS: Text : must contain the placeholder {{pin}}" in shown.text


async def test_a_draft_has_the_problems_of_a_create(console: Visitor) -> None:
    """A draft says what the API would say, of limits, of accounts, and of texts."""
    for given in (
        fields(pinLength="99"),
        fields(sms__channelAccountId="cha_unknown"),
        fields(sms__paramDefaults="name=x"),
        fields(name="x" * 300),
    ):
        drafted = await console.post(DRAFT, given, headers=MOVING)
        refused = await console.post(NEW, given)
        problems = {
            part.partition("</p>")[0].rpartition(">")[2]
            for part in refused.html.split('class="problem"')[1:]
        } - {""}
        assert problems
        for problem in problems:
            assert problem in drafted.html


async def test_a_draft_of_a_revision_stores_nothing(console: Visitor, service: Wired) -> None:
    """A revision that is being typed is judged as one, and changes nothing."""
    template = id_of(await console.post(NEW, fields()))
    newest = await service.journal.newest()
    drafted = await console.post(
        f"/templates/pin/{template}/draft", fields(sms__contentText="{{pin}}!"), headers=MOVING
    )
    assert "482913!" in drafted.text
    assert await service.journal.newest() == newest


async def test_a_template_goes_through_its_states(console: Visitor, caller: Caller) -> None:
    """Its page disables, enables and archives a template, and says what it did."""
    template = id_of(await console.post(NEW, fields()))
    path = f"/templates/pin/{template}"
    for word, said, status in (
        ("disable", "Disabled.", "disabled"),
        ("enable", "Enabled.", "enabled"),
    ):
        shown = await console.post(f"{path}/{word}")
        assert said in shown.text
        assert (await caller.operated("GET", f"/pin-templates/{template}"))["status"] == status
    archived = await console.post(f"{path}/archive")
    assert "archived" in archived.text
    assert "Edit" not in archived.text.split()
    refused = await console.post(f"{path}/enable")
    assert refused.status == 409


async def test_lists_search_as_the_api_does(console: Visitor, caller: Caller) -> None:
    """The list takes the API's parameters, and shows what the API lists under them."""
    for name in ("Ant", "Bee", "Bear"):
        await console.post(NEW, fields(name=name))
    bee = next(each for each in await templates(caller) if each["name"] == "Bee")
    await caller.operated("POST", f"/pin-templates/{bee['id']}/archive")
    for query in (
        "search=be&sortBy=name&sortDirection=asc&includeArchived=true",
        "search=be",
        "pageSize=1&page=2&sortBy=name&sortDirection=asc",
        "status=disabled",
    ):
        listed = await templates(caller, query)
        shown = await console.get(f"/templates?{query}")
        found = [
            link.partition("?")[0].rpartition("/")[2]
            for link in shown.links
            if "/templates/pin/tpl_" in link
        ]
        assert found == [each["id"] for each in listed]


async def test_an_auditor_sees_templates_and_no_form(console_as: ConsoleAs) -> None:
    """An auditor reads the list and a template, finds no form in them, and may post none."""
    auditor = await console_as(TokenRole.AUDITOR)
    for path in ("/templates", "/templates/pin/tpl_demo"):
        shown = await auditor.get(path)
        assert shown.status == 200
        posting = [each.action for each in shown.forms if each.method == "post"]
        assert posting == ["/console/logout"]
        assert not [link for link in shown.links if link.endswith(("/new", "/edit"))]
    for path in (NEW, "/templates/pin/tpl_demo/edit"):
        assert (await auditor.get(path)).status == 403
    for path in (NEW, DRAFT, "/templates/pin/tpl_demo/disable"):
        assert (await auditor.post(path, fields())).status == 403


async def test_a_bound_token_writes_for_its_account(
    console_as: ConsoleAs, caller: Caller, service: Wired
) -> None:
    """A bound token's templates are its account's; another account's template does not exist for it."""
    await caller.operated("POST", "/accounts", {"name": "acme"})
    await caller.operated(
        "POST",
        "/channel-accounts",
        {
            "account": "acme",
            "channelType": "sms",
            "provider": "sandbox",
            "name": "texts",
            "config": {},
        },
    )
    operator = await console_as(TokenRole.OPERATOR, "acme")
    made = await operator.post(NEW, fields())
    assert made.heading == "Sign in"
    (listed,) = await templates(caller, "account=acme")
    assert listed["id"] == id_of(made)
    tokens = await service.operator_tokens.list(None, Paging())
    assert listed["createdBy"] == tokens.data[0].id
    for path in ("/templates/pin/tpl_demo", "/templates/pin/tpl_demo/edit"):
        assert (await operator.get(path)).status == 404
    assert (await operator.post("/templates/pin/tpl_demo/draft", fields())).status == 404
    assert "demo" not in (await operator.get("/templates")).text


async def test_an_account_is_chosen_first_where_there_is_no_default(
    console: Visitor, caller: Caller
) -> None:
    """The form of another account has that account's channel accounts, and its template."""
    await caller.operated("POST", "/accounts", {"name": "acme"})
    await caller.operated(
        "POST",
        "/channel-accounts",
        {
            "account": "acme",
            "channelType": "sms",
            "provider": "sandbox",
            "name": "texts",
            "config": {},
        },
    )
    form = await console.get(f"{NEW}?account=acme")
    assert "texts" in form.text
    assert "sandbox sms" not in form.text
    made = await console.post(f"{NEW}?account=acme", fields())
    assert "account=acme" in made.url
    assert [each["name"] for each in await templates(caller, "account=acme")] == ["Sign in"]


@pytest.mark.parametrize("path", ["/templates/pin/tpl_none", "/templates/pin/tpl_none/edit"])
async def test_an_unknown_template_is_said(console: Visitor, path: str) -> None:
    """A page of a template that does not exist is 404."""
    assert (await console.get(path)).status == 404


async def test_whatsapp_shows_the_template_of_the_store(console: Visitor, caller: Caller) -> None:
    """A WhatsApp entry that names a template of the account shows its text with the code in it."""
    template = {
        "name": "login",
        "language": "en",
        "category": "AUTHENTICATION",
        "components": [
            {"type": "BODY", "add_security_recommendation": True},
            {"type": "BUTTONS", "buttons": [{"type": "OTP", "otp_type": "COPY_CODE"}]},
        ],
    }
    await created(caller, template)
    shown = await console.post(
        NEW, fields(wa__used="true", wa__providerTemplateRef="login", wa__languageCode="en")
    )
    assert "482913 is your verification code. For your security" in shown.text


async def test_a_template_is_written_in_several_languages(console: Visitor, caller: Caller) -> None:
    """The author adds a language, sees its text, and saves what the form then has (D-530)."""
    adding = {"add": "true", "addChannel": "sms", "addLanguage": "de"}
    shown = await console.post(
        DRAFT,
        fields(sms__languageCode="en", sms__webOtpOrigin="tea.example") | adding,
    )
    assert (shown.status, shown.heading) == (200, "New PIN template")
    assert "Ihr Best\u00e4tigungscode lautet" in shown.filled["channels[3].contentText"]
    assert "tea.example" == shown.filled["channels[3].webOtpOrigin"]
    assert "This has to change" not in shown.text
    made = await console.post(NEW, shown.filled)
    record = await caller.operated("GET", f"/pin-templates/{id_of(made)}")
    assert [("sms", "en"), ("sms", "de")] == [
        (each["channelType"], each["languageCode"]) for each in record["channels"]
    ]
    assert "SMS (de)" in made.text
    assert "Browsers fill the code in on tea.example" in made.text
    assert "SMS (en, de)" in (await console.get("/templates")).text


async def test_a_language_is_added_to_a_template_that_there_is(console: Visitor) -> None:
    """The form of a template keeps what was typed, and gets a further part."""
    template = id_of(await console.post(NEW, fields()))
    given = fields(name="Tea") | {"add": "true", "addChannel": "email", "addLanguage": "ja"}
    shown = await console.post(f"/templates/pin/{template}/draft", given)
    assert ("Tea", "ja") == (shown.filled["name"], shown.filled["channels[2].languageCode"])
    assert (await console.get(f"/templates/pin/{template}")).heading == "Sign in"


async def test_findings_name_the_entries_that_they_are_about(console: Visitor) -> None:
    """Also where an earlier part of the form is not used, and with the language of the entry."""
    given = fields(email__used="true", sms__languageCode="en") | {
        "channels[3].channelType": "sms",
        "channels[3].used": "true",
        "channels[3].languageCode": "fr",
        "channels[3].contentText": "{{pin}}",
        "defaultChannel": "3",
    }
    del given["channels[0].used"]
    shown = await console.post(DRAFT, given, headers=MOVING)
    assert "SMS (fr): Text: Goes out in 1 segment" in shown.text
    assert "SMS (en): Text: Goes out" not in shown.text


async def test_the_largest_template_can_be_edited(console: Visitor, caller: Caller) -> None:
    """A form with a hundred entries, every field of them filled in, is read whole."""
    entries = [
        {"channelType": "sms", "contentText": "{{pin}}", "languageCode": f"en-x-{at}"}
        for at in range(100)
    ]
    body = {"name": "many", "channels": entries}
    template = (await caller.operated("POST", "/pin-templates", body))["id"]
    form = await console.get(f"/templates/pin/{template}/edit")
    saved = await console.post(f"/templates/pin/{template}/edit", {**form.filled, "name": "more"})
    record = await caller.operated("GET", f"/pin-templates/{template}")
    assert (saved.heading, record["name"], len(record["channels"])) == ("more", "more", 100)


async def test_a_text_runs_in_the_direction_of_its_language(console: Visitor) -> None:
    """In its field and on the phone, so that the end of an Arabic sentence stands where it is read."""
    adding = {"add": "true", "addChannel": "sms", "addLanguage": "ar"}
    shown = await console.post(DRAFT, fields() | adding)
    assert '<textarea dir="auto" id="field-channels[3].contentText"' in shown.html
    assert '<p class="phone-text" dir="auto">\u0631\u0645\u0632' in shown.html
