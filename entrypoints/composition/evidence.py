"""Puts the sealing of the log together, and says in the log when it stops."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve

from ...adapters.evidence.heads_folder import HeadsFolder, HeadsFolders
from ...adapters.logs import logger
from ...application.evidence.sealing_log import LogState, SealingLog
from ...domain.errors import DomainError
from ..settings import Settings, StoreKind
from ..wired import Wired
from .log_keys import find_signer

if TYPE_CHECKING:
    from ...adapters.meters import Meters

_log = logger("watchword.evidence")
# One process owns any other store, so it need not wait for the lease of one that died.
_SOLE_OWNER = "owner"


def heads_folders(settings: Settings, folder: Path) -> HeadsFolders:
    """Return the folder `heads` in the data directory, and the copy elsewhere."""
    copies = () if settings.heads_dir is None else (HeadsFolder(settings.heads_dir),)
    return HeadsFolders(HeadsFolder(folder / "heads"), copies)


async def with_sealing(
    service: Wired, settings: Settings, folder: Path, meters: Meters | None
) -> Wired:
    """Return a service that also seals its log; raises `LogKeyError`."""
    signer = await find_signer(settings, service.store)
    kept, owner = heads_folders(settings, folder), _SOLE_OWNER
    if settings.store_url.kind is StoreKind.POSTGRESQL:
        owner = service.randomness.new_id("nod")
    sealing = SealingLog(
        service.journal,
        signer,
        kept,
        owner,
        service.clock,
        _told,
        only_node=owner == _SOLE_OWNER,
    )
    if meters is not None:
        meters.log.watch_sealing(sealing)
    proving = service.proving.sealing_first(sealing.seal)
    return evolve(service, proving=proving, sealing=sealing, due_work=(*service.due_work, sealing))


def _told(state: LogState, why: DomainError | None) -> None:
    match state:
        case LogState.SEALED:
            _log.info("log_sealed_again")
        case LogState.FORKED:
            _log.error("log_forked", **_facts(why))
        case LogState.DAMAGED:
            _log.error("log_damaged", **_facts(why))
        case LogState.UNSIGNED:
            _log.error("log_not_signed", reason=None if why is None else why.code)


def _facts(why: DomainError | None) -> dict[str, object]:
    return {} if why is None else dict(why.details)
