"""Check what a store says of its code key: the versions it had, and their check values (C-3, C-91)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping

from ..ports.sealer import CODE_KEY_VERSIONS, check_value_of
from ..ports.snapshot import Snapshot
from .differences import Difference, Kind


async def code_key_differences(
    snapshot: Snapshot, given: Mapping[int, str] | None
) -> AsyncIterator[Difference]:
    """
    Yield the settings about the code key that are missing or wrong.

    `given` are the check values of the store's versions that this audit has; None without a code key.
    Without these settings a start could not tell a wrong key from a new one.
    """
    text = await snapshot.setting(CODE_KEY_VERSIONS) or ""
    named = {each for each in text.split(",") if each}
    wanted = {str(each): value for each, value in (given or {}).items()}
    if not named >= wanted.keys():
        yield _difference(CODE_KEY_VERSIONS, ",".join(sorted(named | wanted.keys())), text)
    for version in sorted(named | wanted.keys()):
        name = check_value_of(version)
        found = await snapshot.setting(name)
        if found is None or found != wanted.get(version, found):
            shown = "none" if found is None else "that of another key"
            yield _difference(name, "the check value of the code key", shown)


def _difference(name: str, expected: str, found: str) -> Difference:
    return Difference(
        kind=Kind.SCHEMA, what="Setting", id=name, expected=expected, found=found or "none"
    )
