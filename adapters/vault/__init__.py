"""Seals what is personal under the key of its owner: a person, an account or the store (C-73)."""

from ...application.ports.sealer import INDEX, STORE
from .sealed_texts import event_key, open_text, seal_text
from .vault import KeyLostError, Vault, VaultLockedError
from .wrapping import KeyWrapping

__all__ = [
    "INDEX",
    "STORE",
    "KeyLostError",
    "KeyWrapping",
    "Vault",
    "VaultLockedError",
    "event_key",
    "open_text",
    "seal_text",
]
