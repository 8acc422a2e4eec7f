"""Halves of surrogate pairs are replaced in JSON, and nothing else is changed."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watchword.adapters.channels.whatsapp_cloud.hearing.half_characters import without_halves

_ESCAPES = st.lists(
    st.sampled_from(
        [r"\ud83d", r"\uDE00", r"\ud83d\ude00", r"\\", r"\n", r"\"", r"\u0c95", "u", "d83d", "a"]
    ),
    max_size=30,
)


@given(escapes=_ESCAPES, at_once=st.integers(min_value=1, max_value=40))
async def test_halves_are_replaced_wherever_the_document_is_cut(
    escapes: list[str], at_once: int
) -> None:
    """As Python's reader and decoder of UTF-16 see it."""
    document = f'"{"".join(escapes)}"'.encode()
    octets = json.loads(document).encode("utf-16-le", "surrogatepass")
    found = json.loads(await without_halves(document, at_once))

    assert octets.decode("utf-16-le", "replace") == found


@pytest.mark.parametrize("document", [b"", b"\\", b"\\u", b"\\ud8", b'"\0\0ud800"', b"\\" * 99])
async def test_what_is_no_json_stays_none(document: bytes) -> None:
    """The reader refuses it, as it did before."""
    assert document == await without_halves(document, 4)
