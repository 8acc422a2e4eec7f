"""A house whose log is sealed by hand and pruned step by step, and audited after each."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

from tests.application.evidence.log_signer import LogSigner
from tests.application.house import House, build_house
from watchword.application.audit.checking import AuditInputs, Checking
from watchword.application.audit.differences import Difference
from watchword.application.evidence.tree import root, root_tiles
from watchword.application.ports.event_store import DueKind, EventStore
from watchword.application.ports.sealed_log import Head
from watchword.application.retention.pruning_log import PruningLog
from watchword.domain.rate_limit import Duration
from watchword.domain.retention import Retention

DAY = timedelta(days=1)
A_LOT = 100_000
SIGNER = LogSigner("cellar")


async def cellar(store: EventStore, **kept: str) -> House:
    """Return a house with a retention."""
    house = await build_house(inside=store)
    await keep(house, **kept)
    return house


async def keep(house: House, **kept: str) -> None:
    """Set the retention of the house's account."""
    wanted = Retention(**{name: Duration(each) for name, each in kept.items()})
    await house.service.retention.set(house.by, house.by.account_id, wanted)


async def seal(house: House, signer: LogSigner = SIGNER) -> Head:
    """Cover all events with tiles, and sign a head over them."""
    log = house.store.sealed_log
    size = await log.sealed_size()
    while (grown := await log.extend(A_LOT)) != size:
        size = grown
    top = root(size, await log.tiles(root_tiles(size)))
    head = signer.head(size, top, house.clock.now())
    await log.keep_head(head)
    return head


def pruning(house: House) -> PruningLog:
    """Return the work of a house."""
    return next(each for each in house.service.due_work if isinstance(each, PruningLog))


async def prune(house: House, days: float = 0, signer: LogSigner = SIGNER) -> None:
    """Let days go by, seal, and prune until nothing is left to do."""
    house.clock.move(timedelta(days=days).total_seconds())
    await house.forget()
    work = PruningLog(house.service.journal, house.service.randomness, house.clock)
    await seal(house, signer)
    while await work.run_due():
        await seal(house, signer)


async def differences(house: House) -> Collection[Difference]:
    """Return the differences that an audit finds."""
    inputs = AuditInputs(now=house.clock.now)
    return (await Checking(house.service.journal, inputs).check()).differences


async def under_way(house: House) -> int:
    """Return the number of steps that are not finished."""
    due = await house.store.due(DueKind.RETENTION, house.clock.now() + 9999 * DAY, 99)
    return len([each for each in due if each.number != 3])
