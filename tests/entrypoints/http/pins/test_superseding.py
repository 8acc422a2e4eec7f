"""One live code per template and destination (C-15)."""

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import EVERY_STORE

STORES = EVERY_STORE


async def test_a_later_create_takes_the_place_of_an_earlier_one(caller: Caller) -> None:
    """The earlier PIN answers 410 pin_expired with the reason, and its history names the later."""
    earlier = await caller.created()
    code = await caller.code()
    later = await caller.created()
    reply = await caller.verify(earlier, code)

    assert (410, "pin_expired") == reply.refusal
    assert {"reason": "superseded"} == reply.error["details"]
    assert "superseded" == (await caller.resend(earlier)).error["details"]["reason"]
    assert {"by": later} == (await caller.events(earlier))[-1]["data"]
    assert 200 == (await caller.verify(later, await caller.code())).status


async def test_spellings_of_a_destination_share_one_live_code(caller: Caller) -> None:
    """The canonical form of the destination decides (C-15, C-28)."""
    earlier = await caller.created("+91 98123 45610")
    await caller.created("00919812345610")

    assert (410, "pin_expired") == (await caller.verify(earlier, "000000")).refusal


async def test_other_destinations_and_templates_are_left_alone(caller: Caller) -> None:
    """A live code elsewhere stays live."""
    other = await caller.with_template()
    here, there, elsewhere = (
        await caller.created("+919812345611"),
        await caller.created("+919812345612"),
        await other.created("+919812345611"),
    )

    assert 200 == (await caller.verify(here, (await caller.codes("+919812345611"))[0])).status
    assert 200 == (await caller.verify(there, await caller.code("+919812345612"))).status
    assert 200 == (await caller.verify(elsewhere, await caller.code("+919812345611"))).status


async def test_a_502_retires_nothing(caller: Caller) -> None:
    """A create that no channel took leaves the live code as it was."""
    tea = await caller.with_template({"channelType": "sms"}, await caller.rejecting_whatsapp())
    live = await tea.created()

    assert 502 == (await tea.create(channels=["whatsapp"])).status
    assert 200 == (await tea.verify(live, await tea.code())).status


async def test_verified_and_blocked_pins_stay_what_they_are(caller: Caller) -> None:
    """Only PINs that are neither verified nor blocked are superseded."""
    tea = await caller.with_template(pinAttempts=1, verifyPinLimit="1000/1s")
    verified = await tea.created()
    await tea.verify(verified, await tea.code())
    blocked = await tea.created()
    for _ in range(2):
        await tea.verify(blocked, "nonsense")
    await tea.created()

    assert (409, "pin_already_verified") == (await tea.verify(verified, "nonsense")).refusal
    assert (409, "pin_blocked") == (await tea.verify(blocked, "nonsense")).refusal


async def test_a_resend_owns_the_live_code_again(caller: Caller) -> None:
    """Each acceptance that commits last owns the code: here the second PIN's resend."""
    tea = await caller.with_template(resendCooldown="0s")
    first = await tea.created()
    second = await tea.created()
    await tea.resend(second)

    assert (410, "pin_expired") == (await tea.resend(first)).refusal
    assert 200 == (await tea.verify(second, await tea.code())).status


async def test_a_superseded_pin_shows_as_expired(caller: Caller) -> None:
    """Searches show EXPIRED, and by which PIN (C-13, C-37)."""
    first = await caller.created()
    second = await caller.created()
    rows = (await caller.operated("GET", "/verifications?status=EXPIRED"))["data"]

    assert [(first, second)] == [(row["pinId"], row["supersededBy"]) for row in rows]
