"""A1 over HTTP: the record of a template, and all mistakes of a form at once (SPEC 2.1)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from yarl import URL

from tests.entrypoints.caller import Caller
from tests.entrypoints.message_templates.creating_rcs import (
    BOUNDARY,
    CREATE,
    TEXT,
    Part,
    create,
    created,
    fetched,
    file,
    form,
    text,
    texts,
)
from watchword.entrypoints.http.listener.bodies import MAX_BODY
from watchword.entrypoints.http.rcs_forms import MAX_FILES
from watchword.entrypoints.settings import Settings

STORES = ("sqlite", "postgresql")
CARD = {"cardTitle": "Oolong", "cardDescription": "Rolled by hand, [name]."}
RICH_CARD = {
    "name": "oolong",
    "type": "rich_card",
    "orientation": "VERTICAL",
    "height": "TALL_HEIGHT",
    "standAlone": {**CARD, "fileName": "tea.mp4", "thumbnailFileName": "tea.png"},
}
FILES = (file("tea.mp4", b"m" * 100_000), file("tea.png", b"p"))
NO_DATA = texts(TEXT)[1:]
WRONG_FORMS: list[tuple[list[Part], str, str]] = [
    ([], "data", "is required"),
    (NO_DATA, "data", "is required"),
    ([*NO_DATA, text("data", "{")], "data", "is not valid JSON (line 1)"),
    ([*texts(TEXT), text("data", "{}")], "data", "must come once"),
    ([*texts(TEXT), text("update_by", "till-1")], "update_by", "must come once"),
    (texts(TEXT, sender_profile_name=" "), "sender_profile_name", "must have 1 to 64"),
    (texts(TEXT, sender_profile_name="x" * 65), "sender_profile_name", "must have 1 to 64"),
    (texts(TEXT, update_by="x" * 201), "update_by", "must have 1 to 200"),
    (texts(TEXT, message_type=""), "message_type", "must be one of Promotional"),
    ([*texts(TEXT), file("a.png")], "multimedia_files", "has 'a.png', which no file name"),
    (
        [*texts(RICH_CARD), *FILES, FILES[0]],
        "multimedia_files",
        "must not have two files named 'tea.mp4'",
    ),
    ([*texts(RICH_CARD), FILES[0]], "data.standAlone.thumbnailFileName", "must be the exact"),
    (
        [*texts(RICH_CARD), file("TEA.mp4"), FILES[1]],
        "data.standAlone.fileName",
        "must be the exact name of an uploaded file",
    ),
    ([*texts(TEXT), text("multimedia_files", "tea")], "multimedia_files", "must be a file"),
    (
        [*texts(TEXT), file("a.png", b"")],
        "multimedia_files",
        "must not have an empty file: 'a.png'",
    ),
    ([*texts(TEXT), file("", b"tea")], "multimedia_files", "must be a file, with its name"),
    ([*texts(TEXT), file("a.png", name="file")], "file", "must not be a file. Send it as"),
    ([*texts(TEXT), *[file("a.png")] * (MAX_FILES + 1)], "multimedia_files", "at most 30"),
    ([*NO_DATA, Part("data", b"\xff")], "body", "must be UTF-8 without NUL"),
    ([*NO_DATA, Part("data", b"a\0")], "body", "must be UTF-8 without NUL"),
    ([*texts(TEXT), Part("x", b"")] * 13, "body", "must have at most 64 parts"),
    (texts('{"name": "\\ud800"}'), "data", "has a text with \\u0000 or half a surrogate"),
]


@pytest.fixture
def kept(settings: Settings) -> Any:
    """Return the names of the files that are kept, and of those that are left over."""

    def names() -> tuple[int, int]:
        folder = settings.data_dir / "media"
        incoming = folder / "incoming"
        left = list(incoming.iterdir()) if incoming.exists() else []
        return len([*folder.glob("med_*")]), len(left)

    return names


def wrong_with(reply: Any) -> dict[str, str]:
    """Return what a refusal says of each field."""
    assert (400, "validation_failed") == reply.refusal
    return {each["field"]: each["message"] for each in reply.error["errors"]}


async def test_a_template_is_created(caller: Caller) -> None:
    """200 with the record: the given members, and those that SPEC 2.4 adds (C-24, C-55)."""
    record = await created(caller, TEXT)
    times = record.pop("created_on"), record.pop("updated_on")

    assert times[0] == times[1]
    assert len("2031-05-04T12:00:00.250") == len(times[0])
    assert record == {
        **TEXT,
        "templateState": "Submit",
        "status": "Pending",
        "category": "Text Message",
        "messageType": "Promotional",
        "senderProfile": "TeaHouse",
    }


async def test_its_files_are_hosted(caller: Caller, kept: Any) -> None:
    """For a card with a file name and no URL, the record has the file's address (SPEC 2.4, C-56)."""
    # Fields may come after files.
    reply = await create(caller, FILES[0], *texts(RICH_CARD), FILES[1])
    card = reply.json["data"]["standAlone"]
    events = (await caller.operated("GET", "/events?limit=1000"))["data"][-4:]
    hosted = {each["name"]: each["mediaId"] for each in events[0]["data"].get("files", ())}
    stored = {each["streamId"] for each in events if each["type"] == "MediaStored"}

    assert {**RICH_CARD["standAlone"]} == {  # type: ignore[dict-item]  # it is one
        name: card[name] for name in card if not name.endswith("Url")
    }
    assert {"RcsTemplateCreated", "RcsTemplateSubmitted", "MediaStored"} == {
        each["type"] for each in events
    }
    assert 1 == len({each["requestId"] for each in events})
    assert stored == {*hosted.values()}
    assert card["mediaUrl"].endswith(f"/media/{hosted['tea.mp4']}")
    assert card["thumbnailUrl"].endswith(f"/media/{hosted['tea.png']}")
    assert card["mediaUrl"].startswith("http://127.0.0.1:")
    assert (2, 0) == kept()
    assert [reply.json["data"]] == await fetched(caller)
    for url, sent in ((card["mediaUrl"], FILES[0]), (card["thumbnailUrl"], FILES[1])):
        assert sent.content == (await caller.using(None).get(URL(url).path)).body


async def test_a_url_that_is_given_stays(caller: Caller) -> None:
    """The record repeats the create; a file beside a URL is hosted too (C-56)."""
    url = "https://cdn.example/teas.pdf"
    media = {**TEXT, "type": "text_message_with_media", "messageOrder": "media_at_top"}
    both = {**media, "documentUrl": url, "documentFileName": "teas.pdf"}
    by_file = {**media, "name": "by_file", "documentFileName": "teas.pdf"}

    assert url == (await created(caller, both, file("teas.pdf")))["documentUrl"]
    assert "/media/med_" in (await created(caller, by_file, file("teas.pdf")))["documentUrl"]


async def test_a_draft_or_not(caller: Caller) -> None:
    """Both are pending; only one is submitted (C-24)."""
    for state in ("Create", "Submit"):
        record = await created(caller, {**TEXT, "name": state, "templateState": state})

        assert (state, "Pending") == (record["templateState"], record["status"])


async def test_all_that_is_wrong_is_told_at_once(caller: Caller, kept: Any) -> None:
    """Template, form and files in one answer, in the order of the specification; no file stays."""
    broken = {**RICH_CARD, "name": "new teas", "standAlone": {**CARD, "fileName": "lost.png"}}
    form = [file("tea.png"), text("data", json.dumps(broken)), text("message_type", "Promo")]
    reply = await create(caller, *form)

    assert list(wrong_with(reply)) == [
        "data.name",
        "data.standAlone.fileName",
        "sender_profile_name",
        "update_by",
        "message_type",
        "multimedia_files",
    ]
    assert (0, 0) == kept()
    assert [] == await fetched(caller)


async def test_what_is_wrong_with_a_form(caller: Caller, kept: Any) -> None:
    """Each by its name, and nothing is left of it."""
    for parts, field, said in WRONG_FORMS:
        told = wrong_with(await create(caller, *parts))

        assert said in told[field]
        assert (0, 0) == kept()


async def test_what_a_form_may_be(caller: Caller) -> None:
    """At the limits, with unknown fields, which are ignored (C-9), and as browsers and curl send it."""
    for number, (more, around) in enumerate(
        (
            ([text("colour", "green"), text("colour", "white"), file("", b"")], {}),
            ([], {"sender_profile_name": "x" * 64, "update_by": "x" * 200, "message_type": "oTp"}),
        )
    ):
        await created(caller, {**TEXT, "name": f"teas_{number}"}, *more, **around)
    from_a_file = Part("data", json.dumps(TEXT).encode(), "t.json", "application/json")
    assert 200 == (await create(caller, from_a_file, *NO_DATA)).status


async def test_a_name_is_taken_once(caller: Caller, kept: Any) -> None:
    """409 within a sender profile, and its files go; other profiles and accounts are free (C-24)."""
    neighbour = await caller.neighbour()
    await created(caller, RICH_CARD, *FILES)
    again = await create(caller, *texts(RICH_CARD), *FILES)

    assert (409, "duplicate_name") == again.refusal
    assert (2, 0) == kept()
    await created(caller, RICH_CARD, *FILES, sender_profile_name="Orchid")
    await created(neighbour, RICH_CARD, *FILES)


async def test_what_is_no_form_is_415(caller: Caller) -> None:
    """C-58; so is one without a boundary, and one that is packed."""
    for kind in ("application/json", "multipart/mixed; boundary=x", "multipart/form-data"):
        reply = await create(caller, *texts(TEXT), content_type=kind)

        assert (415, "unsupported_media_type") == reply.refusal
        assert "multipart/form-data" in reply.error["message"]


async def test_texts_are_bounded(caller: Caller) -> None:
    """1 MiB for all that is no file, as for JSON (C-9): 413 one past it."""
    rest = sum(len(each.content) for each in NO_DATA)
    data = json.dumps({**TEXT, "padding": ""})
    most = MAX_BODY - rest - len(data)

    for more, status in ((0, 200), (1, 413)):
        padded = {**TEXT, "padding": "x" * (most + more)}
        assert status == (await create(caller, *texts(padded))).status


async def test_a_key_comes_before_the_form(caller: Caller) -> None:
    """401 and 403 in the messaging form, for any body (C-8)."""
    pins = await caller.operated("POST", "/api-keys", {"name": "pins", "scopes": ["pins"]})

    assert (401, "unauthorized") == (await create(caller.using("none"), *texts({}))).refusal
    assert (403, "forbidden") == (await create(caller.using(pins["key"]), *texts({}))).refusal


async def test_a_form_that_is_cut_off_leaves_nothing(caller: Caller, kept: Any) -> None:
    """A form without its last boundary is incomplete."""
    whole = form(*texts(RICH_CARD), *FILES)
    headers = {
        "Content-Type": f"multipart/form-data; boundary={BOUNDARY}",
        "apikey": str(caller.key),
    }
    reply = await caller.using(None).post(CREATE, data=whole[:-10], headers=headers)

    assert ["body"] == list(wrong_with(reply))
    assert (0, 0) == kept()
