"""Prove that events are in the log, and that one head of it extends another (C-81, C-105)."""

from __future__ import annotations

import json
from asyncio import to_thread
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from enum import StrEnum
from urllib.parse import quote

from attrs import field, frozen

from ...domain.errors import FieldProblem, ValidationFailedError, camel
from ...verify_evidence import EvidenceError, Proof, check_inclusion, leaf_hash
from ..errors import StreamNotFoundError
from ..ports.sealed_log import Head, LogDamaged, RawEvent, SealedLog
from . import tree
from .errors import LogDamagedError, NotSealedError
from .leaves import event_leaf_text, is_blanked

Seal = Callable[[], Awaitable[object]]
# Returns the keys of a stream's events by version; raises what refuses them.
EventKeys = Callable[[str], Awaitable[Mapping[int, bytes]]]


class Disclosure(StrEnum):
    """What a proof says beside the open line: sealed texts, hashes, or the key that opens the texts."""

    SEALED = "sealed"
    SECRET = "secret"  # noqa: S105  the name of a member
    EVENT_KEY = "event_key"


_REFUSED = "proved"
# A key is for whoever has what it opens.
_WITH_SEALED = frozenset({Disclosure.SEALED, Disclosure.EVENT_KEY})


@frozen
class EventProof:
    """The proof that an event is in the log: `proof` is a file in the form of tlog-proof, for `name`."""

    position: int
    version: int
    type: str
    name: str
    proof: str = field(repr=False)


@frozen
class Evidence:
    """The proofs of all events of a stream, under one head."""

    stream: str
    head: Head
    proofs: Sequence[EventProof]


@frozen
class Consistency:
    """The hashes which prove that the tree of `size` events begins with the tree of `old` events."""

    old: int
    size: int
    hashes: Sequence[bytes]


class Proving:
    """
    Makes proofs as of the newest head.

    What no head covers is sealed first with `seal`; without that, it is refused. `event_keys` finds the
    keys that proofs may have.
    """

    def __init__(self, log: SealedLog, event_keys: EventKeys, seal: Seal | None = None) -> None:
        self._log = log
        self._event_keys = event_keys
        self._seal = seal

    def sealing_first(self, seal: Seal) -> Proving:
        """Return one that seals what no head covers."""
        return Proving(self._log, self._event_keys, seal)

    async def prove(self, stream: str, disclosed: Collection[Disclosure] = ()) -> Evidence:
        """
        Prove that each event of a stream is in the log.

        Raises `StreamNotFoundError`, `NotSealedError`, `LogDamagedError` for an event that is not what
        was sealed, and what `seal` raises.
        """
        events = await self._log.raw_stream(stream)
        if not events:
            raise StreamNotFoundError
        places = [each.position for each in events]
        if min(places) < 1:
            raise LogDamagedError(min(places), _REFUSED)
        head = await self._head_over(max(places))
        keys = await self._event_keys(stream) if Disclosure.EVENT_KEY in disclosed else {}
        wanted = {key for each in events for key in _tiles_of(each, head)}
        tiles = await self._log.tiles(wanted)
        return await to_thread(_evidence, events, head, tiles, disclosed, keys)

    async def consistency(self, old: int, size: int) -> Consistency:
        """Prove that the log of `size` events extends that of `old`; raises `ValidationFailedError`."""
        head = await self._log.newest_head()
        newest = 0 if head is None else head.size
        if not 1 <= size <= newest:
            allowed = f"must be from 1 to {newest}, the size of the newest head"
            wrong = allowed if newest else "covers nothing yet: no head was signed"
            raise ValidationFailedError([FieldProblem("to", wrong)])
        if not 1 <= old <= size:
            raise ValidationFailedError([FieldProblem("from", f"must be from 1 to {size}")])
        tiles = await self._log.tiles(tree.consistency_tiles(old, size))
        try:
            return Consistency(old, size, tree.consistency_proof(old, size, tiles))
        except tree.MissingTileError as missing:
            raise LogDamagedError(old, _REFUSED) from missing

    async def _head_over(self, position: int) -> Head:
        head = await self._log.newest_head()
        if (head is None or head.size < position) and self._seal is not None:
            await self._seal()
            head = await self._log.newest_head()
        if head is None or head.size < position:
            raise NotSealedError
        return head


def proof_name(stream: str, version: int) -> str:
    """Return the name of the file with an event's proof; an id never leads out of the folder."""
    return f"{quote(stream, safe='')}-{version}.tlog-proof"


def _tiles_of(event: RawEvent, head: Head) -> set[tree.TileKey]:
    return tree.inclusion_tiles(event.position - 1, head.size)


def _evidence(
    events: Sequence[RawEvent],
    head: Head,
    tiles: tree.Tiles,
    disclosed: Collection[Disclosure],
    keys: Mapping[int, bytes],
) -> Evidence:
    proofs = [_proof(each, head, tiles, disclosed, keys.get(each.version)) for each in events]
    return Evidence(events[0].stream, head, proofs)


def _proof(
    event: RawEvent,
    head: Head,
    tiles: tree.Tiles,
    disclosed: Collection[Disclosure],
    key: bytes | None,
) -> EventProof:
    index = event.position - 1
    try:
        leaf = event_leaf_text(event)
        hashes = tuple(tree.inclusion_proof(index, head.size, tiles))
        # A proof that does not hold would speak against whoever hands it over (D-437).
        check_inclusion(index, head.size, leaf_hash(leaf), head.root, hashes)
    except (LogDamaged, tree.MissingTileError, EvidenceError) as damage:
        raise LogDamagedError(event.position, _REFUSED) from damage
    extra = json.dumps(_extra(event, leaf, disclosed, key), separators=(",", ":"))
    proof = Proof(index, hashes, head.note, extra.encode())
    return EventProof(
        event.position,
        event.version,
        event.topic.partition("/")[0],
        proof_name(event.stream, event.version),
        proof.text,
    )


def _extra(
    event: RawEvent, leaf: bytes, disclosed: Collection[Disclosure], key: bytes | None
) -> dict[str, str]:
    opened, sealed, secret = event.state.split(b"\n")
    extra = {"leaf": leaf.decode(), "open": opened.decode()}
    if sealed and not is_blanked(sealed) and not _WITH_SEALED.isdisjoint(disclosed):
        extra[Disclosure.SEALED] = sealed.decode()
    if secret and Disclosure.SECRET in disclosed:
        extra[Disclosure.SECRET] = secret.decode()
    # A text without a name is the owner's, whom the key is of.
    if key is not None and any(":" not in each for each in extra.get("sealed", ":").split(" ")):
        extra[camel(Disclosure.EVENT_KEY)] = key.hex()
    return extra
