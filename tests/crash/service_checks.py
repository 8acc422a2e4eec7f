"""What must hold between the acknowledged requests, the store, and the service's answers now."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from aiohttp import ClientSession

from tests.crash.checks import check_allowances, check_log, check_store
from tests.crash.load import ADMIN, FEW, PINS, Client, Templates
from tests.crash.notebook import Exchange, Notebook
from tests.crash.record import Record
from watchword.domain.pin import PinIssued

LOOKED_AT = 10


async def check_what_was_told(
    client: Client, templates: Templates, record: Record, random: Random
) -> None:
    """Compare the answers of all loads so far with the store, and with the service's answers."""
    session, notebook = client.session, client.notebook
    check_store(record)
    check_log(notebook, record)
    allowances = check_allowances(notebook, record)
    await check_audit(session, notebook, record, random)
    await check_next_guesses(client, allowances, random)
    await check_replays(session, notebook, random)
    await check_limits(session, templates.few, record, random)


async def check_audit(
    session: ClientSession, notebook: Notebook, record: Record, random: Random
) -> None:
    """The routes of the audit show the same: each PIN in the search, each stream with its events."""
    created = [each.content["pinId"] for each in notebook.answered("create", 201)]
    found = await _verifications(session, newest=len(created))

    assert set(created) <= found.keys() | record.rows.keys()
    for exchange in notebook.answered("verify", 200):
        status = found.get(exchange.content["pinId"], {"status": "VERIFIED"})["status"]

        assert "VERIFIED" == status
    for pin_id in _some(created, random):
        async with session.get(f"/admin/v1/streams/{pin_id}/events", headers=ADMIN) as answer:
            shown = [each["eventId"] for each in (await answer.json())["data"]]

        assert [each.event_id for each in record.log if each.stream == pin_id] == shown


async def check_next_guesses(client: Client, allowances: dict[str, int], random: Random) -> None:
    """If guesses are left, the next wrong one leaves fewer than the last answer said."""
    for pin_id in _some(list(allowances), random):
        exchange = await client.post("verify", f"/v1/pins/{pin_id}/verify", {"pin": "wrong"})

        assert exchange.content["error"]["code"] in ("pin_incorrect", "pin_blocked")
        assert (exchange.attempts_left or 0) < max(allowances[pin_id], 1)


async def check_replays(session: ClientSession, notebook: Notebook, random: Random) -> None:
    """A saved answer is given again byte for byte, with its own request id."""
    for exchange in _some([t for t in notebook.answered("create", 201, 502) if t.key], random, 50):
        async with session.post(
            exchange.path, json=exchange.body, headers=_keyed(exchange)
        ) as answer:
            again = (answer.status, await answer.read(), answer.headers["X-Request-Id"])

            assert (exchange.status, exchange.answer) == again[:2]
            assert again[2] == exchange.headers["X-Request-Id"]
            assert "true" == answer.headers["Idempotent-Replayed"]


async def check_limits(session: ClientSession, few: str, record: Record, random: Random) -> None:
    """A send counted before the kill counts after it: each destination gets exactly its limit."""
    spent = Counter(
        each.event.destination
        for each in record.log
        if isinstance(each.event, PinIssued) and each.event.template_id == few
    )

    assert all(count <= FEW for count in spent.values())
    for destination in _some(list(spent), random, 3):
        body = {"destination": destination, "templateId": few}
        statuses = []
        for _ in range(FEW + 1):
            async with session.post("/v1/pins", json=body, headers=PINS) as answer:
                statuses.append(answer.status)
        count = spent[destination]

        assert [201] * (FEW - count) + [429] * (count + 1) == statuses


async def _verifications(session: ClientSession, newest: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    page, pages = 1, 1
    while page <= pages and len(found) < newest:
        query = {"page": page, "pageSize": 100}
        async with session.get("/admin/v1/verifications", params=query, headers=ADMIN) as answer:
            listed = await answer.json()
        found |= {each["pinId"]: each for each in listed["data"]}
        page, pages = page + 1, listed["totalPages"]
    return found


def _some(things: list[Any], random: Random, count: int = LOOKED_AT) -> list[Any]:
    return random.sample(things, min(count, len(things)))


def _keyed(exchange: Exchange) -> dict[str, str]:
    return PINS | {"Idempotency-Key": str(exchange.key)}
