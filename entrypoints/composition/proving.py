"""Opens a store for reading only, to make proofs of its log (C-105)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from ...adapters.vault import Vault
from ...application.audit.disclosing import Disclosing
from ...application.evidence.proving import Proving
from ...application.journal import Journal
from ..settings import Settings
from .stores import open_to_read
from .vaults import unlock


@asynccontextmanager
async def proving(settings: Settings) -> AsyncIterator[Proving]:
    """Open a store for reading only, beside the process that owns it; raises what `auditing` raises."""
    async with AsyncExitStack() as stack:
        vault = Vault(None)
        store = await open_to_read(settings, vault)
        stack.push_async_callback(store.close)
        await unlock(vault, settings, store)
        journal = Journal(store)
        yield Proving(journal.sealed_log, Disclosing(journal, vault).event_keys)
