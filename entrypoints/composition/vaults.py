"""Hands a store's vault the code key and the index secret when the store is opened (C-73)."""

from __future__ import annotations

from contextlib import suppress

from ...adapters.keyring import Keyring, KeyringError
from ...adapters.vault import INDEX, Vault
from ...application.ports.event_store import EventStore
from ...application.ports.sealer import SealBrokenError, SealKeyMissingError
from ..settings import Settings
from .code_keys import given_keyring, had_a_loss, has_people, matching_keyring


async def learn_index_secret(vault: Vault, store: EventStore) -> None:
    """
    Make the index secret of a new store, once, and let the vault learn it; all nodes get the same.

    Raises `KeyringError` if a store with people lost its secret: with a new one nobody would be found,
    and everybody would become a second person (D-312).
    """
    key = await store.seal_key(INDEX)
    if key is None:
        if await has_people(store):
            raise KeyringError(
                f"The store lacks the secret that finds people: the key {INDEX} of the table seal_keys."
                " Restore a backup that has it."
            )
        key = await store.keep_key(vault.index_key or vault.new_key(INDEX))
    try:
        vault.learn([key])
    except (SealBrokenError, SealKeyMissingError):
        raise KeyringError(
            f"The code key does not open the secret that finds people: the key {INDEX} of the table"
            " seal_keys. Restore the right key, or a backup that has the secret."
        ) from None
    vault.after_loss = await had_a_loss(store)


async def unlock(vault: Vault, settings: Settings, store: EventStore) -> Keyring | None:
    """
    Hand a vault the code key, if it was given or lies in the data directory, and is the store's own.

    Return it. Else the vault stays locked: what is personal reads `***` (C-100). Raises `KeyringError`
    for a given key that cannot be read.
    """
    keyring = _found_keyring(settings)
    fitting = None if keyring is None else await matching_keyring(keyring, store)
    if fitting is None:
        return None
    vault.unlock(fitting)
    vault.after_loss = await had_a_loss(store)
    key = await store.seal_key(INDEX)
    if key is not None and vault.hidden(key) is None:
        # An audit names the key, and a search says that it found no secret.
        with suppress(SealBrokenError):
            vault.learn([key])
    return fitting


def _found_keyring(settings: Settings) -> Keyring | None:
    given = given_keyring(settings)
    if given is None:
        # Nobody named this file, which may be another user's, or another store's.
        with suppress(KeyringError, OSError):
            return Keyring.read(settings.data_dir / "code.key")
    return given
