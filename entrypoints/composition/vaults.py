"""Opens the vault of a store, whose index secret is made once (C-73)."""

from __future__ import annotations

from ...adapters.keyring import Keyring
from ...adapters.vault import INDEX, Vault
from ...application.ports.event_store import EventStore


async def open_vault(keyring: Keyring, store: EventStore) -> Vault:
    """Return a vault with the store's index secret, which the first start makes; nodes share one."""
    vault = Vault(keyring)
    kept = await store.seal_key(INDEX)
    vault.learn([kept or await store.keep_key(vault.new_key(INDEX))])
    return vault
