"""Finds or creates the code key at start, and checks it against the store (C-3)."""

from __future__ import annotations

from datetime import datetime

from ...adapters.keyring import HINT, Keyring, KeyringError
from ...application.pins.code_keys_in_use import live_code_needs
from ...application.ports.event_store import EventStore
from ..settings import Settings, StoreKind

_VERSIONS = "code_key_versions"


def find_keyring(settings: Settings) -> Keyring:
    """
    Return the keyring of the settings, of the named file, or of the data directory, in this order.

    A store in memory gets a key in memory, as neither outlives the process. On PostgreSQL all nodes
    share one key, so it must be given, except for a sandbox (C-3). Raises `KeyringError`.
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
        return Keyring.random()
    if store.kind is StoreKind.POSTGRESQL and not settings.sandbox:
        raise KeyringError(
            "All nodes on one PostgreSQL need the same code key, so none is made here."
            f" {how} {HINT}"
        )
    key_file = settings.data_dir / "code.key"
    if store.path is not None and store.path.exists() and not key_file.exists():
        # A new key beside a store that was written with another would only spoil a backup.
        raise KeyringError(
            f"The store {store.path} was written with a code key, and {key_file} is"
            f" missing. Restore the file, or bring the key in another way. {how}"
        )
    return Keyring.at(key_file)


async def check_keyring(keyring: Keyring, store: EventStore, now: datetime) -> None:
    """
    Refuse to start with a key of another store, or without a key that the store still needs.

    Live codes need the version that hashed them. Sealed fallbacks, and the secrets of callbacks and
    channel accounts, need the version that wraps their key.

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
                f"Sealed fallbacks, callback secrets or channel secrets need version {version} of the"
                " code key. Add it behind the new one, separated by a comma: a start with both seals"
                " secrets anew, and runs end by themselves. If it is lost:"
                " watchword restored --fallbacks end --remove-callbacks --drop-channel-secrets"
            )
    # Store the versions only now, so that a refused key does not use up its version.
    for version, value in values.items():
        if await store.keep_setting(f"code_key:{version}", value, only_new=True) != value:
            raise _other_key(version)
    if not known.issuperset(keyring.keys):
        versions = sorted(known.union(keyring.keys))
        await store.keep_setting(_VERSIONS, ",".join(map(str, versions)))


async def seals_under_older(keyring: Keyring, store: EventStore) -> bool:
    """Return whether an older version than the newest still seals something."""
    older = keyring.keys.keys() - {keyring.newest}
    return any([await store.seals_under(version) for version in older])


def _other_key(version: int) -> KeyringError:
    return KeyringError(
        f"Version {version} of the code key is not the one this store was written with."
        " Restore the right key, or give a new key a new version."
    )
