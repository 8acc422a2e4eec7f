"""The sandbox: outbox, clock, meanings of destinations, and access (C-4, C-39, C-40)."""

import socket
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.entrypoints.caller import DESTINATION, Caller, code_in
from tests.entrypoints.conftest import Serving
from watchword.entrypoints.http.app import Exposure


@pytest.fixture
def mirror() -> socket.socket:
    """Return a socket that datagrams arrive at."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    listener.bind(("127.0.0.1", 0))
    listener.settimeout(5)
    return listener


async def test_the_outbox_shows_what_was_sent(caller: Caller) -> None:
    """A message as C-39 has it, with the code in its text."""
    reply = await caller.create()
    await caller.created("ann@tea.example", channels=["email"])
    sms, email = await caller.outbox()

    assert {
        "id": sms["id"],
        "at": sms["at"],
        "channel": "sms",
        "channelAccountId": sms["channelAccountId"],
        "destination": DESTINATION,
        "sender": "Watchword",
        "text": f"Your verification code is {code_in(sms['text'])}.",
        "payload": {"unicode": False},
        "providerMessageId": reply.json["channels"][0]["providerMessageId"],
    } == sms
    assert "Your verification code" == email["subject"]


async def test_a_code_by_sms_shows_its_dlt_ids(caller: Caller) -> None:
    """As they would go out; ids that the template lacks are left out (C-71)."""
    ids = {"providerTemplateRef": "1107", "entityId": "1101", "unicode": True}
    tea = await caller.with_template({"channelType": "sms", **ids})
    await tea.created()
    (sms,) = await tea.outbox()

    assert {"templateId": "1107", "entityId": "1101", "unicode": True} == sms["payload"]


async def test_a_message_without_a_sender_says_so(caller: Caller) -> None:
    """`sender` is always present, null if the channel account has none (C-39)."""
    tea = await caller.with_template(await caller.channel("sms", {}))
    await tea.created()

    assert [None] == [each["sender"] for each in await tea.outbox()]


async def test_the_outbox_is_filtered(caller: Caller) -> None:
    """The filters are destination, channel (`wa` too, C-45) and the last message seen; newest last."""
    await caller.created("+919812345611", channels=["sms"])
    await caller.created("+919812345612", channels=["whatsapp"])
    await caller.created("+919812345611", channels=["sms"])
    first, second, third = await caller.outbox()

    assert [first, third] == await caller.outbox("destination=%2B919812345611")
    assert [second] == await caller.outbox("channel=whatsapp")
    assert [second] == await caller.outbox("channel=wa")
    assert [third] == await caller.outbox(f"after={second['id']}")
    assert [] == await caller.outbox(f"after={third['id']}")
    assert [first, second, third] == await caller.outbox("after=yesterday")
    assert [first, second, third] == await caller.outbox("destination=&channel=&after=")


async def test_the_outbox_can_be_emptied(caller: Caller) -> None:
    """DELETE forgets all messages; later messages have later ids."""
    await caller.created()
    (before,) = await caller.outbox()

    assert 200 == (await caller.ask("DELETE", "/sandbox/outbox")).status
    assert [] == await caller.outbox()

    await caller.created()
    (after,) = await caller.outbox()

    assert int(before["id"]) < int(after["id"])


async def test_both_addresses_lead_to_the_sandbox(caller: Caller) -> None:
    """The routes stand under /admin/v1/sandbox and /sandbox; no key is needed (C-39)."""
    await caller.created()
    nobody = caller.using(None)

    assert (await nobody.get("/sandbox/outbox")).json == (
        (await nobody.get("/admin/v1/sandbox/outbox")).json
    )


async def test_the_clock_moves_on(caller: Caller) -> None:
    """The answer has the new time, and the clock runs on from there (C-39)."""
    first = (await caller.post("/sandbox/clock/advance", {"seconds": 3600})).json["now"]
    second = (await caller.post("/sandbox/clock/advance", {"seconds": 3600})).json["now"]
    moved = datetime.fromisoformat(second) - datetime.fromisoformat(first)

    assert timedelta(seconds=3600) <= moved < timedelta(seconds=3660)


@pytest.mark.parametrize("seconds", [0, -1, 1.5, "60", None, True, 10**12])
async def test_the_clock_never_goes_back(caller: Caller, seconds: object) -> None:
    """A whole number of seconds, from 1 on."""
    assert ["seconds"] == (await caller.post("/sandbox/clock/advance", {"seconds": seconds})).wrong


async def test_the_clock_survives_a_restart(serving: Serving, tmp_path: Path) -> None:
    """Its offset is kept in the store (C-39)."""
    file = f"sqlite:///{tmp_path / 'kept.db'}"
    async with serving(store=file) as caller:
        pin_id = await caller.created()
        code = await caller.code()
        await caller.advance(601)
    async with serving(store=file) as caller:
        assert (410, "pin_expired") == (await caller.verify(pin_id, code)).refusal
        assert 201 == (await caller.create()).status


@pytest.mark.parametrize(
    ("destination", "status", "taken"),
    [
        ("+919812340001", 502, 0),
        ("0001@tea.example", 502, 0),
        ("+91 98123-40 001", 502, 0),
        ("+919812340002", 201, 1),
        ("+919812340003", 201, 1),
        ("+919812340005", 201, 1),
        ("+919812340006", 201, 1),
        ("ann@tea0001.example", 201, 1),
    ],
)
async def test_a_destination_decides(
    caller: Caller, destination: str, status: int, taken: int
) -> None:
    """Its last four digits say whether the provider takes the message (C-40, C-61)."""
    channel = "email" if "@" in destination else "sms"

    assert status == (await caller.create(destination, channels=[channel])).status
    assert taken == len(await caller.outbox())


async def test_silence_reads_rejected_and_leaves_a_pin(serving: Serving) -> None:
    """`0004`: provider_timeout and the PIN's id in the answer, `unknown` in the history (C-68)."""
    async with serving(provider_timeout=0.05) as caller:
        reply = await caller.create("+919812340004")
        (row,) = (await caller.operated("GET", "/verifications"))["data"]
        dispatched = (await caller.events(row["pinId"]))[-1]

        assert (502, "dispatch_failed") == reply.refusal
        assert (row["pinId"], "PENDING") == (reply.error["details"]["pinId"], row["status"])
        assert [("rejected", "provider_timeout")] == [
            (each["status"], each["errorCode"]) for each in reply.error["details"]["channels"]
        ]
        assert [("unknown", "provider_timeout")] == [
            (each["status"], each["errorCode"]) for each in dispatched["data"]["outcomes"]
        ]


async def test_a_silent_channel_hurts_no_other(serving: Serving) -> None:
    """The channels that answer in time are accepted; the silent one shows as rejected."""
    async with serving(provider_timeout=0.05) as caller:
        tea = await caller.with_template(
            {"channelType": "sms"}, await caller.channel("whatsapp", {"outcome": "timeout"})
        )
        reply = await tea.create(channels=["sms", "whatsapp"])

        assert 201 == reply.status
        assert ["accepted", "rejected"] == [each["status"] for each in reply.json["channels"]]


@pytest.mark.parametrize(
    ("outcome", "status"),
    [("accepted", 201), ("rejected", 502), ("failed", 201), ("delivered", 201)],
)
async def test_a_channel_account_decides_before_the_destination(
    caller: Caller, outcome: str, status: int
) -> None:
    """`config.outcome` decides for all its messages (C-40)."""
    tea = await caller.with_template(await caller.channel("sms", {"outcome": outcome}))

    assert [status] * 2 == [
        (await tea.create(each)).status for each in ("+919812340001", "+919812340009")
    ]


async def test_a_mirror_gets_a_copy(caller: Caller, mirror: socket.socket) -> None:
    """One datagram `<destination> <text>` per message (C-39)."""
    config = {"mirror": f"udp://127.0.0.1:{mirror.getsockname()[1]}"}
    tea = await caller.with_template(await caller.channel("sms", config))
    await tea.created()
    with mirror:
        datagram = mirror.recv(1000).decode()

    assert f"{DESTINATION} Your verification code is {await tea.code()}." == datagram


async def test_nobody_at_the_mirror_is_no_failure(caller: Caller, mirror: socket.socket) -> None:
    """A mirror without a listener changes nothing (C-39)."""
    config = {"mirror": f"udp://127.0.0.1:{mirror.getsockname()[1]}"}
    mirror.close()
    tea = await caller.with_template(await caller.channel("sms", config))

    assert [201] * 3 == [(await tea.create()).status for _ in range(3)]


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8080", "[::1]:8080", "LOCALHOST"])
async def test_loopback_names_are_welcome(caller: Caller, host: str) -> None:
    """The sandbox answers under localhost, 127.0.0.1 and [::1] (C-4)."""
    assert 200 == (await caller.get("/sandbox/outbox", headers={"Host": host})).status


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1", "☃"]
)
async def test_any_other_host_is_403(caller: Caller, host: str) -> None:
    """A page in a browser may call a loopback port, but under its own name (C-4, C-65)."""
    for method, path in (
        ("GET", "/sandbox/outbox"),
        ("DELETE", "/admin/v1/sandbox/outbox"),
        ("POST", "/sandbox/clock/advance"),
    ):
        reply = await caller.ask(method, path, headers={"Host": host})

        assert (403, "forbidden") == reply.refusal


async def test_a_public_sandbox_wants_the_operators_token(serving: Serving) -> None:
    """With --sandbox-public the token takes the place of the Host check (C-4)."""
    async with serving(Exposure(admin_token="tell-nobody", sandbox_public=True)) as caller:
        abroad = {"Host": "sandbox.example"}

        assert (401, "unauthorized") == (await caller.get("/sandbox/outbox")).refusal
        assert (401, "unauthorized") == (
            await caller.using("sandbox-admin").get("/sandbox/outbox")
        ).refusal
        assert (
            200 == (await caller.using("tell-nobody").get("/sandbox/outbox", headers=abroad)).status
        )


async def test_a_sandbox_starts_twice(serving: Serving) -> None:
    """The second start finds the demo in its place, and makes nothing twice (C-4)."""
    async with serving() as caller:
        first = (await caller.templates()).json
    async with serving() as caller:
        assert 1 == (await caller.templates()).json["total"] == first["total"]
        assert 1 == (await caller.operated("GET", "/accounts"))["total"]
        assert 1 == (await caller.operated("GET", "/api-keys"))["total"]
        assert 4 == (await caller.operated("GET", "/channel-accounts"))["total"]
        assert 2 == (await caller.operated("GET", "/fallback-configurations"))["total"]


async def test_the_demo_has_fallbacks(caller: Caller) -> None:
    """One configuration of one step, one of two, and a channel account for every channel."""
    fallbacks = (await caller.operated("GET", "/fallback-configurations"))["data"]
    accounts = (await caller.operated("GET", "/channel-accounts"))["data"]

    assert {"demo": ["sms"], "demo-two": ["sms", "whatsapp"]} == {
        each["fallback_id"]: each["steps"] for each in fallbacks
    }
    assert {"sms", "whatsapp", "rcs", "email"} == {each["channelType"] for each in accounts}


async def test_the_clock_stops_before_the_calendar_does(caller: Caller) -> None:
    """A move that would end the calendar is 400, and the service goes on."""
    replies = [
        await caller.post("/sandbox/clock/advance", {"seconds": 3660 * 24 * 60 * 60})
        for _ in range(800)
    ]

    assert {200, 400} == {reply.status for reply in replies}
    assert 201 == (await caller.create()).status
