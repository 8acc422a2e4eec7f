"""Replaces personal subjects of holders by their HMACs on the way into a store, and back in refusals."""

from __future__ import annotations

from typing import TypeGuard

import attrs
from msgspec.structs import replace

from ....application.ports.event_store import Append, HeldByOthers
from ....application.stored_subjects import stored_subject
from ....domain.conditions import Condition, Hold, Release, SoleHolder
from ....domain.personal_subjects import is_personal
from ...vault import Vault

_HOLDING = (SoleHolder, Hold, Release)


class Holding:
    """Knows the subjects of one store, whose vault has its index secret (D-333)."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def stored(self, subject: str) -> str:
        """Return a subject as the store has it."""
        return stored_subject(subject, self._vault)

    def hidden(self, append: Append) -> Append:
        """Return an append that names nobody in its conditions."""
        if not any(map(_names_somebody, append.conditions)):
            return append
        return replace(append, conditions=tuple([self._hidden(each) for each in append.conditions]))

    def shown(self, refusal: HeldByOthers, append: Append) -> HeldByOthers:
        """Return a refusal with the subject as the append had it."""
        for each in append.conditions:
            if _names_somebody(each) and self.stored(each.subject) == refusal.subject:
                return HeldByOthers(each.subject, refusal.holders)
        return refusal

    def _hidden(self, condition: Condition) -> Condition:
        if not _names_somebody(condition):
            return condition
        subject = self.stored(condition.subject)
        if isinstance(condition, SoleHolder):
            # Most are of this class. `evolve` takes several times as long.
            return SoleHolder(subject, condition.holder, condition.retiring)
        return attrs.evolve(condition, subject=subject)


def _names_somebody(condition: Condition) -> TypeGuard[SoleHolder | Hold | Release]:
    return isinstance(condition, _HOLDING) and is_personal(condition.subject)
