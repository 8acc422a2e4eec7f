"""A rebuild puts right what disagrees with the log, beside service, and hides nothing (C-81)."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator
from random import Random

import attrs
import pytest
from aiohttp.test_utils import TestClient, TestServer

from tests.entrypoints.audits.audited_store import refuse_sends
from tests.entrypoints.audits.damages import damage, edit, written
from tests.entrypoints.messaging.sends import SMS
from tests.entrypoints.openapi.described import Document
from tests.entrypoints.openapi.walk import PHONE, Walk, walk_everything
from tests.fakes.hashers import FakePasswordHasher
from watchword.application.audit.checking import AuditInputs, Checked, Checking
from watchword.application.audit.differences import Kind
from watchword.application.audit.rebuilt_lists import LISTS
from watchword.application.audit.repairing_streams import RepairingStreams
from watchword.application.caller import ADMIN, Caller
from watchword.application.ports.listings import Equals, Query
from watchword.application.records import REPLAYED
from watchword.application.records.pin import VerificationRow
from watchword.domain.event import ERASED
from watchword.domain.log_history import ReadModelsRepaired
from watchword.domain.pin import VerifyFailed
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.demo.seeding import TEMPLATE_ID
from watchword.entrypoints.http.app import Exposure, build_app
from watchword.entrypoints.saved_answers import read_answer
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN, Settings
from watchword.entrypoints.wired import Wired
from watchword.entrypoints.worker import run_due_to_the_end

STORES = ("sqlite", "postgresql")
# Damaged rows of each list: 500 for the pass mark.
DAMAGES = int(os.environ.get("WATCHWORD_DAMAGED_ROWS", "30"))
BY = Caller("", ADMIN, "req_rebuild")
# Calls that go on at a time.
CALLERS = 6


@pytest.fixture
async def served(settings: Settings) -> AsyncIterator[tuple[Wired, Walk]]:
    """Yield a service that was asked for everything, and a client of it."""
    asked = attrs.evolve(settings, provider_timeout=0.05, allow_private_urls=True)
    async with wired(asked, password_hasher=FakePasswordHasher()) as service:
        app = build_app(service, Exposure(admin_token=SANDBOX_ADMIN_TOKEN))
        async with TestClient(TestServer(app)) as client:
            walk = Walk(client, Document.read())
            await walk_everything(walk)
            await refuse_sends(service)
            yield service, walk


async def checked(service: Wired) -> Checked:
    """Check the store of a service."""
    inputs = AuditInputs(
        files=service.hosted_media._files,
        read_answer=read_answer,
        person_keys=service.people._keys,
        now=service.clock.real,
    )
    return await Checking(service.journal, inputs).check()


async def live(walk: Walk, caller: int, over: asyncio.Event) -> int:
    """Issue PINs, guess wrongly and send messages until it is over; return how many guesses were counted."""
    guesses = 0
    for number in range(10_000):
        wanted = {
            "destination": f"+9198{caller:02}{number:04}55",
            "templateId": TEMPLATE_ID,
            "referenceId": f"order {number}",
        }
        made = await walk.pins("POST", "/v1/pins", json=wanted)
        if made.get("error", {}).get("code") == "unavailable":
            # A busy machine kept the store from answering in time.
            continue
        assert "pinId" in made, made
        guess = {"pin": "none"}
        told = await walk.pins("POST", f"/v1/pins/{made['pinId']}/verify", json=guess)
        assert "pin_incorrect" == told["error"]["code"]
        guesses += 1
        await walk.messaging({"sms": [SMS]})
        if over.is_set():
            break
    return guesses


async def test_damaged_rows_of_every_list_are_put_right_under_load(
    served: tuple[Wired, Walk], settings: Settings
) -> None:
    """The check is clean afterwards, no update was lost, and one event counts what was repaired."""
    service, walk = served
    before = await checked(service)
    assert () == before.differences
    start = await service.journal.newest()
    async with service.journal.snapshot() as snapshot:
        kept = {each.name for each in REPLAYED if await anext(snapshot.rows(each.row), None)}
    damaged = await asyncio.to_thread(damage, settings.store_url.text, DAMAGES, Random(25))
    await asyncio.to_thread(
        written, settings.store_url.text, "UPDATE statistics SET sent = sent + ?", (3,)
    )
    await asyncio.to_thread(
        written, settings.store_url.text, "UPDATE tallies SET sent = sent + ?", (3,)
    )
    found = await checked(service)
    assert found.total >= damaged / 2
    assert {Kind.STATISTICS, Kind.TALLY} <= {each.kind for each in found.differences}

    over, told = asyncio.Event(), list[tuple[int, int]]()
    load = [asyncio.create_task(live(walk, caller, over)) for caller in range(CALLERS)]
    rebuilt = await service.rebuilding.rebuild(BY, progress=lambda *each: told.append(each))
    over.set()
    guesses = sum(await asyncio.gather(*load))

    assert () == (await checked(service)).differences
    log = await service.journal.read_log(start, 1_000_000)
    assert guesses == sum(isinstance(each.event, VerifyFailed) for each in log)
    (event,) = [each.event for each in log if isinstance(each.event, ReadModelsRepaired)]
    assert (rebuilt.replaced, rebuilt.removed) == (event.replaced, event.removed)
    assert 0 == rebuilt.flawed
    lists = {*rebuilt.replaced, *rebuilt.removed}
    assert {*kept, "holders", "due", "statistics", "tallies"} == lists
    assert len(kept) > 15
    assert damaged <= sum(rebuilt.replaced.values()) + sum(rebuilt.removed.values()) + 2 * len(
        LISTS
    )
    assert told[-1] == (rebuilt.events, rebuilt.events)

    assert rebuilt.events < (again := await service.rebuilding.rebuild(BY)).events
    assert ({}, {}) == (again.replaced, again.removed)


@pytest.mark.stores("sqlite")
async def test_a_repair_hides_no_edited_event(
    served: tuple[Wired, Walk], settings: Settings
) -> None:
    """The check names the event as before, and the row that still says otherwise stays as it is."""
    service, _ = served
    store, left = settings.store_url.text, b'"attempts_remaining":%d'
    await asyncio.to_thread(edit, store, "VerifyFailed/1", left % 4, left % 9)
    named = (await checked(service)).differences
    assert {Kind.LIFE, Kind.ROW} <= {each.kind for each in named}
    rows = await service.journal.slice(Query(rows=VerificationRow))

    rebuilt = await service.rebuilding.rebuild(BY)

    assert named == (await checked(service)).differences
    assert rows == await service.journal.slice(Query(rows=VerificationRow))
    assert (True, {}, {}) == (rebuilt.flawed > 0, rebuilt.replaced, rebuilt.removed)


@pytest.mark.stores("sqlite")
async def test_erased_people_stay_erased(served: tuple[Wired, Walk], settings: Settings) -> None:
    """A damaged row of an erased person is put right without what the erasure removed."""
    service, walk = served
    erase = {"account": "demo", "destination": PHONE}
    certificate = await walk.admin("POST", "/admin/v1/people/erase", json=erase)
    await run_due_to_the_end(service.due_work, (), await service.journal.newest())
    person_id = certificate["personId"]
    store = settings.store_url.text
    await asyncio.to_thread(
        written, store, "UPDATE verifications SET status = ? WHERE person_id = ?", ("X", person_id)
    )

    rebuilt = await service.rebuilding.rebuild(BY)

    assert rebuilt.replaced["verifications"] > 0
    rows = await service.journal.slice(
        Query(rows=VerificationRow, where=(Equals("person_id", person_id),))
    )
    assert {ERASED} == {each.destination for each in rows}
    assert () == (await checked(service)).differences


@pytest.mark.stores("sqlite")
async def test_the_event_comes_before_the_repairs(
    served: tuple[Wired, Walk], settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rebuild that ends in between hides nothing, and the next one goes on (D-450)."""
    service, _ = served
    store = settings.store_url.text
    await asyncio.to_thread(damage, store, 20, Random(7))
    monkeypatch.setattr(RepairingStreams, "repair", _interrupted)

    with pytest.raises(RuntimeError):
        await service.rebuilding.rebuild(BY)
    log = await service.journal.read_log(0, 1_000_000)
    assert [log[-1].event] == [
        each.event for each in log if isinstance(each.event, ReadModelsRepaired)
    ]
    monkeypatch.undo()
    await service.rebuilding.rebuild(BY)

    assert () == (await checked(service)).differences


async def _interrupted(*_: object) -> None:
    raise RuntimeError("the process ends here")


@pytest.mark.stores("sqlite")
async def test_only_the_named_lists_are_rebuilt(
    served: tuple[Wired, Walk], settings: Settings
) -> None:
    """The others stay as they are, and an unknown name is refused."""
    service, walk = served
    await asyncio.to_thread(damage, settings.store_url.text, 5, Random(3))

    some = await walk.admin("POST", "/admin/v1/rebuild", json={"only": ["messages", "holders"]})
    headers = {"Accept": "application/x-ndjson"}
    lines = await walk.admin("POST", "/admin/v1/rebuild", json={}, headers=headers)
    unknown = await walk.admin("POST", "/admin/v1/rebuild", json={"only": ["teas"]})

    assert {"messages", "holders"} == {*some["replaced"], *some["removed"]}
    others = json.loads(lines.splitlines()[-1])
    assert not {"messages", "holders"} & {*others["replaced"], *others["removed"]}
    assert "verifications" in {*others["replaced"], *others["removed"]}
    assert "verifications" in json.dumps(unknown["error"]["details"])
    assert () == (await checked(service)).differences
