"""The contents of a WhatsApp session, at their limits (C-26), and their text form."""

from __future__ import annotations

from typing import Any

import pytest

from watchword.domain.message import (
    WhatsappSessionContent,
    session_problems,
    session_wording,
)

LINK = "https://tea.example/cup.png"
BODY = {"text": "Tea?"}
Said = dict[str, Any]


def wrong(kind: str, body: Said) -> list[str]:
    """Return the paths below the object at which something is wrong."""
    found = session_problems(kind, body, "wa[0].x")
    return [each.path.removeprefix("wa[0].x").removeprefix(".") for each in found]


def buttons(*given: tuple[str, str], **more: Any) -> Said:
    """Return an interactive message with these buttons: ids and titles."""
    replies = [{"type": "reply", "reply": {"id": i, "title": t}} for i, t in given]
    return {"type": "button", "body": BODY, "action": {"buttons": replies}, **more}


def rows(*sections: tuple[int, str | None], **more: Any) -> Said:
    """Return a list: for each section its number of rows and its title."""
    made, number = [], 0
    for count, title in sections:
        listed = [{"id": str(number + n), "title": f"Tea {n}"} for n in range(count)]
        made.append({"rows": listed, **({"title": title} if title else {})})
        number += count
    return {"type": "list", "body": BODY, "action": {"button": "Teas", "sections": made, **more}}


def leads(**parameters: Any) -> Said:
    """Return a button that opens an address."""
    given = {"display_text": "Go", "url": LINK, **parameters}
    return {"type": "cta_url", "body": BODY, "action": {"name": "cta_url", "parameters": given}}


@pytest.mark.parametrize(
    ("body", "paths"),
    [
        ({"body": "x" * 4096, "preview_url": True}, []),
        ({"body": "x" * 4097}, ["body"]),
        ({"body": ""}, ["body"]),
        ({"body": None}, ["body"]),
        ({"body": 7, "preview_url": "yes"}, ["body", "preview_url"]),
    ],
)
def test_a_text(body: Said, paths: list[str]) -> None:
    """1 to 4,096 characters."""
    assert paths == wrong("text", body)


@pytest.mark.parametrize("kind", ["image", "video", "document", "audio"])
def test_a_medium_has_an_id_or_a_link(kind: str) -> None:
    """One of them; a link leads to something public, by its form."""
    assert [] == wrong(kind, {"id": "med_1"}) == wrong(kind, {"link": LINK, "id": None})
    assert [""] == wrong(kind, {}) == wrong(kind, {"id": "med_1", "link": LINK})
    assert ["id"] == wrong(kind, {"id": "x" * 201}) == wrong(kind, {"id": 7})
    for link in ("", "cup.png", "http://127.0.0.1/cup.png", "file:///etc/passwd", 7):
        assert ["link"] == wrong(kind, {"link": link})


def test_a_caption_and_a_file_name() -> None:
    """At their limits; an audio has neither, and these members pass unchanged."""
    for kind in ("image", "video", "document"):
        assert [] == wrong(kind, {"id": "m", "caption": "x" * 1024})
        assert ["caption"] == wrong(kind, {"id": "m", "caption": "x" * 1025})
    assert [] == wrong("audio", {"id": "m", "caption": "x" * 1025})
    assert [] == wrong("document", {"id": "m", "filename": "x" * 255})
    assert ["filename"] == wrong("document", {"id": "m", "filename": "x" * 256})


@pytest.mark.parametrize(
    ("body", "paths"),
    [
        (buttons(("1", "Yes")), []),
        (buttons(("1", "A"), ("2", "B"), ("3", "C")), []),
        (buttons(), ["action.buttons"]),
        (buttons(*((str(n), str(n)) for n in range(4))), ["action.buttons"]),
        (buttons(("x" * 256, "x" * 20)), []),
        (buttons(("x" * 257, "Yes")), ["action.buttons[0].reply.id"]),
        (buttons(("1", "x" * 21)), ["action.buttons[0].reply.title"]),
        (buttons(("1", "Yes"), ("1", "No")), ["action.buttons[1].reply.id"]),
        (buttons(("1", "Yes"), ("2", "Yes")), ["action.buttons[1].reply.title"]),
        (buttons(("1", "Yes"), body={"text": "x" * 1024}), []),
        (buttons(("1", "Yes"), body={"text": "x" * 1025}), ["body.text"]),
        (buttons(("1", "Yes"), body=None), ["body"]),
        (buttons(("1", "Yes"), footer={"text": "x" * 60}), []),
        (buttons(("1", "Yes"), footer={"text": "x" * 61}), ["footer.text"]),
        (buttons(("1", "Yes"), header={"type": "text", "text": "x" * 60}), []),
        (buttons(("1", "Yes"), header={"type": "text", "text": "x" * 61}), ["header.text"]),
        (buttons(("1", "Yes"), header={"type": "video", "video": {"id": "m"}}), []),
        (buttons(("1", "Yes"), header={"type": "video", "video": {}}), ["header.video"]),
        (buttons(("1", "Yes"), header={"type": "video"}), ["header.video"]),
        (buttons(("1", "Yes"), header={"type": "audio"}), ["header.type"]),
        (buttons(("1", "Yes"), header="x"), ["header"]),
        (buttons(("1", "Yes"), action=None), ["action"]),
        ({**buttons(), "action": {"buttons": [{"type": "url"}]}}, None),
    ],
)
def test_buttons(body: Said, paths: list[str] | None) -> None:
    """One to three, with different ids and titles."""
    expected = ["action.buttons[0].type", "action.buttons[0].reply"] if paths is None else paths

    assert expected == wrong("interactive", body)


@pytest.mark.parametrize(
    ("body", "paths"),
    [
        (rows((10, None)), []),
        (rows((11, None)), ["action.sections[0].rows"]),
        (rows((5, "Green"), (5, "Black")), []),
        (rows((5, "Green"), (6, "Black")), ["action.sections"]),
        (rows((5, "Green"), (5, None)), ["action.sections[1].title"]),
        (rows(*((1, "x" * 24) for _ in range(10))), []),
        (rows((1, "x" * 25)), ["action.sections[0].title"]),
        (rows(*((1, "x") for _ in range(11))), ["action.sections"]),
        (rows(), ["action.sections"]),
        (rows((0, None)), ["action.sections[0].rows"]),
        (rows((1, None), button="x" * 20), []),
        (rows((1, None), button="x" * 21), ["action.button"]),
        ({**rows((1, None)), "body": {"text": "x" * 4096}}, []),
        ({**rows((1, None)), "body": {"text": "x" * 4097}}, ["body.text"]),
        ({**rows((1, None)), "header": {"type": "image", "image": {"id": "m"}}}, ["header.type"]),
        (
            rows(
                sections=[{"rows": [{"id": "x" * 200, "title": "x" * 24, "description": "x" * 72}]}]
            ),
            [],
        ),
        (
            rows(
                sections=[{"rows": [{"id": "x" * 201, "title": "x" * 25, "description": "x" * 73}]}]
            ),
            [f"action.sections[0].rows[0].{name}" for name in ("id", "title", "description")],
        ),
        (
            rows(sections=[{"rows": [{"id": "1", "title": "a"}, {"id": "1", "title": "a"}]}]),
            ["action.sections[0].rows[1].id"],
        ),
    ],
)
def test_lists(body: Said, paths: list[str]) -> None:
    """Ten rows in all, in ten sections at most, with ids of their own."""
    assert paths == wrong("interactive", body)


@pytest.mark.parametrize(
    ("body", "paths"),
    [
        (leads(display_text="x" * 20), []),
        (leads(display_text="x" * 21), ["action.parameters.display_text"]),
        (leads(url="tea"), ["action.parameters.url"]),
        (leads(url=None), ["action.parameters.url"]),
        ({**leads(), "action": {"name": "go"}}, ["action.name", "action.parameters"]),
        (
            {"type": "location_request_message", "body": BODY, "action": {"name": "x"}},
            ["action.name"],
        ),
        ({"type": "flow", "body": BODY, "action": {"name": "flow", "parameters": {"a": 1}}}, []),
        ({"type": "product", "action": {"catalog_id": "1"}}, []),
        ({"type": "product_list", "action": {"catalog_id": "1"}}, ["body"]),
        ({"type": "catalog_message", "body": BODY}, ["action"]),
        ({"type": "sticker", "body": BODY, "action": {}}, ["type"]),
        ({"type": ["list"]}, ["type"]),
        ({}, ["type"]),
    ],
)
def test_other_interactive_messages(body: Said, paths: list[str]) -> None:
    """Links are checked; members that only Meta can judge pass unchanged (D-93)."""
    assert paths == wrong("interactive", body)


@pytest.mark.parametrize(
    ("kind", "body", "text"),
    [
        ("text", {"body": "Tea?"}, "Tea?"),
        ("image", {"link": LINK, "caption": "A cup"}, f"{LINK}\nA cup"),
        ("audio", {"id": "med_1"}, "med_1"),
        (
            "interactive",
            buttons(
                ("1", "Yes"),
                ("2", "No"),
                header={"type": "text", "text": "The house"},
                footer={"text": "Open"},
            ),
            "The house\nTea?\nOpen\n[Yes]\n[No]",
        ),
        (
            "interactive",
            buttons(("1", "Yes"), header={"type": "image", "image": {"link": LINK}}),
            f"{LINK}\nTea?\n[Yes]",
        ),
        ("interactive", rows((2, "Green")), "Tea?\n[Teas]\nGreen\nTea 0\nTea 1"),
        ("interactive", leads(), f"Tea?\n[Go] {LINK}"),
        ("interactive", {"type": "flow", "body": BODY, "action": {"name": "flow"}}, "Tea?"),
        ("interactive", {"action": [1], "body": "x", "header": 7}, ""),
    ],
)
def test_a_session_in_words(kind: str, body: Said, text: str) -> None:
    """The text is what a person reads; an older record of another form is read as far as possible."""
    assert text == session_wording(WhatsappSessionContent(type=kind, body=body))
