"""A store that the service wrote has no difference for its audit, after any requests (C-91)."""

from __future__ import annotations

import attrs
from aiohttp.test_utils import TestClient, TestServer

from tests.entrypoints.audits.audited_store import refuse_sends
from tests.entrypoints.openapi.described import Document
from tests.entrypoints.openapi.walk import Walk, walk_everything
from tests.fakes.hashers import FakePasswordHasher
from watchword.application.audit.checking import AuditInputs, Checking
from watchword.application.caller import ADMIN, THE_WORKER, Caller
from watchword.application.ports.event_store import Repair
from watchword.application.records import RECORDS, record_of
from watchword.application.records.account import AccountRow
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.http.app import Exposure, build_app
from watchword.entrypoints.saved_answers import read_answer
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN, Settings
from watchword.entrypoints.wired import Wired

STORES = ("memory", "sqlite", "postgresql")
# Made behind requests: the worker prunes what is old, a rebuild records what it found damaged, and what
# auditors read is recorded once its minute is over. Sessions begin at the console.
NO_ROUTES = {"console_session", "pruning", "reader", "repair"}


async def repair_a_row(service: Wired) -> None:
    """Take a row out of a list, and rebuild it."""
    account_id = await service.accounts.resolve(THE_WORKER, "demo")
    gone = Repair(stray_rows=((AccountRow, account_id),))
    by = Caller("", ADMIN, "req_repair")
    await service.journal.write(by, service.clock.now(), repair=gone)
    assert {"accounts": 1} == (await service.rebuilding.rebuild(by)).replaced


async def test_every_route_leaves_a_store_as_its_log_says(settings: Settings) -> None:
    """After calls of every route nothing differs, and the walk covers every kind of aggregate."""
    asked = attrs.evolve(settings, provider_timeout=0.05, allow_private_urls=True)
    async with wired(asked, password_hasher=FakePasswordHasher()) as service:
        app = build_app(service, Exposure(admin_token=SANDBOX_ADMIN_TOKEN))
        async with TestClient(TestServer(app)) as client:
            await walk_everything(Walk(client, Document.read()))
        await refuse_sends(service)
        await repair_a_row(service)
        inputs = AuditInputs(files=service.hosted_media._files, read_answer=read_answer)
        checked = await Checking(service.journal, inputs).check()
        log = await service.journal.read_log(0, 100_000)

    assert [] == list(checked.differences)
    kinds = {record_of(each.event).decider.kind for each in log}
    assert {each.decider.kind for each in RECORDS} - NO_ROUTES == kinds - NO_ROUTES
