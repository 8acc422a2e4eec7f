"""What stands for a personal member that cannot be opened (C-73, C-74)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from watchword.domain.event import ERASED, MASK, placeholder


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (str, MASK),
        (str | None, MASK),
        (Mapping[str, str], {MASK: MASK}),
        (Mapping[str, Any] | None, {MASK: MASK}),
        (tuple[str, ...], [MASK]),
        (tuple[Mapping[str, Any], ...], [{MASK: MASK}]),
    ],
)
def test_a_placeholder_has_its_fields_type(annotation: Any, expected: object) -> None:
    """Whatever shows or uses the field finds what it always finds."""
    assert expected == placeholder(annotation, MASK)


@pytest.mark.parametrize("annotation", [int, bool, int | None, tuple[int, ...]])
def test_a_field_that_no_text_can_stand_for_cannot_be_personal(annotation: Any) -> None:
    """A number that says nothing would be a lie."""
    with pytest.raises(TypeError):
        placeholder(annotation, ERASED)
