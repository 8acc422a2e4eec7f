"""The code that a recipient types (C-14, C-16)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watchword.domain.pin.code import key_version, normalized
from watchword.domain.pin_template.pin_type import PinType


@pytest.mark.parametrize("typed", ["k7m2qx", " K7M2QX ", "\tk7M2qX\n", "\u00a0K7M2QX"])
def test_typing_may_add_blanks_and_change_case(typed: str) -> None:
    """White space around the typed code is ignored, and letters compare without case."""
    assert "K7M2QX" == normalized(typed)


@pytest.mark.parametrize("typed", ["K7M 2QX", "K7M-2QX", "K7M2Q", "0K7M2QX"])
def test_everything_else_is_another_code(typed: str) -> None:
    """Blanks inside, dashes, missing and leading characters make a wrong guess."""
    assert "K7M2QX" != normalized(typed)


@given(st.sampled_from(PinType).flatmap(lambda each: st.text(each.alphabet, min_size=4)))
def test_a_code_as_it_was_made_is_its_own_normal_form(code: str) -> None:
    """Codes are hashed in capitals, so a new code matches what is entered."""
    assert code == normalized(code)
    assert code == normalized(code.lower())


def test_a_stored_hash_names_its_key() -> None:
    """The version of the code key stands before the first `$`."""
    assert 12 == key_version("12$pbkdf2-sha256$1$salt$digest")


@pytest.mark.parametrize("broken", ["", "$", "v1$hash", "hash"])
def test_a_hash_without_a_key_version_is_broken(broken: str) -> None:
    """A hash that names no key cannot be checked, and says so instead of matching nothing."""
    with pytest.raises(ValueError, match="invalid literal"):
        key_version(broken)
