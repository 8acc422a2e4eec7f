"""Contents that carry a code, sealed while their run may send them (C-23, D-38)."""

from __future__ import annotations

import json
from typing import Any, get_args

import attrs

from ...domain.fallback_run import FallbackStep
from ...domain.message import Content
from ..journal import Journal
from ..ports.sealer import SealBrokenError, Sealer, SealKey

_KINDS: dict[Any, type[Any]] = {
    attrs.fields_dict(kind)["kind"].default: kind for kind in get_args(Content)
}


class SealedContents:
    """Seals what a step sends for that run and step alone, and opens it when its turn has come."""

    def __init__(self, journal: Journal, sealer: Sealer) -> None:
        self._journal = journal
        self._sealer = sealer

    def new_key(self, run_id: str) -> SealKey:
        """Make the key of a run."""
        return self._sealer.new_key(run_id)

    def seal(self, key: SealKey, step: int, content: Content) -> str:
        """Seal what a step of the key's run sends."""
        return self._sealer.seal(key, _subject(key.name, step), _written(content))

    async def content_of(self, run_id: str, step: int, planned: FallbackStep) -> Content:
        """
        Give what a step sends; raises `SealBrokenError` for what cannot be opened any more.

        `SealKeyMissingError` where a node with an older code key cannot: its work is put off.
        """
        if planned.content is not None:
            return planned.content
        key = await self._journal.seal_key(run_id)
        if key is None or planned.sealed is None:
            raise SealBrokenError
        return _read(self._sealer.open(key, _subject(run_id, step), planned.sealed))


def _subject(run_id: str, step: int) -> str:
    return f"{run_id}:{step}"


def _written(content: Content) -> bytes:
    return json.dumps(attrs.asdict(content)).encode()


def _read(plain: bytes) -> Content:
    members = json.loads(plain)
    kind = _KINDS[members["kind"]]
    if "components" in members:
        members["components"] = tuple(members["components"])
    content: Content = kind(**members)
    return content
