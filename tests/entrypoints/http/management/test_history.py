"""Histories for operators: the log, single streams, searches (C-31, C-37, C-38)."""

import pytest

from tests.entrypoints.caller import DESTINATION, Caller


async def test_an_event_stands_in_its_envelope(caller: Caller) -> None:
    """Position, ids, version, type, schema, time, actor and request (C-38)."""
    pin_id = await caller.created()
    issued, dispatched = await caller.events(pin_id)

    assert {
        "position": dispatched["position"] - 1,
        "eventId": issued["eventId"],
        "streamId": pin_id,
        "version": 1,
        "type": "PinIssued",
        "schema": 1,
        "occurredAt": issued["occurredAt"],
        "actor": issued["actor"],
        "requestId": issued["requestId"],
        "person": issued["data"]["personId"],
        "data": issued["data"],
    } == issued
    assert issued["eventId"] != dispatched["eventId"]


async def test_the_log_is_read_in_commit_order(caller: Caller) -> None:
    """`after` and `limit` page through it; `next` is the next page's start (C-38)."""
    for number in range(3):
        await caller.created(f"+91981234561{number}")
    whole = await caller.operated("GET", "/events?limit=1000")
    positions = [each["position"] for each in whole["data"]]
    seen, after = [], 0
    while (page := await caller.operated("GET", f"/events?after={after}&limit=4"))["data"]:
        seen += page["data"]
        after = page["next"]

    assert list(range(1, len(positions) + 1)) == positions
    assert positions[-1] == whole["next"] == after
    assert whole["data"] == seen
    assert {"data": [], "next": after + 9} == (
        await caller.operated("GET", f"/events?after={after + 9}")
    )


@pytest.mark.parametrize("query", ["limit=many", "limit=-5", ""])
async def test_unreadable_numbers_take_their_defaults(caller: Caller, query: str) -> None:
    """The log from its beginning, 100 at a time."""
    page = await caller.operated("GET", f"/events?{query}")

    assert 1 == page["data"][0]["position"]


@pytest.mark.parametrize("after", ["-5", "soon", "9" * 19, ""])
async def test_a_damaged_cursor_is_400(caller: Caller, after: str) -> None:
    """A reader with a damaged cursor gets an error, not the whole log again."""
    reply = await caller.operate("GET", f"/events?after={after}")

    assert (400, "validation_failed") == reply.refusal


@pytest.mark.parametrize("word", ["true", "1", "yes", "on", ""])
async def test_any_wish_to_mask_is_obeyed(caller: Caller, word: str) -> None:
    """A slip in the word must not show a destination."""
    pin_id = await caller.created()
    shown = await caller.operated("GET", f"/streams/{pin_id}/events?mask={word}")

    assert "+9198******10" == shown["data"][0]["data"]["destination"]


@pytest.mark.parametrize("word", ["false", "0", "no", "off"])
async def test_no_wish_to_mask_is_obeyed_too(caller: Caller, word: str) -> None:
    """`mask=false` shows destinations, as does leaving it out."""
    pin_id = await caller.created()
    shown = await caller.operated("GET", f"/streams/{pin_id}/events?mask={word}")

    assert DESTINATION == shown["data"][0]["data"]["destination"]


async def test_an_unknown_stream_is_404(caller: Caller) -> None:
    """stream_not_found, in the envelope (C-64)."""
    assert (404, "stream_not_found") == (
        await caller.operate("GET", "/streams/pin_none/events")
    ).refusal


async def test_hashes_read_as_three_stars(caller: Caller) -> None:
    """Code hashes and key hashes never show, in no history (C-31)."""
    tea = await caller.with_template(resendCooldown="0s")
    pin_id = await tea.created()
    await tea.resend(pin_id)
    log = (await caller.operated("GET", "/events?limit=1000"))["data"]
    hashes = [
        each["data"][name]
        for each in log
        for name in ("codeHash", "keyHash")
        if name in each["data"]
    ]

    assert ["***"] * 3 == hashes


async def test_personal_data_is_masked_on_request(caller: Caller) -> None:
    """Destinations are in clear for the operator, and masked with mask=true (C-38)."""
    pin_id = await caller.created(referenceId="table-7")
    clear = (await caller.operated("GET", f"/streams/{pin_id}/events"))["data"][0]
    masked = (await caller.operated("GET", f"/streams/{pin_id}/events?mask=true"))["data"][0]

    assert (DESTINATION, "table-7") == (clear["data"]["destination"], clear["data"]["referenceId"])
    assert ("+9198******10", "***") == (
        masked["data"]["destination"],
        masked["data"]["referenceId"],
    )
    assert clear["eventId"] == masked["eventId"]
    assert DESTINATION not in str(await caller.operated("GET", "/events?mask=true&limit=1000"))


async def test_a_verification_shows_all_of_a_pin(caller: Caller) -> None:
    """The search's row has the request and its outcome (C-37)."""
    created = (await caller.create(referenceId="table-7")).json
    (row,) = (await caller.operated("GET", "/verifications"))["data"]

    assert {
        "test": False,
        "pinId": created["pinId"],
        "accountId": row["accountId"],
        "templateId": "tpl_demo",
        "destination": DESTINATION,
        "referenceId": "table-7",
        "createdAt": row["createdAt"],
        "status": "PENDING",
        "attemptsRemaining": 5,
        "expiresAt": created["expiresAt"],
        "updatedAt": row["updatedAt"],
        "supersededBy": None,
        "channels": [
            {
                "channel": "sms",
                "channelAccountId": row["channels"][0]["channelAccountId"],
                "status": "accepted",
                "providerMessageId": created["channels"][0]["providerMessageId"],
            }
        ],
    } == row


async def test_verifications_are_searched(caller: Caller) -> None:
    """The filters are reference, destination, template, status, channel, time, account (C-37)."""
    neighbour = await caller.neighbour()
    foreign = await neighbour.created("+919812345611")
    start = (await caller.post("/sandbox/clock/advance", {"seconds": 5})).json["now"]
    verified = await caller.created("+919812345612", referenceId="table-7")
    await caller.verify(verified, await caller.code("+919812345612"))
    await caller.post("/sandbox/clock/advance", {"seconds": 601})
    whatsapp = await caller.created("+919812345613", channels=["whatsapp", "email"])
    for query, found in {
        "": [whatsapp, verified, foreign],
        "referenceId=table-7": [verified],
        "referenceId=table": [],
        "destination=%20%2B91-98123-45612": [verified],
        f"templateId={neighbour.template}": [foreign],
        "status=VERIFIED": [verified],
        "status=EXPIRED": [foreign],
        "status=PENDING": [whatsapp],
        "status=BLOCKED": [],
        "channel=wa": [whatsapp],
        "channel=whatsapp": [whatsapp],
        "channel=sms": [verified, foreign],
        f"from={start}": [whatsapp, verified],
        f"to={start}": [foreign],
        "account=neighbour": [foreign],
        "account=demo&status=PENDING": [whatsapp],
        "pageSize=1&page=2": [verified],
    }.items():
        listed = await caller.operated("GET", f"/verifications?{query}")

        assert found == [each["pinId"] for each in listed["data"]], query


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("status=LOST", "status"),
        ("status=pending", "status"),
        ("channel=pigeon", "channel"),
        ("from=yesterday", "from"),
        ("to=9999-12-31T23:59:59-12:00", "to"),
    ],
)
async def test_a_wrong_filter_is_named_as_it_was_sent(
    caller: Caller, query: str, field: str
) -> None:
    """400 with the name of the query parameter (C-9)."""
    assert [field] == (await caller.operate("GET", f"/verifications?{query}")).wrong


async def test_an_expiry_is_derived_in_lists(caller: Caller) -> None:
    """A PIN past its time shows as EXPIRED though no event says so (C-15)."""
    pin_id = await caller.created()
    await caller.advance(600)
    (row,) = (await caller.operated("GET", "/verifications"))["data"]

    assert "EXPIRED" == row["status"]
    assert ["PinIssued", "PinDispatched"] == await caller.story(pin_id)
