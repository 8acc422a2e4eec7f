"""A caller's own request id is not taken over when it shows for whom the call is (C-12, C-100)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.entrypoints.caller import DESTINATION, Caller, Reply
from tests.entrypoints.http.legacy.test_send import token
from tests.entrypoints.legacy.bodies import RECIPIENT, TEXT
from tests.entrypoints.messaging.sends import SMS
from tests.entrypoints.test_logs import Log, logged
from watchword.entrypoints.http.listener.large_bodies import LARGE
from watchword.entrypoints.http.request_ids import shows_any
from watchword.entrypoints.legacy.answer_bodies import RATING_PATH
from watchword.entrypoints.request_outcomes import access_line, watching
from watchword.entrypoints.settings import Settings

DIGITS = DESTINATION.removeprefix("+91")
TELLING = (f"order-{DIGITS}", "9198-1234.5610", f"x{DIGITS[-8:]}")
UUID = "550e8400-e29b-41d4-a716-446655440000"


def own(request_id: str) -> dict[str, str]:
    """Return the header of a caller's own id."""
    return {"X-Request-Id": request_id}


def is_ours(reply: Reply) -> bool:
    """Return whether the answer has an id of the service's own, in the body of an error too."""
    request_id = reply.headers["X-Request-Id"]
    if reply.status >= 400:
        assert reply.error
    return request_id.startswith("req_")


@pytest.mark.parametrize("telling", TELLING)
async def test_a_create_does_not_take_over_its_destinations_digits(
    caller: Caller, telling: str
) -> None:
    """The answer, its replay and the events have an id of ours."""
    body = {"destination": DESTINATION, "templateId": caller.template}
    headers = own(telling) | {"Idempotency-Key": "once"}
    created = await caller.post("/v1/pins", body, headers=headers)
    replayed = await caller.post("/v1/pins", body, headers=headers)
    events = await caller.events(created.json["pinId"])

    assert 201 == created.status
    assert is_ours(created)
    assert created.headers["X-Request-Id"] == replayed.headers["X-Request-Id"]
    assert {created.headers["X-Request-Id"]} == {each["requestId"] for each in events}


@pytest.mark.parametrize("kept", [UUID, DIGITS[-7:], "order-98123456", "asha"])
async def test_other_ids_are_taken_over(caller: Caller, kept: str) -> None:
    """Seven digits of a number, the digits of another and a UUID show nobody."""
    body = {"destination": DESTINATION, "templateId": caller.template}
    created = await caller.post("/v1/pins", body, headers=own(kept))
    wrong = await caller.post(
        f"/v1/pins/{created.json['pinId']}/verify", {"pin": "wrong"}, headers=own(kept)
    )

    assert kept == created.headers["X-Request-Id"]
    assert kept == wrong.headers["X-Request-Id"]
    events = await caller.events(created.json["pinId"])
    assert {kept} == {each["requestId"] for each in events}


@pytest.mark.parametrize("act", ["resend", "verify"])
async def test_resend_and_verify_compare_with_the_pins_destination(
    caller: Caller, act: str
) -> None:
    """The body does not name the number, so the PIN's is taken."""
    pin_id = await caller.created()
    body = {"pin": "wrong"} if act == "verify" else {}
    reply = await caller.post(f"/v1/pins/{pin_id}/{act}", body, headers=own(TELLING[0]))
    events = await caller.events(pin_id)

    assert is_ours(reply)
    assert TELLING[0] not in json.dumps(events)


async def test_nobody_learns_anothers_destination_by_an_id(caller: Caller) -> None:
    """For a PIN of another account the id is the caller's own, whatever the PIN's destination is."""
    pin_id = await caller.created()
    stranger = await caller.neighbour()
    reply = await stranger.post(
        f"/v1/pins/{pin_id}/verify", {"pin": "1234"}, headers=own(TELLING[0])
    )

    assert (404, TELLING[0]) == (reply.status, reply.headers["X-Request-Id"])


async def test_the_local_part_of_an_address_is_not_taken_over(caller: Caller) -> None:
    """It is compared whatever its capitals."""
    mail = await caller.with_template({"channelType": "email"})
    body = {"destination": "Asha.Rao@example.com", "templateId": mail.template}
    telling = await mail.post("/v1/pins", body, headers=own("for-asha.rao-1"))
    other = await mail.post("/v1/pins", body, headers=own("for-example.com"))

    assert 201 == telling.status
    assert is_ours(telling)
    assert "for-example.com" == other.headers["X-Request-Id"]


async def test_a_send_compares_with_all_its_recipients(caller: Caller) -> None:
    """The last of three recipients is compared, too."""
    entries = [{**SMS, "recipient": f"+447700900{number}"} for number in (100, 101, 102)]
    headers = own("batch-447700900102") | {"apikey": str(caller.key)}
    reply = await caller.using(None).post("/send_sms", {"sms": entries}, headers=headers)
    message = (await caller.history())[0]
    events = await caller.events(message["messageId"])

    assert 200 == reply.status
    assert reply.headers["X-Request-Id"].startswith("req_")
    assert {reply.headers["X-Request-Id"]} == {
        each["requestId"] for each in events if each["type"] != "MessageDelivered"
    }


async def test_a_legacy_send_and_rating_compare_with_the_number(caller: Caller) -> None:
    """The legacy platform's number has other names, and is a person's all the same."""
    headers = {"authentication-token": await token(caller)} | own(f"x-{RECIPIENT[-10:]}")
    sent = await caller.using(None).post("/svc/api/message/send", TEXT, headers=headers)
    rating = {"chatId": "chat-1", "phone": RECIPIENT, "rating": "5"}
    rated = await caller.using(None).post(RATING_PATH, rating, headers=headers)

    assert [200, 200] == [sent.status, rated.status]
    assert sent.headers["X-Request-Id"].startswith("req_")
    assert rated.headers["X-Request-Id"].startswith("req_")


async def test_an_opt_list_compares_with_its_numbers(caller: Caller) -> None:
    """Numbers on a list are people as well."""
    headers = own(TELLING[0]) | {"apikey": str(caller.key)}
    reply = await caller.using(None).post(
        "/opt/in/wa", {"recipients": [DESTINATION]}, headers=headers
    )

    assert 200 == reply.status
    assert reply.headers["X-Request-Id"].startswith("req_")


async def test_what_a_person_writes_does_not_lend_the_number_to_an_id(caller: Caller) -> None:
    """The sender of an inbound message is compared, in the sandbox and at a provider's address."""
    inbound = {"channel": "sms", "from": DESTINATION, "to": "TEATWO", "text": "Hello"}
    posted = await caller.post("/sandbox/inbound", inbound, headers=own(TELLING[0]))
    accounts = await caller.operated("GET", "/channel-accounts")
    path = f"/callbacks/{accounts['data'][0]['id']}"
    heard = await caller.post(path, {"nothing": DIGITS}, headers=own(TELLING[0]))

    assert posted.headers["X-Request-Id"].startswith("req_")
    assert heard.headers["X-Request-Id"].startswith("req_")


async def test_a_large_text_that_cannot_be_read_is_not_searched(caller: Caller) -> None:
    """Searching a megabyte would hold the event loop, so the id is one of ours; of a small one it counts."""
    large = await caller.post("/v1/pins", data=b"[" + bytes(LARGE), headers=own(UUID))
    small = await caller.post("/v1/pins", data=b"[", headers=own(UUID))

    assert [400, 400] == [large.status, small.status]
    assert is_ours(large)
    assert UUID == small.headers["X-Request-Id"]


async def test_logs_show_no_id_before_it_is_compared(settings: Settings) -> None:
    """The lines of a refused key, of a body that was not read, and the access log have an id of ours."""
    log = Log()
    async with logged(settings, log, around=[watching([access_line])]) as caller:
        body: dict[str, Any] = {"destination": DESTINATION, "templateId": caller.template}
        refused = await caller.using("ww_nobody").post("/v1/pins", body, headers=own(TELLING[0]))
        large = await caller.post("/v1/pins", data=bytes(2**20 + 1), headers=own(TELLING[0]))
        created = await caller.post("/v1/pins", body, headers=own(TELLING[0]))

        wrong = await caller.post("/v1/pins", body | {"channels": 1}, headers=own(TELLING[0]))

    assert [TELLING[0]] * 2 == [each.headers["X-Request-Id"] for each in (refused, large)]
    assert is_ours(created)
    assert is_ours(wrong)
    assert {"answered", "authentication_failed"} <= {each["event"] for each in log}
    assert DIGITS not in str(log)


@pytest.mark.parametrize(
    ("own_id", "destination", "shows"),
    [
        ("12345610", "+91 98123-45610", True),
        ("1-2.3_4-5-6-1-0", "0091 9812345610", True),
        ("2345610", "+919812345610", False),
        ("r-3331234", "+333 1234", True),
        ("r-331234", "+333 1234", False),
        ("ASHA", "asha@example.com", True),
        ("example.com", "asha@example.com", False),
        ("", "+919812345610", False),
        (
            "12345610",
            "\uff0b\uff19\uff11\uff19\uff18\uff11\uff12\uff13\uff14\uff15\uff16\uff11\uff10",
            True,
        ),
        ("asha", "\u200bAsha@b\u00fccher.example", True),
    ],
)
def test_what_an_id_shows(own_id: str, destination: str, shows: bool) -> None:
    """Eight digits count, of a shorter number all, and the local part in any capitals."""
    assert shows == shows_any(own_id, [destination])
