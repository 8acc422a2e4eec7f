"""Seals what is personal under the key of its owner: a person, an account or a stream (C-73)."""

from ...application.ports.sealer import INDEX
from .sealed_texts import event_key, open_text, seal_text
from .vault import KeyLostError, Vault, VaultLockedError
from .wrapping import KeyWrapping

__all__ = [
    "INDEX",
    "KeyLostError",
    "KeyWrapping",
    "Vault",
    "VaultLockedError",
    "event_key",
    "open_text",
    "seal_text",
]
