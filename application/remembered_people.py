"""The people whom this process added or looked up last."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from datetime import datetime

from ..domain.conditions import PASS_STEP
from .ports.event_store import PersonRecord
from .seen_people import SeenPeople

MOST_REMEMBERED = 10_000


class RememberedPeople:
    """
    Maps HMACs to ids of people, for the most recent ones, and people to their last verification.

    An erasure on another node makes an entry wrong. Then the next append for the person is refused with
    `PersonGone`, and the entry is forgotten. A time that is wrong is refused with `PassMoved`, and learnt.
    """

    def __init__(self, most: int = MOST_REMEMBERED) -> None:
        self._most = most
        self._ids: OrderedDict[str, str] = OrderedDict()
        self._hmacs: dict[str, str] = {}
        self._seen = SeenPeople()
        # Only people who verified; a person may be here without an HMAC, found by a PIN.
        self._verified: OrderedDict[str, datetime] = OrderedDict()

    def has_only_seen(self, hmac: str) -> bool:
        """Return whether a person is probably known to the store, and is not remembered."""
        return hmac not in self._ids and hmac in self._seen

    def get(self, hmac: str) -> str | None:
        """Return the id of a remembered person."""
        person_id = self._ids.get(hmac)
        if person_id is not None:
            self._ids.move_to_end(hmac)
        return person_id

    def verified_at(self, person_id: str) -> datetime | None:
        """Return the time of a person's last verification; None if there is none, or nobody knows it."""
        return self._verified.get(person_id)

    def learn(self, people: Iterable[PersonRecord]) -> None:
        """Remember people that the store has."""
        for each in people:
            replaced = self._ids.get(each.hmac)
            if replaced is not None:
                del self._hmacs[replaced]
            self._ids[each.hmac] = each.person_id
            self._ids.move_to_end(each.hmac)
            self._hmacs[each.person_id] = each.hmac
            self._seen.add(each.hmac)
            if each.verified_at is not None:
                self.learn_verified(each.person_id, each.verified_at)
        while len(self._ids) > self._most:
            _, person_id = self._ids.popitem(last=False)
            del self._hmacs[person_id]

    def learn_verified(self, person_id: str, verified_at: datetime | None) -> None:
        """Remember the time of a person's last verification as the store has it."""
        if verified_at is None:
            self._verified.pop(person_id, None)
            return
        self._verified[person_id] = verified_at
        self._verified.move_to_end(person_id)
        if len(self._verified) > self._most:
            self._verified.popitem(last=False)

    def verifies(self, person_id: str, at: datetime) -> None:
        """Remember a verification that the store was just told of, as the store keeps it."""
        last = self._verified.get(person_id)
        if last is None or at - last >= PASS_STEP:
            self.learn_verified(person_id, at)

    def forget(self, person_id: str) -> None:
        """Forget a person, who may have been erased."""
        self._verified.pop(person_id, None)
        hmac = self._hmacs.pop(person_id, None)
        if hmac is not None:
            del self._ids[hmac]
