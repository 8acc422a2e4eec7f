"""A store that the benchmarks fill is like one that a service wrote: each copy is a person of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.long_stores.seeding import STEPS, Seeded, seed
from watchword.application.audit.differences import Kind
from watchword.application.caller import ADMIN, Caller
from watchword.application.paging import Paging
from watchword.application.pins.searching_verifications import VerificationSearch
from watchword.entrypoints.composition.bootstrap import auditing, wired
from watchword.entrypoints.settings import Settings

PEOPLE, ORIGINALS = 12, 4


@pytest.fixture(params=["sqlite", "postgres"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """Return the settings of an empty store of each kind."""
    url = None if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    return Settings(store=url, data_dir=tmp_path, sandbox=True)


@pytest.fixture
async def seeded(settings: Settings) -> Seeded:
    """Fill the store."""
    return await seed(settings, PEOPLE, ORIGINALS, pin_for=3)


async def test_an_audit_finds_that_copies_are_as_the_log_says(
    settings: Settings, seeded: Seeded
) -> None:
    """Keys, sealed texts, HMACs, holders and rates are those of the copied events; only times go back."""
    async with auditing(settings, to_check=True) as reader:
        checked = await reader.check()

    assert {Kind.TIME} == {each.kind for each in checked.differences}
    assert seeded.events == checked.events


async def test_each_copy_is_found_by_its_own_number_and_erased_alone(
    settings: Settings, seeded: Seeded
) -> None:
    """The newest copy has a PIN and a message, as its original has, and goes without the others."""
    other, last = seeded.number_of(ORIGINALS), seeded.number_of(PEOPLE - 1)
    async with wired(settings, run_due=False) as service:
        by = Caller(seeded.account_id, ADMIN, "req_tea")
        certificate = await service.erasing_people.erase(by, last)

        assert (1, 1) == (certificate.counts.pins, certificate.counts.messages)
        assert certificate.finished
        for number, destinations in ((other, [other]), (last, [])):
            search = VerificationSearch(account_id=seeded.account_id, destination=number)
            listed = await service.verifications.search(search, Paging())
            assert destinations == [each.destination for each in listed.data]


async def test_seeding_tells_how_far_it_is(settings: Settings) -> None:
    """It says so a known number of times, however many copies there are."""
    told: list[None] = []
    await seed(settings, 3, 1, lambda: told.append(None))

    assert STEPS == len(told)
