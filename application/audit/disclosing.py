"""Disclose one event: its key opens what is sealed in it, and nothing else (C-73, D-370)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import field, frozen

from ...domain.errors import FieldProblem, ValidationFailedError
from ...domain.event import MASK
from ..errors import StreamNotFoundError
from ..journal import Journal
from ..ports.event_store import Recorded
from ..ports.person_keys import PersonKeys
from ..ports.sealer import SealKey


class EventKeyUnavailableError(Exception):
    """The key of an event needs the code key of the store, which is not at hand."""

    def __init__(self) -> None:
        super().__init__(
            "The keys of events need the code key of the store."
            " Set WATCHWORD_CODE_KEY, or name a file with --code-key-file."
        )


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
        events = await self._events(stream)
        if not 1 <= version <= len(events):
            raise ValidationFailedError(
                [FieldProblem("version", f"must be from 1 to {len(events)} for this id")]
            )
        return await self._disclosed(events[version - 1])

    async def event_keys(self, stream: str) -> Mapping[int, bytes]:
        """
        Return the keys of a stream's events by version, without those that open nothing.

        Raises `StreamNotFoundError`, or `EventKeyUnavailableError` without the code key.
        """
        disclosed = [await self._disclosed(each) for each in await self._events(stream)]
        if any(each.hidden == MASK for each in disclosed):
            raise EventKeyUnavailableError
        return {each.event.version: each.key for each in disclosed if each.key is not None}

    async def _events(self, stream: str) -> Sequence[Recorded]:
        events = await self._journal.read_stream(stream)
        if not events:
            raise StreamNotFoundError
        return events

    async def _disclosed(self, event: Recorded) -> Disclosed:
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
