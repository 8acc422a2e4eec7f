"""Contents that carry a code: sealed while their run may send them (C-23, D-38)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, get_args

import attrs

from ....domain.fallback_run import FallbackStep
from ....domain.message import Content
from ....domain.shared_content import shared_content_decider
from ...journal import Journal
from ...ports.sealer import SealBrokenError, Sealer, SealKey
from .own_links import with_own_links

_KINDS: dict[Any, type[Any]] = {
    attrs.fields_dict(kind)["kind"].default: kind for kind in get_args(Content)
}


class SealedContents:
    """Seals the contents of steps for the runs of a call, and opens them when a step is due."""

    def __init__(self, journal: Journal, sealer: Sealer) -> None:
        self._journal = journal
        self._sealer = sealer

    def new_key(self, run_id: str, like: SealKey | None = None) -> SealKey:
        """
        Make the key of a run; it opens the same seals as `like`, the key of another run of its call.

        Each run drops its own key. A shared seal can be opened until the last run has dropped its
        key.
        """
        if like is None:
            return self._sealer.new_key(run_id)
        return self._sealer.wrap(run_id, self._sealer.unwrap(like))

    def seal(self, key: SealKey, run_id: str, step: int, content: Content) -> str:
        """Seal the content of a step."""
        return self._sealer.seal(key, _subject(run_id, step), _written(content))

    def seal_shared(self, key: SealKey, content_id: str, content: Content) -> str:
        """Seal a content that steps of several runs share, under the key that they have in common."""
        return self._sealer.seal(key, content_id, _written(content))

    def seal_codes(self, key: SealKey, run_id: str, step: int, codes: Sequence[str]) -> str:
        """Seal the codes of the links in a step's content that belong to this run alone."""
        return self._sealer.seal(key, _subject(run_id, step), json.dumps(codes).encode())

    async def content_of(self, run_id: str, step: int, planned: FallbackStep) -> Content:
        """
        Return the content of a step; raises `SealBrokenError` if it cannot be opened any more.

        Raises `SealKeyMissingError` on a node with an older code key, which puts its work off.
        """
        if planned.content is not None:
            return planned.content
        if planned.content_id is None:
            return _read(await self._opened(run_id, step, planned))
        # A shared content never changes, and runs of a call fire together, so the cache is used.
        shared = (await self._journal.recall(shared_content_decider, planned.content_id)).state
        if shared.content is not None:
            return with_own_links(shared.content, shared.own_links, planned.link_codes)
        codes = json.loads(await self._opened(run_id, step, planned))
        if shared.sealed is None:
            raise SealBrokenError
        key = await self._key(run_id)
        content = _read(self._sealer.open(key, planned.content_id, shared.sealed))
        return with_own_links(content, shared.own_links, codes)

    async def _opened(self, run_id: str, step: int, planned: FallbackStep) -> bytes:
        if planned.sealed is None:
            raise SealBrokenError
        return self._sealer.open(await self._key(run_id), _subject(run_id, step), planned.sealed)

    async def _key(self, run_id: str) -> SealKey:
        key = await self._journal.seal_key(run_id)
        if key is None:
            raise SealBrokenError
        return key


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
