"""D4, GET /v1/templates: pages, searches, filters and orders (SPEC 2.8, C-17)."""

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import EVERY_STORE

STORES = EVERY_STORE

NAMES = ["Cocoa", "apple tea", "Earl Grey", "black tea", "Darjeeling"]


async def tea_menu(caller: Caller) -> Caller:
    """Create five templates; disable the second, archive the third."""
    made = [
        await caller.operated(
            "POST", "/pin-templates", {"name": name, "channels": [{"channelType": "sms"}]}
        )
        for name in NAMES
    ]
    await caller.operated("POST", f"/pin-templates/{made[1]['id']}/disable")
    await caller.operated("POST", f"/pin-templates/{made[2]['id']}/archive")
    return caller


async def names(caller: Caller, query: str) -> list[str]:
    """Return the names that a list shows, without the demo template's."""
    listed = (await caller.templates(query)).json["data"]
    return [each["name"] for each in listed if each["name"] != "demo"]


async def test_a_template_is_listed_with_its_record(caller: Caller) -> None:
    """The envelope and the record are those of SPEC 2.8; D4 answers 200 (C-9)."""
    tea = await caller.with_template({"channelType": "email", "subjectText": "Your tea"})
    reply = await tea.templates("search=tea")
    (record,) = reply.json["data"]
    (channel,) = record["channels"]

    assert 200 == reply.status
    assert {"page": 1, "pageSize": 25, "total": 1, "totalPages": 1, "data": [record]} == reply.json
    assert {
        "id": tea.template,
        "name": "tea house",
        "status": "enabled",
        "archivedAt": None,
        "createdAt": record["createdAt"],
        "updatedAt": record["createdAt"],
        "createdBy": "admin",
        "updatedBy": "admin",
        "pinLength": 6,
        "pinType": "numeric",
        "pinAttempts": 5,
        "pinTimeToLive": "10m",
        "verifyPinLimit": "1/3s",
        "sendPinPerTemplateLimit": "10000/1d",
        "sendPinPerPhoneNumberLimit": "5/1d",
        "resendCooldown": "30s",
        "receipt": None,
        "channels": [channel],
        "findings": [],
    } == record
    assert {
        "id": channel["id"],
        "channelType": "email",
        "channelAccountId": channel["channelAccountId"],
        "providerTemplateRef": None,
        "contentText": "Your verification code is {{pin}}.",
        "subjectText": "Your tea",
        "isDefault": True,
        "languageCode": None,
        "copyCodeButtonIndex": None,
        "pinPlaceholder": "{{pin}}",
        "paramDefaults": {},
        "entityId": None,
        "unicode": None,
        "literal": False,
        "webOtpOrigin": None,
        "appHash": None,
    } == channel


async def test_the_newest_come_first(caller: Caller) -> None:
    """By default: createdAt, descending, without the archived ones (SPEC D4)."""
    await tea_menu(caller)

    assert ["Darjeeling", "black tea", "apple tea", "Cocoa"] == await names(caller, "")


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("search=TEA", ["black tea", "apple tea"]),
        ("search=e%20t", ["apple tea"]),
        ("search=%25", []),
        ("search=_", []),
        ("search=", ["Darjeeling", "black tea", "apple tea", "Cocoa"]),
        ("status=disabled", ["apple tea"]),
        ("status=enabled", ["Darjeeling", "black tea", "Cocoa"]),
        ("status=archived", ["Darjeeling", "black tea", "apple tea", "Cocoa"]),
        ("includeArchived=true&search=earl", ["Earl Grey"]),
        ("includeArchived=yes&search=earl", []),
        ("sortBy=createdAt&sortDirection=asc", ["Cocoa", "apple tea", "black tea", "Darjeeling"]),
        ("sortBy=name&sortDirection=asc", ["apple tea", "black tea", "Cocoa", "Darjeeling"]),
        ("sortBy=name", ["Darjeeling", "Cocoa", "black tea", "apple tea"]),
        ("sortBy=updatedAt", ["apple tea", "Darjeeling", "black tea", "Cocoa"]),
        ("sortBy=price", ["Darjeeling", "black tea", "apple tea", "Cocoa"]),
        ("sortDirection=sideways", ["Darjeeling", "black tea", "apple tea", "Cocoa"]),
    ],
)
async def test_a_list_is_narrowed_and_sorted(caller: Caller, query: str, shown: list[str]) -> None:
    """Values that are not allowed fall back to the default; `search` is taken literally (C-17)."""
    await tea_menu(caller)

    assert shown == await names(caller, query)


async def test_status_sorts_by_declaration_order(caller: Caller) -> None:
    """Enabled comes before disabled, against the alphabet (SPEC D4, C-17)."""
    await tea_menu(caller)
    up = await names(caller, "sortBy=status&sortDirection=asc")
    down = await names(caller, "sortBy=status&sortDirection=desc")

    assert "apple tea" == up[-1]
    assert "apple tea" == down[0]


@pytest.mark.parametrize("sort_by", ["createdAt", "updatedAt", "name", "status"])
async def test_pages_never_overlap(caller: Caller, sort_by: str) -> None:
    """Ties are broken by id, so that every template is on exactly one page (C-17)."""
    for _ in range(6):
        await caller.with_template()
    pages = [
        (await caller.templates(f"sortBy={sort_by}&pageSize=2&page={number}")).json["data"]
        for number in range(1, 5)
    ]
    ids = [each["id"] for page in pages for each in page]

    assert [2, 2, 2, 1] == [len(page) for page in pages]
    assert 7 == len(set(ids))


@pytest.mark.parametrize(
    ("query", "page", "page_size", "shown"),
    [
        ("", 1, 25, 1),
        ("page=0", 1, 25, 1),
        ("page=-3", 1, 25, 1),
        ("page=two", 1, 25, 1),
        ("page=1.5", 1, 25, 1),
        ("page=", 1, 25, 1),
        ("page=2", 2, 25, 0),
        ("page=99999999999", 99999999999, 25, 0),
        ("page=999999999999999999", 999999999999999999, 25, 0),
        (f"page={10**23}", 10**23, 25, 0),
        (f"pageSize={10**23}", 1, 100, 1),
        ("pageSize=100", 1, 100, 1),
        ("pageSize=101", 1, 100, 1),
        ("pageSize=0", 1, 25, 1),
        ("pageSize=-1", 1, 25, 1),
        ("pageSize=lots", 1, 25, 1),
        ("pageSize=1", 1, 1, 1),
    ],
)
async def test_pages_are_echoed_after_clamping(
    caller: Caller, query: str, page: int, page_size: int, shown: int
) -> None:
    """Unreadable pages read as 1, sizes as 25; above 100 clamps; past the end is empty (C-17)."""
    listed = (await caller.templates(query)).json

    assert (page, page_size, shown) == (listed["page"], listed["pageSize"], len(listed["data"]))


async def test_an_empty_list_has_no_pages(caller: Caller) -> None:
    """TotalPages is 0 when there is nothing, and counts up to the last page else (C-17)."""
    for _ in range(4):
        await caller.with_template()
    nothing = (await caller.templates("search=coffee")).json
    something = (await caller.templates("pageSize=2")).json

    assert (0, 0, []) == (nothing["total"], nothing["totalPages"], nothing["data"])
    assert (5, 3) == (something["total"], something["totalPages"])
