"""`locale` chooses among a template's entries of one channel (C-86)."""

from typing import Any

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import EVERY_STORE

STORES = EVERY_STORE


def sms(text: str, language: str | None = None, **more: Any) -> dict[str, Any]:
    """Return an SMS entry in a language."""
    return {"channelType": "sms", "contentText": text, "languageCode": language, **more}


ENGLISH = sms("Your code is {{pin}}", "en")
GERMAN = sms("Ihr Code ist {{pin}}", "de")
BRAZILIAN = sms("Seu c\u00f3digo \u00e9 {{pin}}", "pt_BR")


async def text(caller: Caller) -> str:
    """Return the text that was sent last, without its code."""
    last = (await caller.outbox())[-1]["text"]
    return str(last).rsplit(" ", 1)[0]


@pytest.mark.parametrize(
    ("locale", "words"),
    [
        ("de", "Ihr Code ist"),
        ("de-AT", "Ihr Code ist"),
        ("DE_ch_1996", "Ihr Code ist"),
        ("pt-BR", "Seu c\u00f3digo \u00e9"),
        ("pt", "Your code is"),
        ("fr", "Your code is"),
        (None, "Your code is"),
    ],
)
async def test_a_code_goes_out_in_the_language_of_the_user(
    caller: Caller, locale: str | None, words: str
) -> None:
    """The best entry by look-up; the channel's first if none matches, or no locale is given."""
    tea = await caller.with_template(ENGLISH, GERMAN, BRAZILIAN)
    await tea.created(**({} if locale is None else {"locale": locale}))

    assert words == await text(tea)


async def test_a_resend_keeps_the_locale(caller: Caller) -> None:
    """The locale stands in the log, and a resend looks the new template up by it."""
    tea = await caller.with_template(ENGLISH, GERMAN)
    pin_id = await tea.created(locale="de_AT")
    (issued, *_) = await tea.events(pin_id)
    await tea.operated(
        "PATCH",
        f"/pin-templates/{tea.template}",
        {"channels": [ENGLISH, GERMAN, sms("Dein Code: {{pin}}", "de-AT")]},
    )
    await tea.advance(31)
    resent = await tea.resend(pin_id)

    assert 200 == resent.status
    assert "de-AT" == issued["data"]["locale"]
    assert "Dein Code:" == await text(tea)


@pytest.mark.parametrize("locale", ["", "*", "de--AT", "german language", 5])
async def test_a_locale_that_is_no_tag_is_400(caller: Caller, locale: object) -> None:
    """Nothing is sent, and the field is named."""
    tea = await caller.with_template(ENGLISH, GERMAN)

    assert ["locale"] == (await tea.create(locale=locale)).wrong
    assert [] == await tea.outbox()


async def test_the_default_entry_chooses_the_channel_alone(caller: Caller) -> None:
    """`isDefault` on a later entry of a channel is no reason to send it (C-86)."""
    mail = {"channelType": "email", "contentText": "Mail {{pin}}"}
    tea = await caller.with_template(mail, ENGLISH, {**GERMAN, "isDefault": True})
    await tea.created()

    assert "Your code is" == await text(tea)


async def test_each_channel_has_its_own_best_entry(caller: Caller) -> None:
    """E-mail has the language, SMS does not: each goes by its own entries."""
    mails = [
        {"channelType": "email", "contentText": f"{each} {{{{pin}}}}", "languageCode": each}
        for each in ("en", "fr")
    ]
    tea = await caller.with_template(ENGLISH, *mails, GERMAN)
    reply = await tea.create("ann@tea.example", channels=["email"], locale="fr-CA")

    assert 201 == reply.status
    assert "fr" == await text(tea)


@pytest.mark.parametrize(
    ("entries", "wrong"),
    [
        ([GERMAN, sms("{{pin}}", "DE")], ["channels[1].languageCode"]),
        ([BRAZILIAN, sms("{{pin}}", "pt-br")], ["channels[1].languageCode"]),
        ([sms("{{pin}}"), GERMAN, sms("{{pin}} x")], ["channels[2].channelType"]),
        ([ENGLISH, sms("{{pin}}", "deutsch bitte")], ["channels[1].languageCode"]),
    ],
)
async def test_a_language_stands_once_for_a_channel(
    caller: Caller, entries: list[dict[str, Any]], wrong: list[str]
) -> None:
    """The same tag twice, two entries without one, and what is no tag."""
    reply = await caller.operate("POST", "/pin-templates", {"name": "tea", "channels": entries})

    assert wrong == reply.wrong


async def test_an_entry_without_a_language_matches_nothing(caller: Caller) -> None:
    """It is sent where it is the first, and no language matches."""
    tea = await caller.with_template(sms("Code: {{pin}}"), GERMAN)
    await tea.created(locale="en")

    assert "Code:" == await text(tea)


async def test_a_parameter_of_another_language_is_no_mistake(caller: Caller) -> None:
    """A caller does not know which entry is chosen, so any entry of the channel may use the position."""
    tea = await caller.with_template(sms("{{1}}: {{pin}}", "en"), GERMAN)

    assert 201 == (await tea.create(locale="de", templateParams={"1": "Ann"})).status
    assert ["templateParams.1"] == (await tea.create(locale="en")).wrong
    assert ["templateParams.2"] == (await tea.create(locale="de", templateParams={"2": "x"})).wrong


async def test_entries_keep_their_ids_by_language(caller: Caller) -> None:
    """A revision in another order, or with another language for an id, makes no new entry."""
    tea = await caller.with_template(ENGLISH, GERMAN)
    path = f"/pin-templates/{tea.template}"
    english, german = (await tea.operated("GET", path))["channels"]
    turned = await tea.operated("PATCH", path, {"channels": [GERMAN, ENGLISH, BRAZILIAN]})
    swiss = {**GERMAN, "id": german["id"], "languageCode": "de-CH"}
    revised = await tea.operated("PATCH", path, {"channels": [ENGLISH, swiss]})

    assert [german["id"], english["id"]] == [each["id"] for each in turned["channels"][:2]]
    assert [english["id"], german["id"]] == [each["id"] for each in revised["channels"]]


async def test_everything_wrong_in_a_template_is_said_at_once(caller: Caller) -> None:
    """A wrong language beside a text without a code, a second entry, and a missing channel account."""
    entries = [
        sms("No code", "deutsch bitte"),
        sms("{{pin}}"),
        sms("{{pin}} {{name}}", webOtpOrigin="tea.example", appHash="FA+9qCX9VSu"),
        {"channelType": "whatsapp", "channelAccountId": "cha_none"},
    ]
    body = {"name": "tea", "channels": entries}
    made = await caller.operate("POST", "/pin-templates", body)
    tea = await caller.with_template(ENGLISH)
    revised = await tea.operate("PATCH", f"/pin-templates/{tea.template}", {"channels": entries})

    assert [
        "channels[0].languageCode",
        "channels[0].contentText",
        "channels[2].contentText",
        "channels[2].channelType",
        "channels[2].appHash",
        "channels[3].channelAccountId",
    ] == (made.wrong)
    assert made.wrong == revised.wrong


@pytest.mark.parametrize(("number", "status"), [(100, 201), (101, 400), (0, 400)])
async def test_a_template_has_so_many_entries_at_most(
    caller: Caller, number: int, status: int
) -> None:
    """100, whether it is made or revised (D-528)."""
    entries = [sms("{{pin}}", f"en-x-{at}") for at in range(number)]
    body = {"name": "tea", "channels": entries}
    made = await caller.operate("POST", "/pin-templates", body)
    tea = await caller.with_template(ENGLISH)
    revised = await tea.operate("PATCH", f"/pin-templates/{tea.template}", {"channels": entries})

    assert (status, 200 if status == 201 else 400) == (made.status, revised.status)
    assert status == 201 or (["channels"] == made.wrong == revised.wrong)
