"""Finds or creates the code key at start, and checks it against the store (C-3)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ...adapters.keyring import HINT, Keyring, KeyringError
from ...adapters.vault import KeyWrapping
from ...application.pins.code_keys_in_use import live_code_needs
from ...application.ports.event_store import EventStore
from ...application.ports.sealer import (
    CODE_KEY_LOST,
    CODE_KEY_VERSIONS,
    INDEX,
    PERSON_PREFIX,
    SealBrokenError,
    SealKey,
    check_value_of,
    is_person,
)
from ..settings import Settings, StoreKind


def find_keyring(settings: Settings) -> Keyring:
    """
    Return the keyring of the settings, of the named file, or of the data directory, in this order.

    A store in memory gets a key in memory, as neither outlives the process. On PostgreSQL all nodes
    share one key, so it must be given, except for a sandbox (C-3). Raises `KeyringError`.
    """
    given = given_keyring(settings)
    if given is not None:
        return given
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


def given_keyring(settings: Settings) -> Keyring | None:
    """Return the keyring of the settings, or of the file that they name; raises `KeyringError`."""
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
    return None


async def matching_keyring(keyring: Keyring, store: EventStore) -> Keyring | None:
    """
    Return the versions with which this store was written; None if there is none.

    A version that opens the store's index secret is the store's, even if someone changed its check value.
    """
    index = await store.seal_key(INDEX)
    keys = {
        version: keyring.keys[version]
        for version, value in keyring.check_values().items()
        if await store.setting(check_value_of(version)) == value or _opens(keyring, version, index)
    }
    newest = keyring.newest if keyring.newest in keys else max(keys, default=0)
    return Keyring(newest, keys) if keys else None


async def check_keyring(keyring: Keyring, store: EventStore, now: datetime) -> None:
    """
    Refuse to start with a key of another store, or without a key that the store still needs.

    Live codes need the version that hashed them, and all keys need the version that wraps them.

    Raises `KeyringError`.
    """
    values = keyring.check_values()
    for version, value in values.items():
        if await store.setting(check_value_of(version)) not in (None, value):
            raise _other_key(version)
    known = await _known_versions(store)
    for version in sorted(known - keyring.keys.keys()):
        if await live_code_needs(store, version, now):
            raise KeyringError(
                f"Live codes need version {version} of the code key. Add it behind the new one,"
                " separated by a comma, until they have expired."
            )
        if await store.seals_under(version):
            raise KeyringError(
                f"Keys of people, accounts, callbacks, channel accounts or fallbacks need version {version}"
                " of the code key. Add it behind the new one, separated by a comma: a worker with both"
                " wraps them anew, and then logs keys_rewrapped. If it is lost:"
                " watchword restored --fallbacks end --remove-callbacks --drop-channel-secrets"
                " --drop-people"
            )
    index = await store.seal_key(INDEX)
    if index is not None and index.version in values and not _opens(keyring, index.version, index):
        # Its check value is missing: a wrong key would find nobody, and seal for everybody anew (D-360).
        raise _other_key(index.version)
    # Store the versions only now, so that a refused key does not use up its version.
    for version, value in values.items():
        if await store.keep_setting(check_value_of(version), value, only_new=True) != value:
            raise _other_key(version)
    if not known.issuperset(keyring.keys):
        versions = sorted(known.union(keyring.keys))
        await store.keep_setting(CODE_KEY_VERSIONS, ",".join(map(str, versions)))


async def lost_versions(keyring: Keyring | None, store: EventStore) -> Sequence[int]:
    """Return the versions with which this store was written and that the keyring lacks."""
    return sorted(await _known_versions(store) - (keyring.keys.keys() if keyring else set()))


async def note_loss(versions: Sequence[int], store: EventStore) -> None:
    """Note that the store lost versions of its code key, before what they sealed is given up (D-314)."""
    await store.keep_setting(CODE_KEY_LOST, ",".join(map(str, versions)))


async def had_a_loss(store: EventStore) -> bool:
    """Return whether the store once lost a version of its code key."""
    return await store.setting(CODE_KEY_LOST) is not None


async def has_people(store: EventStore) -> bool:
    """Return whether any version of the code key wraps the key of a person."""
    for version in await _known_versions(store):
        keys = await store.keys_under(version, 1, PERSON_PREFIX)
        if any(is_person(each.name) for each in keys):
            return True
    return False


def older_version(keyring: Keyring) -> int | None:
    """
    Return the version from which the keys move to the newest one, if this node knows both.

    Keys move to a higher number alone: in a rotation some nodes restart later than others, and these
    must not move the keys back (D-313).
    """
    return min((each for each in keyring.keys if each < keyring.newest), default=None)


def _opens(keyring: Keyring, version: int, index: SealKey | None) -> bool:
    """Return whether a version of the code key wraps a store's index secret."""
    if index is None or index.version != version:
        return False
    try:
        KeyWrapping(keyring).unwrap(index)
    except SealBrokenError:
        return False
    return True


async def _known_versions(store: EventStore) -> set[int]:
    return {int(each) for each in (await store.setting(CODE_KEY_VERSIONS) or "").split(",") if each}


def _other_key(version: int) -> KeyringError:
    return KeyringError(
        f"Version {version} of the code key is not the one this store was written with."
        " Restore the right key, or give a new key a new version."
    )
