"""Reads people and the keys that the code key wraps from a SQL store."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ....application.ports.event_store import PersonRecord
from ....application.ports.sealer import SealKey
from ..batch.packed_append import SELECT_PERSON, person_record
from .dialect import SqlDialect
from .store_threads import StoreThreads

# Each goes along an index in the order of names.
KEYS_UNDER = (
    "SELECT person, key_version, wrapped_key FROM people"
    " WHERE key_version = ? AND person > ? ORDER BY person LIMIT ?",
    "SELECT name, version, wrapped FROM seal_keys"
    " WHERE version = ? AND name > ? ORDER BY name LIMIT ?",
)
ANY_UNDER = (
    "SELECT 1 WHERE EXISTS (SELECT 1 FROM seal_keys WHERE version = ?)"
    " OR EXISTS (SELECT 1 FROM people WHERE key_version = ?)"
)


def people_by(dialect: SqlDialect, column: str) -> str:
    """Return the statement that selects people by a list of HMACs or ids."""
    return f"{SELECT_PERSON} WHERE {column} IN ({dialect.items})"


def keys_of(dialect: SqlDialect) -> str:
    """Return the statement that selects the keys of owners, who are people or others."""
    return (
        f"SELECT person, key_version, wrapped_key FROM people WHERE person IN ({dialect.items})"
        f" UNION ALL SELECT name, version, wrapped FROM seal_keys WHERE name IN ({dialect.items})"
    )


class PeopleReads(ABC):
    """Reads the tables `people` and `seal_keys`."""

    _dialect: SqlDialect
    _readers: StoreThreads

    async def people(self, hmacs: Collection[str]) -> Mapping[str, PersonRecord]:
        """Return the people with these HMACs, by HMAC."""
        return {each.hmac: each for each in await self._people_by("hmac", hmacs)}

    async def people_named(self, person_ids: Collection[str]) -> Mapping[str, PersonRecord]:
        """Return the people with these ids, by id."""
        return {each.person_id: each for each in await self._people_by("person", person_ids)}

    async def stored_keys(self, owners: Collection[str]) -> Mapping[str, SealKey]:
        """Return the keys of those owners that have one, by owner."""
        return await self._readers.run(self._keys_of, owners)

    async def seal_key(self, name: str) -> SealKey | None:
        """Return a seal key."""
        rows = await self._select(
            "SELECT name, version, wrapped FROM seal_keys WHERE name = ?", (name,)
        )
        return SealKey(*rows[0]) if rows else None

    async def keys_under(self, version: int, limit: int, after: str = "") -> Sequence[SealKey]:
        """Return keys of people and seal keys that a version of the code key wraps, by name."""
        found = [
            SealKey(*row)
            for statement in KEYS_UNDER
            for row in await self._select(statement, (version, after, limit))
        ]
        return sorted(found, key=lambda key: key.name)[:limit]

    async def seals_under(self, version: int) -> bool:
        """Return whether a version of the code key wraps any key."""
        return bool(await self._select(ANY_UNDER, (version, version)))

    async def _people_by(self, column: str, values: Collection[str]) -> list[PersonRecord]:
        if not values:
            return []
        packed = self._dialect.pack(values)
        rows = await self._select(people_by(self._dialect, column), (packed,))
        return [person_record(row) for row in rows]

    def _keys_of(self, owners: Collection[str]) -> dict[str, SealKey]:
        """Return the keys of those owners that have one, read on the caller's thread."""
        if not owners:
            return {}
        packed = self._dialect.pack(owners)
        rows = self._fetch(keys_of(self._dialect), (packed, packed))
        return {name: SealKey(name, version, wrapped) for name, version, wrapped in rows}

    async def _select(self, statement: str, parameters: Sequence[Any]) -> list[Any]:
        return await self._readers.run(self._fetch, statement, parameters)

    @abstractmethod
    def _fetch(self, statement: str, parameters: Sequence[Any]) -> list[Any]:
        """Run a statement on the caller's thread; return its rows."""
