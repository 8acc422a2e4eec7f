"""The subjects that streams hold are those of their states, as far as these can be read (C-91)."""

from __future__ import annotations

import pytest

from watchword.application.audit.holders import holder_differences


def found(wanted: set[str], held: set[str]) -> list[tuple[str, str]]:
    """Return the kind of each subject that differs, and what it is."""
    return [(each.field, each.found) for each in holder_differences("pin_1", wanted, held)]


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
