"""
The vaults of tests, which all have the same code key and the same index secret.

So what one store of a test writes another one opens, and finds by the same HMACs.
"""

from __future__ import annotations

from watchword.adapters.keyring import KEY_BYTES, Keyring
from watchword.adapters.vault import INDEX, KeyWrapping, Vault

KEYRING = Keyring(1, {1: b"w" * KEY_BYTES})
# Of a store in memory that several nodes share in a rotation to version 2: it seals and opens for all.
SHARED = Keyring(1, {**KEYRING.keys, 2: b"n" * KEY_BYTES})
INDEX_KEY = KeyWrapping(KEYRING).wrap(INDEX, b"i" * KEY_BYTES)


def new_vault(keyring: Keyring = KEYRING) -> Vault:
    """Return the vault of one store: it can find people, and remembers no owner's key yet."""
    vault = Vault(keyring)
    vault.learn([KeyWrapping(keyring).wrap(INDEX, b"i" * KEY_BYTES)])
    return vault
