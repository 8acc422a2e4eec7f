"""Searches by the members of a body, which keep numbers out of the logs of proxies (C-73, C-100)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.entrypoints.caller import DESTINATION, Caller
from tests.entrypoints.conftest import EVERY_STORE, Serving
from tests.entrypoints.messaging.sends import RECIPIENT, SMS
from tests.entrypoints.test_logs import Log, logged
from watchword.entrypoints.request_outcomes import access_line, watching
from watchword.entrypoints.settings import Settings

STORES = EVERY_STORE
PINS, MESSAGES = "/verifications", "/messages"


async def posted(caller: Caller, path: str, body: Any) -> Any:
    """Search by a body, with success."""
    return await caller.operated("POST", f"{path}/search", body)


async def test_a_body_finds_what_the_query_finds(caller: Caller) -> None:
    """Filter by filter, in the same envelope."""
    await caller.created(referenceId="order-7")
    await caller.created("+447700900123")
    for name, value in (
        ("destination", "0091 98123-45610"),
        ("referenceId", "order-7"),
        ("templateId", caller.template),
        ("status", "PENDING"),
        ("channel", "sms"),
        ("from", "2020-01-01"),
        ("to", "2020-01-01"),
        ("account", "demo"),
    ):
        asked = await caller.operated("GET", f"{PINS}?{name}={value.replace(' ', '%20')}")

        assert asked == await posted(caller, PINS, {name: value})

    (found,) = (await posted(caller, PINS, {"destination": DESTINATION}))["data"]
    assert DESTINATION == found["destination"]


async def test_messages_are_found_by_operators_and_by_their_key(caller: Caller) -> None:
    """Each key searches its own account."""
    sent = await caller.sent(sms=[{**SMS, "custRef1": "order-7"}])
    message_id = sent["data"][0]["messageId"]
    neighbour = await caller.neighbour()
    for body in ({"recipient": RECIPIENT}, {"reference": "order-7"}, {"channelType": "sms"}):
        found = await posted(caller, MESSAGES, body | {"account": "demo"})
        own, others = [
            await each.using(None).post("/messages/search", body, headers={"apikey": str(each.key)})
            for each in (caller, neighbour)
        ]

        assert [message_id] == [each["messageId"] for each in found["data"]]
        assert found == own.json
        assert 0 == others.json["total"]


@pytest.mark.stores("memory")
@pytest.mark.parametrize("path", [PINS, MESSAGES])
async def test_an_empty_filter_is_none(caller: Caller, path: str) -> None:
    """Null and an empty text narrow nothing; no body at all finds everything (D-114)."""
    await caller.created()
    await caller.sent(sms=[SMS])
    everything = await posted(caller, path, {})

    assert 1 == everything["total"]
    assert everything == await posted(caller, path, {"status": None, "channel": ""})
    assert everything == await posted(caller, path, None)


@pytest.mark.stores("memory")
async def test_a_page_is_named_in_the_body(caller: Caller) -> None:
    """Sizes are clamped as those of a query are (C-17)."""
    for number in range(3):
        await caller.created(f"+44770090012{number}")
    second = await posted(caller, PINS, {"page": 2, "pageSize": 1})
    clamped = await posted(caller, PINS, {"page": 0, "pageSize": 1000})

    assert (2, 1, 3, 3) == tuple(
        second[each] for each in ("page", "pageSize", "total", "totalPages")
    )
    assert (1, 100) == (clamped["page"], clamped["pageSize"])


@pytest.mark.stores("memory")
@pytest.mark.parametrize(
    ("path", "body", "wrong"),
    [
        (PINS, {"acount": "demo"}, ["acount"]),
        (PINS, {"recipient": RECIPIENT, "tag1": "x"}, ["recipient", "tag1"]),
        (PINS, {"destination": 5, "from": "yesterday"}, ["destination", "from"]),
        (PINS, {"status": "LOST", "page": "2", "pageSize": 1.5}, ["page", "pageSize", "status"]),
        (PINS, {"account": ["demo"]}, ["account"]),
        (
            MESSAGES,
            {"channelType": "fax", "to": 7, "nothing": None},
            ["channelType", "nothing", "to"],
        ),
        (MESSAGES, {"recipient": {"is": RECIPIENT}}, ["recipient"]),
    ],
)
async def test_what_is_wrong_is_named(
    caller: Caller, path: str, body: dict[str, Any], wrong: list[str]
) -> None:
    """Unknown members are 400 by their paths, whoever asks: they would widen the search (D-334)."""
    assert wrong == sorted((await caller.operate("POST", f"{path}/search", body)).wrong)


@pytest.mark.stores("memory")
@pytest.mark.parametrize("body", [[], "x", 5, [{"destination": DESTINATION}]])
async def test_a_search_is_an_object(caller: Caller, body: Any) -> None:
    """Nothing else is a search."""
    assert 400 == (await caller.operate("POST", f"{PINS}/search", body)).status


@pytest.mark.stores("memory")
async def test_a_key_names_no_account(caller: Caller) -> None:
    """The body of a key's own search has no account, as its query has none."""
    reply = await caller.using(None).post(
        "/messages/search", {"account": "demo"}, headers={"apikey": str(caller.key)}
    )

    assert ["account"] == reply.wrong


@pytest.mark.stores("memory")
@pytest.mark.parametrize(
    ("path", "name"),
    [
        (PINS, "destination"),
        (PINS, "referenceId"),
        (MESSAGES, "recipient"),
        (MESSAGES, "reference"),
        (MESSAGES, "tag1"),
    ],
)
async def test_a_search_for_a_person_wants_an_account(
    serving: Serving, path: str, name: str
) -> None:
    """Outside the sandbox the store knows numbers and references by account alone (C-100)."""
    async with serving(sandbox=False) as caller:
        await caller.operated("POST", "/accounts", {"name": "tea"})
        without = await caller.operate("POST", f"{path}/search", {name: "+447700900123"})
        asked = await caller.operate("GET", f"{path}?{name}=%2B447700900123")
        within = await posted(caller, path, {name: "+447700900123", "account": "tea"})

    assert ["account"] == without.wrong
    assert ["account"] == asked.wrong
    assert 0 == within["total"]


@pytest.mark.stores("memory")
async def test_no_log_line_has_a_number_of_a_search(settings: Settings) -> None:
    """The access log has no query and no body, and an id that shows the number is replaced."""
    log = Log()
    telling = {"X-Request-Id": f"search-{DESTINATION[3:]}", "Authorization": "Bearer sandbox-admin"}
    async with logged(settings, log, around=[watching([access_line])]) as caller:
        path, body = "/admin/v1/verifications", {"destination": DESTINATION}
        replies = [
            await caller.post(f"{path}/search", body, headers=telling),
            await caller.get(f"{path}?destination=%2B{DESTINATION[1:]}", headers=telling),
        ]

    assert all(each.headers["X-Request-Id"].startswith("req_") for each in replies)
    assert 2 == [line["event"] for line in log].count("answered")
    assert DESTINATION[3:] not in str(log)
