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

_ABOUT_HOLDERS = (SoleHolder, Hold, Release)


class HashedSubjects:
    """Computes the HMACs of one store's subjects; its vault has the index secret (D-333)."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def of(self, subject: str) -> str:
        """Return a subject as the store has it."""
        return stored_subject(subject, self._vault)

    def replaced(self, append: Append) -> Append:
        """Return an append with HMACs in the place of the personal subjects of its conditions."""
        for each in append.conditions:
            if _is_personal(each):
                return replace(append, conditions=tuple(map(self._replaced, append.conditions)))
        return append

    def restored(self, refusal: HeldByOthers, append: Append) -> HeldByOthers:
        """Return a refusal with the subject as the append had it."""
        for each in append.conditions:
            if _is_personal(each) and self.of(each.subject) == refusal.subject:
                return HeldByOthers(each.subject, refusal.holders)
        return refusal

    def _replaced(self, condition: Condition) -> Condition:
        if not _is_personal(condition):
            return condition
        subject = self.of(condition.subject)
        if isinstance(condition, SoleHolder):
            # Most are of this class. `evolve` takes several times as long.
            return SoleHolder(subject, condition.holder, condition.retiring)
        return attrs.evolve(condition, subject=subject)


def _is_personal(condition: Condition) -> TypeGuard[SoleHolder | Hold | Release]:
    return isinstance(condition, _ABOUT_HOLDERS) and is_personal(condition.subject)
