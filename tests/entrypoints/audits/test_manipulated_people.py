"""An audit names changes of people, keys and sealed texts, or says that it opened none (C-73, C-91)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.entrypoints.audits.audited_store import checked
from tests.entrypoints.audits.manipulated_people import ATTACKS, Attack
from tests.entrypoints.audits.manipulations import one
from watchword.application.audit.checking import Checked

pytestmark = pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)


def _names(checked: Checked, attack: Attack, whose: object) -> bool:
    return any(
        each.kind is attack.kind and whose in (each.id, each.position)
        for each in checked.differences
    )


def test_with_the_code_key_every_attack_is_named(attack: Attack, copy: Path) -> None:
    """By its kind, and by the person, the key, the row or the event that was changed."""
    whose = one(copy, attack.whose)
    attack.change(copy)
    found = checked(copy)

    assert _names(found, attack, whose)
    assert found.sealed


def test_without_the_code_key_an_audit_says_that_it_opened_nothing(
    attack: Attack, copy: Path
) -> None:
    """It names what shows without opening anything, and finds no difference in the rest."""
    whose = one(copy, attack.whose)
    attack.change(copy)
    (copy / "code.key").unlink()
    found = checked(copy)

    assert (not attack.needs_key) == _names(found, attack, whose)
    assert not attack.needs_key or () == found.differences
    assert not found.sealed
