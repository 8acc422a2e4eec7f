"""A medium: the name and type that its uploader gave, in plain form (C-25, C-58)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given as given_any
from hypothesis import strategies as st

from tests.specs import given
from watchword.domain.accounts.account_limits import within_media_bytes
from watchword.domain.media import (
    MAX_NAME,
    MediaRemoved,
    MediaStored,
    is_media_id,
    plain_name,
    plain_type,
    remove,
    served_type,
    store,
)

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
STORED = MediaStored(
    at=NOON,
    account_id="account-orchid",
    name="tea.png",
    content_type="image/png",
    size=3,
    sha256="9f86",
)


def test_a_medium_is_stored_once_and_for_all() -> None:
    """Its only event describes it."""
    given().when(store, STORED).then(STORED).leaving(
        account_id="account-orchid", name="tea.png", size=3, created_at=NOON
    )


def test_a_removed_medium_frees_its_room() -> None:
    """The account's total loses the medium's bytes, once."""
    freed = within_media_bytes("account-orchid", -3, None)

    given(STORED).when(remove, NOON).then(MediaRemoved(at=NOON)).on_condition(freed)
    given(STORED, MediaRemoved(at=NOON)).when(remove, NOON).nothing()


@pytest.mark.parametrize(
    ("given_name", "name"),
    [
        ("tea menu.png", "tea menu.png"),
        ("tee grün 茶.png", "tee grün 茶.png"),
        ("../../etc/passwd", "passwd"),
        ("C:\\fakepath\\tea.png", "tea.png"),
        ("/tea/", "file"),
        ("a\r\nSet-Cookie: b", "aSet-Cookie: b"),
        ("a\0b", "ab"),
        ("tea\u202egnp.exe", "teagnp.exe"),
        ("..", "file"),
        (" . ", "file"),
        ("", "file"),
        (None, "file"),
        ("x" * 300, "x" * 255),
    ],
)
def test_a_name_is_plain(given_name: str | None, name: str) -> None:
    """It is a name, and no path, line or trick."""
    assert name == plain_name(given_name)


@given_any(st.text())
def test_any_name_becomes_a_plain_one(given_name: str) -> None:
    """Making it plain again changes nothing."""
    name = plain_name(given_name)

    assert name.isprintable()
    assert 0 < len(name) <= MAX_NAME
    assert not {*name} & {*"/\\"}
    assert name == plain_name(name)


@pytest.mark.parametrize(
    ("given_type", "kept", "served"),
    [
        ("image/png", "image/png", "image/png"),
        ("Video/MP4; codecs=avc1", "video/mp4", "video/mp4"),
        ("audio/ogg", "audio/ogg", "audio/ogg"),
        ("application/pdf", "application/pdf", "application/pdf"),
        ("text/plain; charset=utf-8", "text/plain", "text/plain"),
        ("text/html", "text/html", "application/octet-stream"),
        ("image/svg+xml", "image/svg+xml", "application/octet-stream"),
        ("application/xhtml+xml", "application/xhtml+xml", "application/octet-stream"),
        ("text/javascript", "text/javascript", "application/octet-stream"),
        ("image/png\r\nX: y", "application/octet-stream", "application/octet-stream"),
        ("image/png, text/html", "application/octet-stream", "application/octet-stream"),
        ("tea", "application/octet-stream", "application/octet-stream"),
        ("a/b", "a/b", "application/octet-stream"),
        ("/b", "application/octet-stream", "application/octet-stream"),
        ("a/", "application/octet-stream", "application/octet-stream"),
        ("image/" + "b" * 127, "image/" + "b" * 127, "image/" + "b" * 127),
        ("image/" + "b" * 128, "application/octet-stream", "application/octet-stream"),
        ("a" * 64 + "/b", "a" * 64 + "/b", "application/octet-stream"),
        ("a" * 65 + "/b", "application/octet-stream", "application/octet-stream"),
        (None, "application/octet-stream", "application/octet-stream"),
    ],
)
def test_a_type_is_served_only_where_nothing_runs(
    given_type: str | None, kept: str, served: str
) -> None:
    """The given type is stored, if it is a type at all."""
    assert (kept, served) == (plain_type(given_type), served_type(plain_type(given_type)))


def test_an_id_is_one_of_ours() -> None:
    """Other ids are refused before a look-up."""
    assert is_media_id(f"med_{'0a' * 16}")
    for other in ("", "med_", f"msg_{'0a' * 16}", f"med_{'0A' * 16}", f"med_{'0a' * 16}\n"):
        assert not is_media_id(other)
