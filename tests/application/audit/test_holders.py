"""The subjects that streams hold are those of their states, as far as these can be read (C-91)."""

from __future__ import annotations

import pytest

from tests.vaults import new_vault
from watchword.application.audit.holders import holder_differences
from watchword.application.ports.person_keys import PersonKeys
from watchword.application.stored_subjects import stored_subject

KEYS = new_vault()
WHATSAPP_ID = "provider-message:cha_1:wamid.1"


def found(
    wanted: set[str], held: set[str], keys: PersonKeys | None = KEYS
) -> list[tuple[str, str]]:
    """Return the kind of each subject that differs, and what it is."""
    return [(each.field, each.found) for each in holder_differences("pin_1", wanted, held, keys)]


def test_subjects_are_compared_one_by_one() -> None:
    """One that is missing and one too many are two differences."""
    assert [] == found({"live-code:a"}, {"live-code:a"})
    assert [("live-code", "not held"), ("name", "held")] == found({"live-code:a"}, {"name:b"})


@pytest.mark.parametrize("instead", ["(erased)", "***"])
@pytest.mark.parametrize("held", [set(), {"provider-message:cha_1:wamid.1"}])
def test_an_id_that_nobody_can_read_is_not_compared(instead: str, held: set[str]) -> None:
    """Neither is the subject that has it; subjects of other kinds are."""
    wanted = {f"provider-message:cha_1:{instead}", "live-code:a"}

    assert [] == found(wanted, held | {"live-code:a"})
    assert [("live-code", "not held")] == found(wanted, held)


def test_personal_subjects_are_compared_by_their_hmacs() -> None:
    """The store has no other form of them (D-333)."""
    stored = stored_subject(WHATSAPP_ID, KEYS)

    assert [] == found({WHATSAPP_ID}, {stored})
    assert [("provider-message", "not held")] == found({WHATSAPP_ID}, set())
    assert [("provider-message", "held")] == found(set(), {stored})
    assert "wamid" not in stored


@pytest.mark.parametrize("held", [set(), {stored_subject(WHATSAPP_ID, KEYS)}])
def test_without_the_code_key_they_are_left_out(held: set[str]) -> None:
    """Nobody can compute their HMACs; subjects of other kinds are compared."""
    assert [] == found({"live-code:a"}, held | {"live-code:a"}, keys=None)
    assert [("live-code", "not held")] == found({WHATSAPP_ID, "live-code:a"}, held, keys=None)
