"""E2 under templates of every shape: text, media, combined and carousel (SPEC 4 E, C-43, C-62)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.http.legacy.test_send import answered, sent, token, wrong
from tests.entrypoints.legacy.bodies import AGAIN, CALL, OPEN, PAPER, PICTURE, TEXT
from tests.entrypoints.messaging.sends import SMS

STORES = ("sqlite",)

ORDER = {"type": "URL", "text": "Order", "url": "https://tea.example/order/{{1}}", "example": ["a"]}
LOOK = {"type": "URL", "text": "Look", "url": "https://tea.example/"}
DIAL = {"type": "PHONE_NUMBER", "text": "Call us", "phone_number": "+15550100"}
REPLY = {"type": "QUICK_REPLY", "text": "Again"}


def body(text: str, *values: str) -> dict[str, Any]:
    """Write the body of a template."""
    shown = {"example": {"body_text": [list(values)]}} if values else {}
    return {"type": "BODY", "text": text, **shown}


def header(kind: str) -> dict[str, Any]:
    """Write a header with a medium."""
    return {"type": "HEADER", "format": kind, "example": {"header_handle": ["4::aW"]}}


def buttons(*given: dict[str, Any]) -> dict[str, Any]:
    """Write buttons."""
    return {"type": "BUTTONS", "buttons": list(given)}


HELLO = body("Hello {{1}}, your tea is ready.", "Asha")
TITLE = {
    "type": "HEADER",
    "format": "TEXT",
    "text": "Tea for {{1}}",
    "example": {"header_text": ["A"]},
}
CARD = {
    "components": [header("IMAGE"), body("Our {{1}} of the day.", "oolong"), buttons(ORDER, REPLY)]
}
CAROUSEL = {"type": "CAROUSEL", "cards": [CARD, CARD]}


async def keep(
    caller: Caller, name: str, *components: dict[str, Any], approved: bool = True, **more: Any
) -> str:
    """Create a template, have it approved unless it should not be, and return its id."""
    wanted = {"name": name, "language": "en", "category": "UTILITY", "components": components}
    key = {"apikey": str(caller.key)}
    made = await caller.using(None).post("/wa/templates", {**wanted, **more}, headers=key)
    assert 201 == made.status, made.body
    if approved:
        language = {"language": more.get("language", "en")}
        await caller.operated("POST", f"/wa-templates/{name}/approve", language)
    return str(made.json["id"])


async def handed(caller: Caller) -> list[dict[str, Any]]:
    """Return the components of the newest message, as its provider was handed them."""
    return list((await caller.outbox())[-1]["payload"]["components"])


@pytest.mark.parametrize(
    ("parts", "more", "kinds", "text"),
    [
        ([HELLO], {}, ["body"], "Hello Asha, your tea is ready."),
        ([TITLE, HELLO], {"headerVariables": {"1": "two"}}, ["header", "body"],
         "Tea for two\nHello Asha, your tea is ready."),
        ([header("DOCUMENT"), HELLO], {"media": PAPER}, ["header", "body"],
         f"{PAPER['url']}\nHello Asha, your tea is ready."),
        (
            [header("IMAGE"), HELLO, buttons(ORDER, LOOK, DIAL, REPLY)],
            {"media": PICTURE, "buttons": [OPEN, {**OPEN, "text": "Look"}, CALL, AGAIN]},
            ["header", "body", "button", "button"],
            f"{PICTURE['url']}\nHello Asha, your tea is ready.\n[Order] https://tea.example/order/oolong",
        ),
    ],
    ids=["text", "title", "media", "combined"],
)  # fmt: skip
async def test_a_message_is_what_its_template_makes_of_it(
    caller: Caller, parts: list[dict[str, Any]], more: dict[str, Any], kinds: list[str], text: str
) -> None:
    """In Meta's shape for its provider, and in words on the phone."""
    held = await token(caller)
    await keep(caller, "teas", *parts)
    await sent(caller, held, templateId="teas", bodyVariables={"1": "Asha"}, **more)

    assert kinds == [each["type"] for each in await handed(caller)]
    assert (await caller.outbox())[-1]["text"].startswith(text)


async def test_a_carousel_goes_out_card_by_card(caller: Caller) -> None:
    """Each with its own medium, values and buttons."""
    held = await token(caller)
    await keep(caller, "teas", HELLO, CAROUSEL, category="MARKETING")
    cards = [
        {
            "media": PICTURE,
            "bodyVariables": {"1": tea},
            "buttons": [{**OPEN, "payload": tea}, AGAIN],
        }
        for tea in ("oolong", "assam")
    ]
    await sent(caller, held, templateId="teas", bodyVariables={"1": "Asha"}, cards=cards)
    (_, carousel) = await handed(caller)
    said = (await caller.outbox())[-1]["text"]

    assert [0, 1] == [each["card_index"] for each in carousel["cards"]]
    assert {"type": "text", "text": "assam"} == (
        carousel["cards"][1]["components"][2]["parameters"][0]
    )
    for words in ("Hello Asha", "Our oolong of the day.", "https://tea.example/order/assam"):
        assert words in said


async def test_values_that_do_not_fit_are_named_by_the_fields_of_the_platform(
    caller: Caller,
) -> None:
    """103, and nothing is sent; missing values are named by the platform's field (E2)."""
    held = await token(caller)
    await keep(caller, "teas", header("IMAGE"), HELLO, buttons(ORDER))
    await keep(caller, "cards", HELLO, CAROUSEL, category="MARKETING")
    right = {
        **TEXT,
        "templateId": "teas",
        "bodyVariables": {"1": "A"},
        "media": PICTURE,
        "buttons": [OPEN],
    }
    card = {"media": PICTURE, "bodyVariables": {"1": "x"}, "buttons": [OPEN]}
    cards = {**TEXT, "templateId": "cards", "bodyVariables": {"1": "A"}}

    for change, named in (
        ({"bodyVariables": {"1": "A", "2": "B"}}, ["bodyVariables"]),
        ({"media": PAPER}, ["media"]),
        ({"media": {**PICTURE, "url": "http://127.0.0.1/pot.png"}}, ["media"]),
        ({"buttons": [AGAIN]}, ["buttons[0]", "buttons[0]"]),
        ({"buttons": [OPEN, OPEN]}, ["buttons[1]"]),
        ({"buttons": None}, ["buttons[0].payload"]),
        ({"buttons": [{**OPEN, "payload": None}]}, ["buttons[0].payload"]),
        ({"bodyVariables": None}, ["bodyVariables"]),
        ({"media": None, "bodyVariables": {"1": "A", "2": "B"}}, ["media", "bodyVariables"]),
        (
            {"media": None, "bodyVariables": None, "buttons": None},
            ["media", "bodyVariables", "buttons[0].payload"],
        ),
        ({"cards": [card, card]}, ["cards"]),
    ):
        assert named == wrong(await answered(caller, held, {**right, **change})), change
    for change, named in (
        ({}, ["cards"]),
        ({"cards": [card]}, ["cards"]),
        ({"cards": [card, {**card, "media": PAPER}]}, ["cards[1]"]),
        ({"cards": [card, {"media": PICTURE, "buttons": [OPEN]}]}, ["cards[1].bodyVariables"]),
    ):
        assert named == wrong(await answered(caller, held, {**cards, **change})), change
    assert [] == await caller.outbox()


async def test_a_template_is_named_by_its_id_too(caller: Caller) -> None:
    """A name with several languages means the oldest approved one (C-62, D-103)."""
    held = await token(caller)
    german = await keep(caller, "teas", body("Der Tee ist fertig."), language="de", approved=False)
    await keep(caller, "teas", body("Tea is ready."), language="en")
    french = await keep(caller, "teas", body("Du the."), language="fr")
    plain = {"bodyVariables": None}
    for name in ("teas", french):
        await sent(caller, held, templateId=name, **plain)
    unapproved = await answered(caller, held, {**TEXT, "templateId": german, **plain})

    assert ["Tea is ready.", "Du the."] == [each["text"] for each in await caller.outbox()]
    assert 104 == unapproved["responseCode"]


async def test_a_code_is_kept_out_of_what_is_stored(caller: Caller) -> None:
    """A template of category AUTHENTICATION hides it, as on every other way in (C-23)."""
    held = await token(caller)
    await keep(
        caller,
        "code",
        {"type": "BODY"},
        buttons({"type": "OTP", "otp_type": "COPY_CODE"}),
        category="AUTHENTICATION",
    )
    message_id = await sent(caller, held, templateId="code", bodyVariables={"1": "471147"})
    (submitted, *_) = await caller.events(message_id)

    assert submitted["data"]["content"] is None
    assert "471147" in (await caller.outbox())[-1]["text"]


async def test_the_api_sends_carousels_too(caller: Caller) -> None:
    """In Meta's shape, judged in the same way, by Meta's paths."""
    await keep(caller, "cards", body("Teas."), CAROUSEL, category="MARKETING")
    wanted = {"name": "cards", "language": {"code": "en"}, "components": [{"type": "carousel"}]}
    entry = {
        "messaging_product": "whatsapp",
        "recipient_type": "individual",
        "recipient": [SMS["recipient"]],
        "sender": "+15550100",
        "type": "template",
    }
    reply = await caller.send(wa=[{**entry, "template": wanted}])

    assert ["wa[0].template.components[0].cards"] == reply.wrong
