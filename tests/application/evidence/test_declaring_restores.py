"""A declared restore: what is lost is named, what is kept stays provable, and no origin comes twice."""

from __future__ import annotations

import base64
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from attrs import evolve, frozen

from tests.application.evidence.sealed_house import NAME, NEW, OLD, SealedHouse, signers
from tests.vaults import new_vault
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.adapters.evidence.heads_folder import HeadsFolder, HeadsFolders
from watchword.application.caller import ADMIN, Caller
from watchword.application.evidence.declaring_restores import (
    DeclaringRestores,
    LastHeadWantedError,
    NoHeadError,
)
from watchword.application.evidence.sealing_log import LogState
from watchword.application.ports.sealed_log import Head
from watchword.domain.log_history import StoreRestored

BY = Caller("", ADMIN, "req_restored")


@asynccontextmanager
async def a_house(file: Path) -> AsyncIterator[SealedHouse]:
    """Open a log in a file; its folder has the heads."""
    store = await SqliteEventStore.open(file, vault=new_vault())
    try:
        house = SealedHouse(store=store, folder=file.parent)
        yield house
    finally:
        await store.close()


@frozen(kw_only=True)
class Restore:
    """A store of 7 events, put back from 12; the heads at the backup and after it."""

    house: SealedHouse
    kept: Head
    lost: Head

    async def declare(
        self, last_head: str | None = None, *, none: bool = False, heads: str = "heads"
    ) -> str | None:
        """Declare the restore, beside a folder of heads."""
        folders = HeadsFolders(HeadsFolder(self.house.folder / heads))
        declaring = DeclaringRestores(self.house.journal, self.house.clock, folders)
        return await declaring.declare(BY, last_head, none=none)

    async def declared(self) -> list[StoreRestored]:
        """Return what the log says of restores."""
        log = await self.house.store.read_log(0, 100)
        return [each.event for each in log if isinstance(each.event, StoreRestored)]


@pytest.fixture
async def restore(tmp_path: Path) -> AsyncIterator[Restore]:
    """Yield a store that was put back, beside the folder of heads, which was not."""
    live, backup = tmp_path / "live.db", tmp_path / "backup.db"
    async with a_house(live) as house:
        await house.grow(6)
        kept = await house.node().sealing.seal()
    shutil.copy(live, backup)
    async with a_house(live) as house:
        await house.grow(5)
        lost = await house.node().sealing.seal()
    async with a_house(backup) as house:
        yield Restore(house=house, kept=kept, lost=lost)


async def test_a_restored_log_is_signed_again_under_the_next_origin(restore: Restore) -> None:
    """The event names the lost head and what is kept, and heads go on with the next number."""
    node = restore.house.node()
    await node.look()
    assert LogState.FORKED is node.sealing.state

    assert f"{NAME}/2" == await restore.declare(restore.lost.note)
    head = await node.look()

    (event,) = await restore.declared()
    assert (restore.lost.origin, 12, _text(restore.lost.root)) == (
        event.lost_origin,
        event.lost_size,
        event.lost_root,
    )
    assert (7, _text(restore.kept.root)) == (event.kept_size, event.kept_root)
    assert head is not None
    assert (f"{NAME}/2", 8) == (head.origin, head.size)
    assert [True, False] == signers(head, OLD, NEW)
    await restore.house.check_extension(restore.kept, head)


async def test_what_was_written_since_the_restore_is_not_kept(restore: Restore) -> None:
    """A service that ran on the restored store, forked, wrote events that the lost log did not have."""
    await restore.house.grow(3)
    await restore.house.node().look()
    await restore.declare(restore.lost.note)

    (event,) = await restore.declared()
    assert (7, _text(restore.kept.root)) == (event.kept_size, event.kept_root)


async def test_a_signed_log_wants_its_last_head(restore: Restore) -> None:
    """Without it nothing is written, so that nobody forgets what was lost."""
    with pytest.raises(LastHeadWantedError):
        await restore.declare()

    assert [] == await restore.declared()


async def test_a_log_without_any_head_left_goes_on(restore: Restore) -> None:
    """`none` declares all later heads lost, by the next number after the one in the store."""
    assert f"{NAME}/2" == await restore.declare(none=True, heads="elsewhere")

    (event,) = await restore.declared()
    assert (None, None, None) == (event.lost_origin, event.lost_size, event.lost_root)


async def test_a_head_that_is_left_is_named_though_the_operator_had_none(restore: Restore) -> None:
    """The folder beside the store has the lost head."""
    await restore.declare(none=True)

    (event,) = await restore.declared()
    assert 12 == event.lost_size


async def test_a_repetition_declares_nothing_twice(restore: Restore) -> None:
    """The command may be repeated, with the same head, before anything was signed."""
    await restore.declare(restore.lost.note)

    assert None is await restore.declare(restore.lost.note)
    assert None is await restore.declare()
    assert 1 == len(await restore.declared())


async def test_the_next_number_is_above_every_head_known(restore: Restore) -> None:
    """A second restore from before the first one uses neither number again."""
    await restore.declare(restore.lost.note)
    later = await restore.house.node().sealing.seal()
    assert f"{NAME}/2" == later.origin
    other = restore.house.folder / "second.db"
    async with a_house(other) as house:
        await house.grow(6)
        again = evolve(restore, house=house)

        assert f"{NAME}/3" == await again.declare(later.note)
        assert f"{NAME}/3" == (await house.node().sealing.seal()).origin


async def test_a_store_that_was_never_signed_needs_no_declaration(tmp_path: Path) -> None:
    """Nothing was promised of it."""
    async with a_house(tmp_path / "new.db") as house:
        await house.grow(1)
        declaring = DeclaringRestores(
            house.journal, house.clock, HeadsFolders(HeadsFolder(tmp_path / "heads"))
        )
        assert None is await declaring.declare(BY, None, none=False)


@pytest.mark.parametrize("note", ["", "no head", "tea/1\n7\nx\n\n— tea x\n"])
async def test_what_is_no_head_is_refused(restore: Restore, note: str) -> None:
    """A wrong file declares nothing lost."""
    with pytest.raises(NoHeadError):
        await restore.declare(note)


async def test_the_head_of_another_log_is_refused(restore: Restore) -> None:
    """The name in the origin is that of the log's key."""
    with pytest.raises(NoHeadError):
        await restore.declare(restore.lost.note.replace(NAME, "coffee.example"))


def _text(root: bytes) -> str:
    return base64.b64encode(root).decode()
