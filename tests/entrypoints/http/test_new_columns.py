"""A column that is added to a row stays in the store until a view shows it (D-181)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from typing import Any, TypeVar

import attrs
import pytest
from aiohttp.test_utils import TestClient, TestServer

from tests.application.house import House, build_house
from tests.application.post_office import message, send
from tests.application.stored_templates import keep_rcs, keep_whatsapp
from tests.vaults import new_vault
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.application.paging import Paging
from watchword.application.ports.listings import Page, Query
from watchword.application.records.account import AccountRow
from watchword.application.records.read_model import Row
from watchword.domain.accounts.token_role import TokenRole
from watchword.domain.consent import OptList
from watchword.domain.guard import Countries, DestinationNotAllowedError, GuardPolicy, Mode
from watchword.entrypoints.http.app import Exposure, build_app

R = TypeVar("R", bound=Row)
ADMIN_TOKEN = "tea-admin-token"
COLUMN, VALUE = "unpublished", "not-for-callers"


def widened(row: R) -> R:
    """Return a row as a later release might keep it."""
    column = attrs.field(default=VALUE, kw_only=True)
    wide: Any = attrs.make_class(type(row).__name__, {COLUMN: column}, bases=(type(row),))
    return wide(**attrs.asdict(row, recurse=False))


class WideStore(MemoryEventStore):
    """Reads every row with one column more."""

    async def page(self, query: Query[R]) -> Page[R]:
        """Return a page of wide rows."""
        page = await super().page(query)
        return Page([widened(each) for each in page.rows], page.total)

    async def slice(self, query: Query[R]) -> Sequence[R]:
        """Return a slice of wide rows."""
        return [widened(each) for each in await super().slice(query)]

    async def row(self, rows: type[R], key: str) -> R | None:
        """Return a wide row."""
        row = await super().row(rows, key)
        return None if row is None else widened(row)

    async def rows(self, rows: type[R], keys: Collection[str]) -> Mapping[str, R]:
        """Return wide rows."""
        return {key: widened(row) for key, row in (await super().rows(rows, keys)).items()}


async def furnished() -> House:
    """Build a house on wide rows that lists everything but media and heads, which are no rows."""
    house = await build_house(inside=WideStore(vault=new_vault()))
    service, by = house.service, house.by
    await service.fallback_configurations.create(by, fallback_id="gentle", steps=("sms",))
    await service.dlt_templates.create(by, template_id="t-1", entity_id="e-1", text="Tea.")
    await service.legacy_users.create(by, email="ann@example.com", password="assam darjeeling")
    await service.callbacks.create(by, url="https://tea.example/told")
    await service.operator_tokens.create(by, "desk", role=TokenRole.AUDITOR)
    await service.opt_lists.put(by, OptList.OUT, ["+447700900123"])
    await keep_rcs(house, "Tea.", name="tea")
    await keep_whatsapp(house, "Tea.", name="tea")
    await send(house, message())
    await service.test_destinations.put(
        by,
        destination="review@shop.example",
        code="1234567890",
        until=house.clock.now() + timedelta(days=1),
    )
    await house.issue()
    nowhere = Countries(mode=Mode.ENFORCE, allow=frozenset(("AE",)))
    await service.managing_guard.put(by, GuardPolicy(countries=nowhere))
    with pytest.raises(DestinationNotAllowedError):
        await house.issue()
    house.clock.move(120)
    for work in service.due_work:
        await work.run_due()
    return house


async def test_no_answer_has_a_column_that_no_view_names() -> None:
    """All lists and all single records are checked."""
    house = await furnished()
    key = (await house.service.api_keys.create(house.by, "web")).key
    app = build_app(house.service, Exposure(admin_token=ADMIN_TOKEN))
    (pin_id,) = await house.pins()
    (callback,) = (await house.service.callbacks.list(None, Paging())).data
    lists = {
        route.resource.canonical
        for route in app.router.routes()
        if route.method == "GET" and route.resource and "{" not in route.resource.canonical
    }
    asked = {*lists, f"/v1/pins/{pin_id}", f"/admin/v1/callbacks/{callback.id}/deliveries"}
    answers = {}
    async with TestClient(TestServer(app)) as client:
        for path in asked:
            token = ADMIN_TOKEN if path.startswith("/admin") else key
            headers = {"apikey": token, "Authorization": f"Bearer {token}"}
            answers[path] = await (await client.get(path, headers=headers)).text()

    assert {} == {path: text for path, text in answers.items() if COLUMN in text or VALUE in text}
    assert {"/admin/v1/log/heads", "/admin/v1/media", "/opt/in/wa"} == {
        path for path, text in answers.items() if '"data":[]' in text
    }


async def test_the_store_has_the_column() -> None:
    """Without it the test above could not fail."""
    house = await furnished()
    row = await house.store.row(AccountRow, house.by.account_id)

    assert VALUE == getattr(row, COLUMN)
