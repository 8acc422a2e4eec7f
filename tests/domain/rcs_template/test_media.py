"""Media: URLs, uploaded files and their names, thumbnails of videos (SPEC 2.2, C-56)."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from tests.rcs_templates import CARD, CAROUSEL, MEDIA, PICTURE, RICH_CARD, TEXT, wrong_with
from watchword.domain.rcs_template import (
    Card,
    MessageType,
    UploadedFile,
    message_type_of,
    message_type_problem,
)

TEA, CUP = UploadedFile(name="tea.png"), UploadedFile(name="cup.png")


def wrong(*files: UploadedFile, **members: Any) -> list[str]:
    """Return the members of a card that break a rule, and the field of the files if they do."""
    card = evolve(CARD, **members)
    found = wrong_with(evolve(RICH_CARD, stand_alone=card), *files)
    return [path.removeprefix("data.standAlone.") for path in found]


@pytest.mark.parametrize("name", ["media_url", "thumbnail_url"])
def test_urls_are_public(name: str) -> None:
    """URLs of media and thumbnails are; an empty one counts as none."""
    wire = {"media_url": "mediaUrl", "thumbnail_url": "thumbnailUrl"}[name]

    assert [wire] == wrong(**{name: "http://192.168.0.1/tea.png"})
    assert [wire] == wrong(**{name: "tea.png"})


@pytest.mark.parametrize("nothing", [None, ""])
def test_a_card_has_a_medium(nothing: str | None) -> None:
    """A URL, or the name of a file that came."""
    assert ["mediaUrl"] == wrong(media_url=nothing)
    assert [] == wrong(TEA, media_url=nothing, file_name="tea.png")
    assert [] == wrong(TEA, media_url=nothing, document_file_name="tea.png")


@pytest.mark.parametrize(
    ("name", "wire"), [("file_name", "fileName"), ("document_file_name", "documentFileName")]
)
def test_a_name_without_its_file(name: str, wire: str) -> None:
    """It is wrong without a URL, too (C-56)."""
    assert [wire] == wrong(media_url=None, **{name: "tea.png"})
    assert [] == wrong(**{name: "tea.png"})


@pytest.mark.parametrize("uploaded", ["Tea.png", "tea.png ", "tea.jpg", "te\u0301a.png"])
def test_a_file_name_matches_exactly(uploaded: str) -> None:
    """A mismatch names both the name and the file; with a URL, the file alone (SPEC 2.2)."""
    file = UploadedFile(name=uploaded)

    assert ["fileName", "multimedia_files"] == wrong(file, media_url=None, file_name="tea.png")
    assert ["multimedia_files"] == wrong(file, file_name="tea.png")


def test_every_file_is_named() -> None:
    """Any card can name it, in any of the three places; there may be several files."""
    cards = (
        evolve(CARD, media_url=None, file_name="tea.mp4", thumbnail_file_name="tea.png"),
        evolve(CARD, document_file_name="menu.pdf"),
    )
    names = ("tea.mp4", "tea.png", "menu.pdf")
    files = [UploadedFile(name=name) for name in names]
    carousel = evolve(CAROUSEL, carousel_list=cards)

    assert [] == wrong_with(carousel, *files)
    assert ["multimedia_files"] == wrong_with(carousel, *files, CUP)
    assert ["multimedia_files"] == wrong_with(TEXT, CUP)


def test_two_files_have_two_names() -> None:
    """Otherwise a name would be ambiguous."""
    assert ["multimedia_files"] == wrong(TEA, TEA, file_name="tea.png")


def test_a_file_that_something_unread_may_name() -> None:
    """It is not named as superfluous while a field that may name it is unread."""
    assert [] == wrong_with(RICH_CARD, TEA, unread=("data.stand_alone.file_name",))
    assert ["multimedia_files"] == wrong_with(
        RICH_CARD, TEA, unread=("data.stand_alone.card_title",)
    )


@pytest.mark.parametrize(
    "name", ["../tea.png", "a/tea.png", "a\\tea.png", "..", "tea\0.png", "a" * 256]
)
def test_a_file_name_is_plain(name: str) -> None:
    """Without a folder, at most 255 characters (D-84)."""
    assert ["fileName"] == wrong(file_name=name)


def test_the_longest_file_name() -> None:
    """255 characters."""
    assert [] == wrong(file_name="a" * 255)


@pytest.mark.parametrize(
    "members",
    [
        {"media_url": "https://cdn.example/tea.mp4?v=1"},
        {"media_url": "https://cdn.example/tea.MOV"},
        {"file_name": "tea.webm"},
        {"document_file_name": "tea.3gp"},
    ],
)
def test_a_video_needs_a_thumbnail(members: dict[str, str]) -> None:
    """A URL or a file, which has to have come."""
    assert ["thumbnailFileName"] == wrong(**members)
    assert [] == wrong(**members, thumbnail_url=PICTURE)
    assert ["thumbnailFileName"] == wrong(**members, thumbnail_file_name="cup.png")
    assert [] == wrong(CUP, **members, thumbnail_file_name="cup.png")
    assert [] == wrong(**members, thumbnail_file_name="cup.png", thumbnail_url=PICTURE)


def test_a_content_type_makes_a_video() -> None:
    """The file's name does not matter."""
    video = UploadedFile(name="tea", content_type="Video/mp4")

    assert ["thumbnailFileName"] == wrong(video, media_url=None, file_name="tea")


def test_a_message_with_media_has_a_medium() -> None:
    """A public URL, or the name of an uploaded file in its place (D-84)."""
    without = evolve(MEDIA, document_url=None)
    named = evolve(without, document_file_name="tea.png")

    assert ["data.documentUrl"] == wrong_with(without)
    assert ["data.documentUrl"] == wrong_with(evolve(MEDIA, document_url="http://10.0.0.1/"))
    assert ["data.documentFileName"] == wrong_with(named)
    assert [] == wrong_with(named, TEA)


@pytest.mark.parametrize("text", ["Promotional", "Transactional", "OTP", "promotional", "otp"])
def test_a_message_type(text: str) -> None:
    """One of three, in any capitals (SPEC 2.1, 4 A3)."""
    assert message_type_of(text) in tuple(MessageType)


@pytest.mark.parametrize("text", ["", "template", "Promo"])
def test_what_is_no_message_type(text: str) -> None:
    """The refusal uses the form's own name."""
    assert message_type_of(text) is None
    assert "message_type" == message_type_problem().path


@pytest.mark.parametrize(
    ("card", "unread"),
    [
        (evolve(CARD, media_url=None, file_name="tea.png"), "media_url"),
        (evolve(CARD, media_url=None), "file_name"),
        (evolve(CARD, file_name="tea.mp4"), "thumbnail_url"),
        (evolve(CARD, file_name="tea.mp4"), "thumbnail_file_name"),
    ],
)
def test_what_was_not_read_may_be_what_is_asked_for(card: Card, unread: str) -> None:
    """An unreadable URL still stands in for a file, and an unreadable name for a URL."""
    content = evolve(RICH_CARD, stand_alone=card)

    assert [] != wrong_with(content)
    assert [] == wrong_with(content, unread=(f"data.stand_alone.{unread}",))
