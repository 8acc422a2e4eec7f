"""Opens the event store of the settings, its mark and its hosted files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...adapters.erasures_file import ErasuresFile
from ...adapters.event_store.log.mark_file import MarkFile, mark_of, mark_of_database
from ...adapters.logging_observer import LoggingObserver
from ...adapters.media_files import FolderMediaFiles
from ...adapters.vault import Vault
from ..settings import Settings, SettingsError, StoreKind

if TYPE_CHECKING:
    from ...adapters.event_store.memory.store import MemoryEventStore
    from ...adapters.event_store.postgres.store import PostgresEventStore
    from ...adapters.event_store.sqlite.store import SqliteEventStore
    from ...adapters.meters import Meters


def log_mark(settings: Settings) -> MarkFile | None:
    """Return the high-water mark of a store; one in memory has none (D-158)."""
    url = settings.store_url
    if url.kind is StoreKind.MEMORY:
        return None
    if url.path is not None:
        return MarkFile(mark_of(url.path.resolve()))
    return MarkFile(mark_of_database(settings.data_dir, url.text))


def erasures_of(settings: Settings) -> ErasuresFile | None:
    """Return the list of a store's erasures; a store in memory is never restored, and has none."""
    if settings.store_url.kind is StoreKind.MEMORY:
        return None
    return ErasuresFile(settings.erasures_file)


def files_to_audit(settings: Settings) -> FolderMediaFiles | None:
    """Return the hosted files of a store; None for a backup without them."""
    folder = settings.data_dir / "media"
    path = settings.store_url.path
    at_home = path is not None and path.resolve().parent == settings.data_dir.resolve()
    return FolderMediaFiles(folder) if at_home or folder.is_dir() else None


async def open_to_read(
    settings: Settings, vault: Vault, *, to_check: bool = False
) -> SqliteEventStore | PostgresEventStore:
    """
    Open a store for reading only; another process may own it.

    Raises `SettingsError` or `StoreUnavailable`. Without `to_check`, it refuses a file in which views
    or computed columns replace tables (D-165).
    """
    url = settings.store_url
    if url.kind is StoreKind.MEMORY:
        raise SettingsError("A store in memory can be read by its own process only.")
    if url.path is not None:
        return await _sqlite().open(url.path, read_only=True, to_check=to_check, vault=vault)
    return await _postgres().open(url.text, read_only=True, vault=vault)


async def open_store(
    settings: Settings, vault: Vault, logging_observer: LoggingObserver, meters: Meters | None
) -> MemoryEventStore | SqliteEventStore | PostgresEventStore:
    """Open a store for writing; raises `SettingsError` or `StoreUnavailable`."""
    url = settings.store_url
    if url.kind is StoreKind.MEMORY:
        from ...adapters.event_store.memory.store import (  # noqa: PLC0415  a process has one kind of store
            MemoryEventStore,
        )

        return MemoryEventStore(vault=vault)
    wrote = [logging_observer.wrote, *([meters.wrote] if meters is not None else ())]
    store: SqliteEventStore | PostgresEventStore
    if url.path is not None:
        store = await _sqlite().open(
            url.path, writer_process=settings.writer_process, wrote=wrote, vault=vault
        )
    else:
        store = await _postgres().open(url.text, wrote=wrote, vault=vault)
    if meters is not None:
        meters.watch_appends(lambda: store.waiting)
    return store


def _sqlite() -> type[SqliteEventStore]:
    from ...adapters.event_store.sqlite.store import (  # noqa: PLC0415  a process has one kind of store
        SqliteEventStore,
    )

    return SqliteEventStore


def _postgres() -> type[PostgresEventStore]:
    try:
        from ...adapters.event_store.postgres.store import (  # noqa: PLC0415  its driver is an extra
            PostgresEventStore,
        )
    except ImportError as error:
        raise SettingsError(
            "PostgreSQL needs its driver. Install it with: pip install 'watchword[postgres]'"
        ) from error
    return PostgresEventStore
