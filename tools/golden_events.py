"""
Write golden files from drafts, and drafts from golden files.

A golden file holds the three lines of a stored event, sealed under keys that this module knows. A draft
stands beside it, `<Name>.<version>.json`: the open line alone, with every member in clear in its
`data`. Without arguments, each draft becomes a golden file. With names of events, their golden files
become drafts: for events whose form changed before any release stored it.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from watchword.adapters.event_store.log.converting import event_converter
from watchword.adapters.event_store.log.event_types import EVENT_TYPES
from watchword.adapters.event_store.log.lines import envelope_of, lines_of, owner_of, sealed_texts
from watchword.adapters.event_store.log.members import put
from watchword.adapters.event_store.log.writing import EventWriter
from watchword.adapters.keyring import KEY_BYTES, Keyring
from watchword.adapters.vault import KeyWrapping, Vault
from watchword.application.ports.sealer import SealKey

# Returns the keys of owners.
Keys = Callable[[Iterable[str]], Mapping[str, SealKey]]

# The stream of all golden events.
STREAM = "golden"
GOLDEN = Path(__file__).parents[1] / "tests" / "golden" / "events"
_KEYRING = Keyring(1, {1: b"w" * KEY_BYTES})
_WRAPPING = KeyWrapping(_KEYRING)


def golden_vault() -> Vault:
    """Return a vault that opens golden files with the keys of `golden_keys`."""
    return Vault(_KEYRING)


def golden_keys(owners: Iterable[str]) -> Mapping[str, SealKey]:
    """Return the keys of owners in golden files; an owner's key is the hash of its name."""
    return {each: _WRAPPING.wrap(each, hashlib.sha256(each.encode()).digest()) for each in owners}


def drafted(
    state: bytes, keys: Keys = golden_keys, vault: Vault | None = None, stream: str = STREAM
) -> dict[str, Any]:
    """Return the open line of a stored state, a golden one by default, with all in clear in its data."""
    lines, vault = lines_of(state), vault or golden_vault()
    draft: dict[str, Any] = json.loads(lines.open)
    if lines.secret:
        put(draft["data"], json.loads(lines.secret))
    if lines.sealed:
        owner = owner_of(stream, draft["account"], draft.get("person"))
        for each, text in sealed_texts(lines.sealed, owner).items():
            key = keys((each,))[each]
            put(draft["data"], json.loads(vault.open(key, draft["id"], text)))
    return draft


def golden(
    name: str,
    schema: int,
    draft: Mapping[str, Any],
    keys: Keys = golden_keys,
    vault: Vault | None = None,
    stream: str = STREAM,
) -> bytes:
    """Return the stored state of a draft, a golden one by default."""
    kind = EVENT_TYPES[name, schema]
    converter = event_converter(frozenset(EVENT_TYPES.values()))
    event = converter.structure({**draft["data"], "at": draft["at"]}, kind)
    vault = vault or golden_vault()
    writer = EventWriter(vault, EVENT_TYPES)
    account, person = draft["account"], draft.get("person")
    at = datetime.fromisoformat(draft["at"])
    envelope = envelope_of(draft["id"], at, draft["actor"], draft["request"], account, person)
    written = writer.written(stream, event, envelope)
    vault.learn(keys(written.sealed).values())
    return writer.sealed(draft["id"], written)


def main(names: Collection[str], folder: Path = GOLDEN) -> None:
    """Write the drafts of named events; without names, write every golden file that has a draft."""
    for name in names:
        for file in folder.glob(f"{name}.*.txt"):
            text = json.dumps(drafted(file.read_bytes().removesuffix(b"\n")), indent=1)
            file.with_suffix(".json").write_text(f"{text}\n")
    for draft in [] if names else sorted(folder.glob("*.json")):
        name, schema = draft.stem.split(".")
        state = golden(name, int(schema), json.loads(draft.read_bytes()))
        draft.with_suffix(".txt").write_bytes(state + b"\n")
        draft.unlink()


if __name__ == "__main__":
    main(sys.argv[1:])
