"""Opens a store for reading only, to check its log against tiles and heads (C-81)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ...adapters.vault import Vault
from ...application.evidence.verifying_log import VerifyingLog
from ...application.journal import Journal
from ..settings import Settings
from .stores import open_to_read


@asynccontextmanager
async def verifying(settings: Settings) -> AsyncIterator[VerifyingLog]:
    """
    Open a store for reading only, beside the process that owns it; no key of it is needed.

    Raises what `auditing` raises.
    """
    store = await open_to_read(settings, Vault(None))
    try:
        yield VerifyingLog(Journal(store))
    finally:
        await store.close()
