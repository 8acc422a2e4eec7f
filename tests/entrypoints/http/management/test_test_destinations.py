"""Test destinations over HTTP: set, listed, removed, and refused by path (C-79, C-103, C-104)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import EVERY_STORE
from watchword.entrypoints.http.route import ALL, READ, About
from watchword.entrypoints.http.routes.test_destinations import TEST_DESTINATION_ROUTES
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN

STORES = EVERY_STORE
NUMBER, CODE = "+447700900000", "123456"
PATH = "/admin/v1/test-destinations"
OPERATOR = {"Authorization": f"Bearer {SANDBOX_ADMIN_TOKEN}"}


def ahead(days: float) -> str:
    """Return a time some days ahead."""
    return (datetime.now(UTC) + timedelta(days=days)).isoformat()


def body(**other: Any) -> dict[str, Any]:
    """Return a body that is right but for `other`."""
    return {"account": "demo", "destination": NUMBER, "code": CODE, "until": ahead(30), **other}


def test_the_routes_are_for_admins_of_the_store() -> None:
    """A token of another role opens neither, and one that is bound to an account opens none (D-403)."""
    changing = [each for each in TEST_DESTINATION_ROUTES if each.method != "GET"]
    (listing,) = [each for each in TEST_DESTINATION_ROUTES if each.method == "GET"]

    assert [(ALL, About.STORE)] * 2 == [(each.needs, each.about) for each in changing]
    assert READ == listing.needs


async def test_keys_open_nothing(caller: Caller) -> None:
    """An account's own key sets no fixed code."""
    assert 401 == (await caller.post(PATH, body())).status
    assert 401 == (await caller.get(PATH)).status
    assert 401 == (await caller.ask("DELETE", f"{PATH}/tst_0")).status


async def test_one_is_set_revised_listed_and_removed(caller: Caller) -> None:
    """201, then 200 under the same id; the code reads `***` everywhere."""
    first = await caller.post(PATH, body(), headers=OPERATOR)
    again = await caller.post(
        PATH, body(destination="00447700900000", code="654321"), headers=OPERATOR
    )
    listed = await caller.operated("GET", "/test-destinations?account=demo")
    other = await caller.operated("POST", "/accounts", {"name": "lotus"})
    elsewhere = await caller.operated("GET", f"/test-destinations?account={other['id']}")
    removed = await caller.operated("DELETE", f"/test-destinations/{first.json['id']}")

    assert (201, 200) == (first.status, again.status)
    assert [
        "id",
        "accountId",
        "destination",
        "code",
        "until",
        "createdAt",
        "updatedAt",
        "removedAt",
    ] == list(first.json)
    assert first.json["id"] == again.json["id"]
    assert {"***"} == {each["code"] for each in (first.json, again.json, removed)}
    assert [again.json] == listed["data"]
    assert {"page": 1, "pageSize": 25, "total": 0, "totalPages": 0, "data": []} == elsewhere
    assert removed["removedAt"] is not None
    assert [] == (await caller.operated("GET", "/test-destinations"))["data"]


async def test_its_pins_are_tests(caller: Caller) -> None:
    """Answers look as any; nothing reaches a phone; the search and the events say `test`."""
    await caller.post(PATH, body(), headers=OPERATOR)
    created = await caller.create(NUMBER)
    pin = created.json["pinId"]
    verified = await caller.verify(pin, CODE)
    found = await caller.operated("GET", "/verifications?account=demo")
    events = await caller.events(pin)

    assert (201, "PENDING", "accepted") == (
        created.status,
        created.json["status"],
        created.json["channels"][0]["status"],
    )
    assert (200, "VERIFIED") == (verified.status, verified.json["status"])
    assert [] == await caller.codes(NUMBER)
    assert [True] == [each["test"] for each in found["data"]]
    assert [True, True, None] == [each["data"].get("test") for each in events]
    assert CODE not in str([created.json, found, events])


@pytest.mark.parametrize(
    ("wrong", "path"),
    [
        ({"destination": "nobody"}, "destination"),
        ({"destination": ""}, "destination"),
        ({"code": "12"}, "code"),
        ({"code": ""}, "code"),
        ({"code": "abcdef"}, "code"),
        ({"code": 123456}, "code"),
        ({"until": "tomorrow"}, "until"),
        ({"until": ahead(-1)}, "until"),
        ({"until": ahead(90.1)}, "until"),
        ({"until": None}, "until"),
        ({"account": 1}, "account"),
    ],
)
async def test_what_is_wrong_is_named_by_its_path(
    caller: Caller, wrong: dict[str, Any], path: str
) -> None:
    """400, and no quoted value: it may be a code or a number."""
    refused = await caller.post(PATH, body(**wrong), headers=OPERATOR)

    assert [path] == refused.wrong


async def test_what_is_not_there_is_404(caller: Caller) -> None:
    """An unknown id, and an unknown account."""
    unknown = await caller.ask("DELETE", f"{PATH}/tst_0", headers=OPERATOR)
    nobody = await caller.post(PATH, body(account="nobody"), headers=OPERATOR)
    nowhere = await caller.get(f"{PATH}?account=nobody", headers=OPERATOR)

    assert (404, "test_destination_not_found") == unknown.refusal
    assert (404, "account_not_found") == nobody.refusal == nowhere.refusal


async def test_a_destination_that_verified_is_409(caller: Caller) -> None:
    """Under another spelling, too, and also where it is a test destination already."""
    pin = await caller.created(NUMBER)
    await caller.verify(pin, await caller.code(NUMBER))
    refused = await caller.post(PATH, body(destination="00447700900000"), headers=OPERATOR)

    assert (409, "destination_in_use") == refused.refusal


async def test_what_is_stored_of_the_person_has_it_masked(caller: Caller) -> None:
    """The access request shows it without its code; the erasure ends it."""
    made = await caller.post(PATH, body(), headers=OPERATOR)
    asked = {"account": "demo", "destination": NUMBER}
    shown = await caller.operated("POST", "/people/show", asked)
    certificate = await caller.operated("POST", "/people/erase", asked)
    removed = await caller.operated("DELETE", f"/test-destinations/{made.json['id']}")
    sent = await caller.created(NUMBER)

    assert [made.json] == shown["testDestinations"]
    assert CODE not in str(shown)
    assert (True, True) == (certificate["erased"], certificate["finished"])
    assert [] == (await caller.operated("GET", "/test-destinations"))["data"]
    assert ("(erased)", "***") == (removed["destination"], removed["code"])
    assert (422, "pin_incorrect") == (await caller.verify(sent, CODE)).refusal
