"""DLT templates over HTTP, and the sends of a key with auto-match (C-30, C-35, C-60)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import EVERY_STORE
from tests.entrypoints.messaging.sends import FALLBACK, INDIAN, SMS

STORES = EVERY_STORE
TEMPLATE = {
    "templateId": "1107161234567890123",
    "entityId": "1101456789012345678",
    "text": "Your tea {#var#} is ready. - TEAHSE",
}
PATH = "/dlt-templates"
ORDER: dict[str, Any] = {
    **SMS,
    "recipient": INDIAN,
    "messageBody": "Your tea Assam is ready. - TEAHSE",
}


async def matching(caller: Caller) -> Caller:
    """Be a key of the demo account that has auto-match."""
    body = {"name": "matching", "templateAutoMatch": True}
    return caller.using((await caller.operated("POST", "/api-keys", body))["key"])


async def test_a_template_is_created_listed_and_removed(caller: Caller) -> None:
    """201 with the record, 200 with the record; a removed template is not listed."""
    reply = await caller.operate("POST", PATH, TEMPLATE)
    made = reply.json

    assert 201 == reply.status
    assert {*TEMPLATE, "id", "accountId", "createdAt", "removedAt"} == made.keys()
    assert TEMPLATE == {name: made[name] for name in TEMPLATE}
    assert [made] == (await caller.operated("GET", PATH))["data"]

    removed = await caller.operated("DELETE", f"{PATH}/{made['id']}")
    assert {**made, "removedAt": removed["removedAt"]} == removed
    assert removed == await caller.operated("DELETE", f"{PATH}/{made['id']}")
    assert 0 == (await caller.operated("GET", PATH))["total"]
    assert 201 == (await caller.operate("POST", PATH, TEMPLATE)).status


async def test_a_template_id_is_unique_in_its_account(caller: Caller) -> None:
    """409 for a second one; another account may have it, and its list is its own."""
    await caller.operated("POST", "/accounts", {"name": "orchid"})
    await caller.operated("POST", PATH, TEMPLATE)

    assert (409, "duplicate_name") == (await caller.operate("POST", PATH, TEMPLATE)).refusal
    await caller.operated("POST", PATH, {**TEMPLATE, "account": "orchid"})
    assert 1 == (await caller.operated("GET", f"{PATH}?account=orchid"))["total"]
    assert 2 == (await caller.operated("GET", PATH))["total"]


@pytest.mark.parametrize(
    ("wrong", "fields"),
    [
        ({"templateId": ""}, ["templateId"]),
        ({"entityId": 12}, ["entityId"]),
        ({"text": "x" * 4_097, "templateId": None}, ["templateId", "text"]),
    ],
)
async def test_what_is_wrong_is_named(
    caller: Caller, wrong: dict[str, Any], fields: list[str]
) -> None:
    """All at once."""
    assert fields == sorted((await caller.operate("POST", PATH, {**TEMPLATE, **wrong})).wrong)


async def test_an_unknown_template_is_404(caller: Caller) -> None:
    """The id of something else is 404, too (C-7)."""
    for record_id in ("dlt_1", "tpl_demo"):
        refusal = (await caller.operate("DELETE", f"{PATH}/{record_id}")).refusal
        assert (404, "dlt_template_not_found") == refusal


async def test_auto_match_fills_both_ids_in(caller: Caller) -> None:
    """A text that one template says goes out with its ids, in the primary and in the fallback."""
    key = await matching(caller)
    await caller.operated("POST", PATH, TEMPLATE)
    step = {"sender": "TEAHSE", "type": "SI", "messageBody": ORDER["messageBody"]}
    fallback = {**FALLBACK, "waittime": "5", "sms": step}
    matched = await key.sent(sms=[ORDER])
    given = await key.sent(sms=[{**ORDER, "templateId": "own", "entityId": "own"}])
    silent = await key.sent(sms=[{**ORDER, "recipient": "+919812340003"}], fallback=fallback)
    await caller.advance(6)
    ids = [
        (await caller.events(sent["data"][0]["messageId"]))[0]["data"]["content"]["templateId"]
        for sent in (matched, given, silent)
    ]
    steps = (await caller.standing(silent["data"][0]["messageId"]))["fallback"]["steps"]
    content = (await caller.events(steps[0]["messageId"]))[0]["data"]["content"]

    assert [TEMPLATE["templateId"], "own", TEMPLATE["templateId"]] == ids
    assert TEMPLATE["entityId"] == content["entityId"]


async def test_what_no_template_says_is_400(caller: Caller) -> None:
    """With auto-match and without, each id by its path; numbers abroad need none (C-30)."""
    key = await matching(caller)
    await caller.operated("POST", PATH, TEMPLATE)
    lost = {**ORDER, "messageBody": "Your tea is ready."}
    missing = ["sms[0].templateId", "sms[0].entityId"]
    refused = await key.send(sms=[lost])

    assert missing == [each["field"] for each in refused.json["errors"]]
    assert "no registered DLT template" in refused.json["errors"][0]["message"]
    assert missing == [each["field"] for each in (await caller.send(sms=[ORDER])).json["errors"]]
    assert "accepted" == (await key.sent(sms=[SMS]))["data"][0]["status"]


async def test_a_replay_needs_no_template_any_more(caller: Caller) -> None:
    """The saved answer is returned again, whatever the registry contains now (C-10)."""
    key = await matching(caller)
    made = await caller.operated("POST", PATH, TEMPLATE)
    first = await key.send(once="tea-1", sms=[ORDER])
    await caller.operated("DELETE", f"{PATH}/{made['id']}")
    second = await key.send(once="tea-1", sms=[ORDER])

    assert (200, first.body) == (second.status, second.body)
    assert 400 == (await key.send(sms=[ORDER])).status
