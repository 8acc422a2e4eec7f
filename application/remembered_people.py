"""The people whom this process added or looked up last."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

from .ports.event_store import PersonRecord
from .seen_people import SeenPeople

MOST_REMEMBERED = 10_000


class RememberedPeople:
    """
    Maps HMACs to ids of people, for the most recent ones.

    An erasure on another node makes an entry wrong. Then the next append for the person is refused with
    `PersonGone`, and the entry is forgotten.
    """

    def __init__(self, most: int = MOST_REMEMBERED) -> None:
        self._most = most
        self._ids: OrderedDict[str, str] = OrderedDict()
        self._hmacs: dict[str, str] = {}
        self._seen = SeenPeople()

    def has_only_seen(self, hmac: str) -> bool:
        """Return whether a person is probably known to the store, and is not remembered."""
        return hmac not in self._ids and hmac in self._seen

    def get(self, hmac: str) -> str | None:
        """Return the id of a remembered person."""
        person_id = self._ids.get(hmac)
        if person_id is not None:
            self._ids.move_to_end(hmac)
        return person_id

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
        while len(self._ids) > self._most:
            _, person_id = self._ids.popitem(last=False)
            del self._hmacs[person_id]

    def forget(self, person_id: str) -> None:
        """Forget a person, who may have been erased."""
        hmac = self._hmacs.pop(person_id, None)
        if hmac is not None:
            del self._ids[hmac]
