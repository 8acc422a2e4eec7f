"""The code key at start: found or made, and checked against what the store was written with (C-3)."""

from __future__ import annotations

import base64
import secrets
from datetime import datetime

from ..adapters.keyring import HINT, KEY_BYTES, Keyring, KeyringError
from ..application.pins.live_codes import live_code_needs
from ..application.ports.event_store import EventStore
from .settings import Settings, StoreKind

_VERSIONS = "code_key_versions"


def find_keyring(settings: Settings) -> Keyring:
    """
    Return the keyring: from the settings, from the named file, else from the data directory.

    A store in memory gets a key in memory: neither outlives the process. On PostgreSQL, whose nodes
    share one, it has to be given, but for a sandbox (C-3). Raises `KeyringError`.
    """
    if settings.code_key:
        try:
            return Keyring.parse(settings.code_key)
        except KeyringError as error:
            argument = "code_key= cannot be read. " if settings.embedded else ""
            raise KeyringError(f"{argument}{error}") from None
    if settings.code_key_file:
        if not settings.code_key_file.exists():
            raise KeyringError(f"There is no code key file at {settings.code_key_file}.")
        return Keyring.read(settings.code_key_file)
    how = (
        "Give it as code_key=."
        if settings.embedded
        else "Set WATCHWORD_CODE_KEY, or name a file with --code-key-file."
    )
    store = settings.store_url
    if store.kind is StoreKind.MEMORY:
        return Keyring.parse(f"1:{base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode()}")
    if store.kind is StoreKind.POSTGRESQL and not settings.sandbox:
        raise KeyringError(
            "All nodes on one PostgreSQL need the same code key, so none is made here."
            f" {how} {HINT}"
        )
    key_file = settings.data_dir / "code.key"
    if store.path is not None and store.path.exists() and not key_file.exists():
        # A fresh key beside a store that was written with another would only mislead a backup.
        raise KeyringError(
            f"The store {store.path} was written with a code key, and {key_file} is"
            f" missing. Restore the file, or bring the key in another way. {how}"
        )
    return Keyring.at(key_file)


async def check_keyring(keyring: Keyring, store: EventStore, now: datetime) -> None:
    """
    Refuse to start with a key that the store does not know, or without one that it still needs.

    Live codes need the version that they were hashed with, sealed fallbacks and the secrets of
    callbacks the one that wraps their key.

    Raises `KeyringError`.
    """
    values = keyring.check_values()
    for version, value in values.items():
        if await store.setting(f"code_key:{version}") not in (None, value):
            raise _other_key(version)
    known = {int(each) for each in (await store.setting(_VERSIONS) or "").split(",") if each}
    for version in sorted(known - keyring.keys.keys()):
        if await live_code_needs(store, version, now):
            raise KeyringError(
                f"Live codes need version {version} of the code key. Add it behind the new one,"
                " separated by a comma, until they have expired."
            )
        if await store.seals_under(version):
            raise KeyringError(
                f"Sealed fallbacks and callback secrets need version {version} of the code key. Add it"
                " behind the new one, separated by a comma: a start with both seals secrets anew, and"
                " runs end by themselves. If it is lost:"
                " watchword restored --fallbacks end --remove-callbacks"
            )
    # Kept only now: a key that was refused leaves no trace, and its version is still free.
    for version, value in values.items():
        if await store.keep_setting(f"code_key:{version}", value, only_new=True) != value:
            raise _other_key(version)
    if not known.issuperset(keyring.keys):
        versions = sorted(known.union(keyring.keys))
        await store.keep_setting(_VERSIONS, ",".join(map(str, versions)))


async def seals_under_older(keyring: Keyring, store: EventStore) -> bool:
    """Say whether something is sealed under a version of the key that is not the newest."""
    older = keyring.keys.keys() - {keyring.newest}
    return any([await store.seals_under(version) for version in older])


def _other_key(version: int) -> KeyringError:
    return KeyringError(
        f"Version {version} of the code key is not the one this store was written with."
        " Restore the right key, or give a new key a new version."
    )
