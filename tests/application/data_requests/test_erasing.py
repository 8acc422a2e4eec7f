"""Erasing people: at once, once, resumably, and with a certificate (C-74)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from attrs import define, field

from tests.contracts.event_store.histories import step
from tests.fakes.clocks import StillClock
from tests.vaults import new_vault
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.adapters.randomness import SecretRandomness
from watchword.adapters.vault import Vault
from watchword.application.caller import ADMIN, Caller
from watchword.application.data_requests.certificate import Counts
from watchword.application.data_requests.erasing import ErasingPeople
from watchword.application.data_requests.erasure_stages import END, FORGET, FORGOTTEN_WITHIN, SCRUB
from watchword.application.data_requests.finishing_erasures import FinishingErasures
from watchword.application.journal import Journal
from watchword.application.people.people import People
from watchword.application.ports.erasures import ErasuresUnwritable
from watchword.application.ports.event_store import Append, DueKind, EventStore, Reservation
from watchword.domain.destination import _digits, canonical
from watchword.domain.errors import ValidationFailedError
from watchword.domain.person import PersonErased

ANNA = "+91 98123 45610"
ORCHID, LOTUS = (Caller(f"acc_{name}", ADMIN, "req_1") for name in ("orchid", "lotus"))


@define
class ListInMemory:
    """A list of erasures that may be impossible to write."""

    people: list[str] = field(factory=list)
    broken: bool = False

    async def note(self, person_id: str, _: datetime) -> None:
        """Note an erasure."""
        if self.broken:
            raise ErasuresUnwritable("No space is left.")
        self.people.append(person_id)


@define
class Desk:
    """One node that erases people."""

    store: EventStore
    vault: Vault
    listed: ListInMemory
    clock: StillClock
    journal: Journal = field(init=False)
    finishing: FinishingErasures = field(init=False)
    erasing: ErasingPeople = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.journal = Journal(self.store)
        people = People(self.journal, self.vault)
        self.finishing = FinishingErasures(
            self.journal, self.listed, SecretRandomness(), self.clock
        )
        self.erasing = ErasingPeople(self.journal, people, self.finishing, self.clock)

    async def new_person(self, by: Caller, number: str = "919812345610") -> str:
        """Have the store know a person; return the person's id."""
        person = self.vault.new_person(by.account_id, self.vault.hmac(by.account_id, number))
        await self.store.append(
            Append(at=self.clock.now(), actor=ADMIN, request_id="req_0", new_people=(person,))
        )
        return person.person_id

    async def left(self) -> set[int]:
        """Return the stages that are left of all erasures."""
        until = self.clock.now() + timedelta(days=1)
        return {each.number for each in await self.store.due(DueKind.ERASURE, until, 100)}

    def later(self, time: timedelta = FORGOTTEN_WITHIN) -> None:
        """Let time pass."""
        self.clock.move(time.total_seconds())

    async def work(self) -> None:
        """Do what is due."""
        while await self.finishing.run_due():
            pass


@pytest.fixture(params=["memory", "sqlite"])
async def desk(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Desk]:
    """Yield a node on each kind of store."""
    vault = new_vault()
    store = (
        MemoryEventStore(vault=vault)
        if request.param == "memory"
        else await SqliteEventStore.open(tmp_path / "watchword.db", vault=vault)
    )
    yield Desk(store, vault, ListInMemory(), StillClock())
    await store.close()


async def test_an_erasure_is_certified(desk: Desk) -> None:
    """The certificate has id, place in the log and what is kept; the key and the way to it are gone."""
    anna = await desk.new_person(ORCHID)
    certificate = await desk.erasing.erase(ORCHID, ANNA)

    assert (True, anna, 1, True) == (
        certificate.erased,
        certificate.person_id,
        certificate.position,
        certificate.finished,
    )
    assert all(each.what and each.why for each in certificate.kept)
    assert {} == await desk.store.people_named([anna])
    (recorded,) = await desk.store.read_stream(anna)
    assert PersonErased(at=desk.clock.now(), account_id="acc_orchid") == recorded.event
    assert not desk.vault.remembers(anna)
    assert [anna] == desk.listed.people


async def test_a_dry_run_changes_nothing(desk: Desk) -> None:
    """It finds the person and counts; nothing is written, and nobody is listed as erased."""
    anna = await desk.new_person(ORCHID)
    certificate = await desk.erasing.erase(ORCHID, ANNA, dry_run=True)

    assert (False, anna, None, True) == (
        certificate.erased,
        certificate.person_id,
        certificate.position,
        certificate.finished,
    )
    assert certificate.kept
    assert [anna] == [*await desk.store.people_named([anna])]
    assert (0, set(), []) == (await desk.store.newest(), await desk.left(), desk.listed.people)


async def test_a_stranger_is_no_error(desk: Desk) -> None:
    """Nothing is erased and counted; the same number in another account is another person."""
    theirs = await desk.new_person(LOTUS)
    certificate = await desk.erasing.erase(ORCHID, ANNA)

    assert (False, None, None, Counts(), (), True) == (
        certificate.erased,
        certificate.person_id,
        certificate.position,
        certificate.counts,
        certificate.kept,
        certificate.finished,
    )
    assert [theirs] == [*await desk.store.people_named([theirs])]


@pytest.mark.parametrize("destination", ["", "9" * 65])
async def test_no_destination_is_refused(desk: Desk, destination: str) -> None:
    """A destination has 1 to 64 characters."""
    with pytest.raises(ValidationFailedError):
        await desk.erasing.erase(ORCHID, destination)


async def test_an_erased_person_is_a_stranger(desk: Desk) -> None:
    """A second erasure finds nobody; who comes back with the number is a new person."""
    anna = await desk.new_person(ORCHID)
    await desk.erasing.erase(ORCHID, ANNA)
    again = await desk.erasing.erase(ORCHID, ANNA)
    back = await desk.new_person(ORCHID)
    erased = await desk.erasing.erase(ORCHID, ANNA)

    assert not again.erased
    assert anna != back
    assert (True, back) == (erased.erased, erased.person_id)


async def test_of_many_erasures_at_once_one_erases(desk: Desk) -> None:
    """The others find a stranger; the log has one event."""
    anna = await desk.new_person(ORCHID)
    certificates = await asyncio.gather(*(desk.erasing.erase(ORCHID, ANNA) for _ in range(8)))

    assert 1 == sum(each.erased for each in certificates)
    assert 1 == len(await desk.store.read_stream(anna))


async def test_the_worker_finishes_what_a_crash_interrupted(desk: Desk) -> None:
    """After the first append alone, every stage is due, and the next node does them."""
    anna = await desk.new_person(ORCHID)
    assert await desk.erasing._begin(ORCHID, anna)
    next_node = Desk(desk.store, desk.vault, desk.listed, desk.clock)
    next_node.later()
    before = await next_node.left()
    await next_node.work()

    assert {END, FORGET} == before
    assert set() == await next_node.left()
    assert [anna] == desk.listed.people


async def test_an_erasure_is_unfinished_while_it_cannot_be_listed(desk: Desk) -> None:
    """A backup would bring the person back, so the certificate says it; the worker tries again."""
    anna = await desk.new_person(ORCHID)
    desk.listed.broken = True
    certificate = await desk.erasing.erase(ORCHID, ANNA)
    asked_again = await desk.erasing.erase(ORCHID, ANNA)
    other_account = await desk.erasing.erase(LOTUS, ANNA)
    desk.listed.broken = False
    desk.later()
    await desk.work()

    assert (True, False) == (certificate.erased, certificate.finished)
    assert (False, False) == (asked_again.erased, asked_again.finished)
    assert other_account.finished
    assert (await desk.erasing.erase(ORCHID, ANNA)).finished
    assert [anna] == desk.listed.people


async def test_every_node_forgets(desk: Desk) -> None:
    """A node that did not erase finds the erasure in its next poll, before the work is due."""
    anna = await desk.new_person(ORCHID)
    other = Desk(desk.store, desk.vault, desk.listed, desk.clock)
    hmac = desk.vault.hmac("acc_orchid", "919812345610")
    await other.journal.people([hmac])
    known = other.journal.remembered.get(hmac)
    await desk.erasing.erase(ORCHID, ANNA)
    await other.work()

    assert anna == known
    assert other.journal.remembered.get(hmac) is None
    assert {FORGET} == await desk.left()
    desk.later()
    await other.work()
    assert set() == await desk.left()


async def test_a_reader_in_the_way_leaves_the_scrubbing(tmp_path: Path) -> None:
    """While somebody reads an older state of the file, the erasure is unfinished; later it is done."""
    vault = new_vault()
    store = await SqliteEventStore.open(tmp_path / "watchword.db", vault=vault)
    desk = Desk(store, vault, ListInMemory(), StillClock())
    try:
        await desk.new_person(ORCHID)
        async with store.snapshot() as snapshot:
            await snapshot.size()
            certificate = await desk.erasing.erase(ORCHID, ANNA)
            left = await desk.left()
        desk.later()
        await desk.work()

        assert (True, False) == (certificate.erased, certificate.finished)
        assert {SCRUB, FORGET} == left
        assert set() == await desk.left()
    finally:
        await store.close()


async def test_what_a_call_in_flight_saved_is_scrubbed_as_well(tmp_path: Path) -> None:
    """
    An answer that was saved after the scrub leaves no bytes in the file or its write-ahead log.

    It is sealed under its caller's key, which no erasure destroys.
    """
    vault, answer = new_vault(), b"sealed for the caller alone"
    store = await SqliteEventStore.open(tmp_path / "watchword.db", vault=vault)
    desk = Desk(store, vault, ListInMemory(), StillClock())
    try:
        anna = await desk.new_person(ORCHID)
        claim = Reservation(scope="pins:key-1", fingerprints=("body",), owner="one", person_id=anna)
        await store.append(step(at=desk.clock.now(), taking=claim))
        await desk.erasing.erase(ORCHID, ANNA)
        await store.append(step(at=desk.clock.now(), completing=claim, answer=answer))
        saved = places_with(answer, tmp_path)
        desk.later()
        await desk.work()

        assert saved
        assert set() == await desk.left()
        assert [] == places_with(answer, tmp_path)
    finally:
        await store.close()


def places_with(text: bytes, folder: Path) -> list[str]:
    """Name the files with a text."""
    return [each.name for each in folder.iterdir() if each.is_file() and text in each.read_bytes()]


async def test_no_cache_keeps_the_number(desk: Desk) -> None:
    """Numbers that were read for any account are forgotten with the person (D-359)."""
    await desk.new_person(ORCHID)
    await desk.erasing.erase(ORCHID, ANNA)

    assert (0, 0) == (canonical.cache_info().currsize, _digits.cache_info().currsize)
