"""Disclose one event: its key opens what is sealed in it, and nothing else (C-73, D-370)."""

from __future__ import annotations

from attrs import field, frozen

from ...domain.errors import FieldProblem, ValidationFailedError
from ..journal import Journal
from ..ports.event_store import Recorded
from ..ports.person_keys import PersonKeys
from ..ports.sealer import SealKey
from .reading_log import StreamNotFoundError


@frozen
class Disclosed:
    """
    An event, the owner of what is sealed in it, and the event's key.

    Without a key, `hidden` is the text that the sealed members read, and tells why.
    """

    event: Recorded
    owner: str
    key: bytes | None = field(repr=False)
    hidden: str | None = None


class Disclosing:
    """Reads the keys of single events; writes nothing."""

    def __init__(self, journal: Journal, keys: PersonKeys) -> None:
        self._journal = journal
        self._keys = keys

    async def disclose(self, stream: str, version: int) -> Disclosed:
        """
        Return the key of one event of a stream.

        It opens what is sealed for the event's own person, account or stream. What the event has of
        another person stays sealed. Raises `StreamNotFoundError` or `ValidationFailedError`.
        """
        events = await self._journal.read_stream(stream)
        if not events:
            raise StreamNotFoundError
        if not 1 <= version <= len(events):
            raise ValidationFailedError(
                [FieldProblem("version", f"must be from 1 to {len(events)} for this id")]
            )
        event = events[version - 1]
        owner = event.person or event.account or event.stream
        key = await self._key_of(event, owner)
        hidden = self._keys.hidden(key)
        if key is None or hidden is not None:
            return Disclosed(event, owner, None, hidden)
        return Disclosed(event, owner, self._keys.event_key(key, event.event_id))

    async def _key_of(self, event: Recorded, owner: str) -> SealKey | None:
        if event.person is None:
            return await self._journal.seal_key(owner)
        person = (await self._journal.people_named((event.person,))).get(event.person)
        return None if person is None else person.key
