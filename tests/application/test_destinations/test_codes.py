"""PINs for test destinations: nothing is sent, and the fixed code verifies (C-79, C-103)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.application.house import POLICY, House, claim, node_on
from tests.application.rotations import NEWEST, rotate
from tests.application.test_destinations.test_managing import CODE, put
from watchword.adapters.randomness import SecretRandomness
from watchword.adapters.sealing import AesGcmSealer
from watchword.application.errors import UnavailableError
from watchword.application.pins.issuing_pins import IssueRequest
from watchword.application.pins.resending_pins import ResendRequest
from watchword.application.pins.sending_pins import SentPin
from watchword.application.pins.template_channels import ChannelEntry
from watchword.application.ports.event_store import KeyAnswered
from watchword.application.test_destinations.fixed_codes import FixedCodes
from watchword.domain.channel import Channel
from watchword.domain.errors import RateLimitedError
from watchword.domain.guard import Budgeted, GuardPolicy, Mode, Unverified
from watchword.domain.pin import PinBlockedError, PinIncorrectError, PinIssued, PinStatus
from watchword.domain.pin.events import PinDispatched, PinResent
from watchword.domain.pin_template.policy import PinPolicy
from watchword.domain.rate_limit import Rate

ONE = Budgeted(mode=Mode.ENFORCE, limit=Rate("1/1h"))
STRICT = GuardPolicy(unverified=Unverified(country=ONE, prefix=ONE, ip=ONE))


async def issue(house: House, template_id: str | None = None, once: str | None = None) -> SentPin:
    """Create a PIN for the number of the tests."""
    request = IssueRequest(
        destination="0044 7700 900000", template_id=template_id or house.template_id
    )
    return await house.service.issuing.issue(house.by, request, claim(once, once) if once else None)


async def verify(house: House, sent: SentPin, code: str = CODE) -> None:
    """Verify a PIN with the fixed code."""
    verified = await house.service.verifying.verify(house.by, sent.pin_id, code)
    assert PinStatus.VERIFIED is verified.status


async def test_nothing_is_sent_and_the_fixed_code_verifies(house: House) -> None:
    """The answer is that of an accepted send; the history and the search say `test`."""
    await put(house)
    sent = await issue(house)
    (outcome,) = sent.channels
    await verify(house, sent)
    history = [each.event for each in await house.store.read_stream(sent.pin_id)]
    view = await house.service.verifications.get(house.by.account_id, sent.pin_id)

    assert [] == house.provider.messages
    assert (PinStatus.PENDING, True) == (sent.status, outcome.accepted)
    assert f"test:{sent.pin_id}:1:sms" == outcome.provider_message_id
    assert [True, True] == [
        each.test for each in history if isinstance(each, PinIssued | PinDispatched)
    ]
    assert view.test


async def test_wrong_codes_are_counted_as_ever(house: House) -> None:
    """The fixed code opens no PIN that wrong ones have blocked."""
    await put(house)
    sent = await issue(house)
    for _ in range(POLICY.pin_attempts):
        with pytest.raises(PinIncorrectError):
            await verify(house, sent, "0000000000")
    with pytest.raises(PinBlockedError):
        await verify(house, sent, "0000000000")
    with pytest.raises(PinBlockedError):
        await verify(house, sent)


async def test_another_template_makes_a_code_that_nobody_knows(house: House) -> None:
    """Its codes have six digits. Nothing is sent either."""
    shorter = await house.service.pin_templates.create(
        house.by, name="six", policy=PinPolicy(), channels=[ChannelEntry(channel_type=Channel.SMS)]
    )
    await put(house)
    sent = await issue(house, shorter.id)

    with pytest.raises(PinIncorrectError):
        await verify(house, sent)
    assert [] == house.provider.messages


async def test_the_limits_of_the_template_hold(house: House) -> None:
    """Five sends a day, tests among them."""
    await put(house)
    for _ in range(5):
        await issue(house)
    with pytest.raises(RateLimitedError) as refused:
        await issue(house)

    assert "phone_number" == refused.value.details["rule"]


async def test_a_resend_has_the_fixed_code(house: House) -> None:
    """Its event says so, and nothing is sent."""
    await put(house)
    sent = await issue(house)
    again = await house.service.resending.resend(house.by, sent.pin_id, ResendRequest())
    history = [each.event for each in await house.store.read_stream(sent.pin_id)]

    assert f"test:{sent.pin_id}:2:sms" == again.channels[0].provider_message_id
    assert [True] == [each.test for each in history if isinstance(each, PinResent)]
    assert [] == house.provider.messages
    await verify(house, sent)


async def test_what_is_a_test_is_decided_send_by_send(house: House) -> None:
    """A PIN that was sent to an ordinary destination becomes a test by its resend, and the reverse."""
    sent = await issue(house)
    await put(house, days=1)
    await house.service.resending.resend(house.by, sent.pin_id, ResendRequest())
    account_id = house.by.account_id
    tested = (await house.service.verifications.get(account_id, sent.pin_id)).test
    assert 1 == len(house.provider.messages)
    house.clock.move(timedelta(days=1).total_seconds())
    await house.service.resending.resend(house.by, sent.pin_id, ResendRequest())
    after = (await house.service.verifications.get(account_id, sent.pin_id)).test
    dispatched = [
        each.event
        for each in await house.store.read_stream(sent.pin_id)
        if isinstance(each.event, PinDispatched)
    ]

    assert (True, False) == (tested, after)
    assert [False, True, False] == [each.test for each in dispatched]
    assert 2 == len(house.provider.messages)
    await verify(house, sent, house.code())


async def test_after_its_end_a_destination_is_an_ordinary_one(house: House) -> None:
    """Codes are sent to it, and the fixed one verifies nothing, for PINs of before either."""
    await put(house, days=1)
    house.clock.move(timedelta(days=1).total_seconds() - 60)
    before = await issue(house, await second_template(house))
    house.clock.move(60)
    after = await issue(house)

    for each in (before, after):
        with pytest.raises(PinIncorrectError):
            await verify(house, each)
    await verify(house, after, house.code())


async def test_a_removed_code_verifies_nothing_at_once(house: House) -> None:
    """On every node, and for PINs that were created before (D-404)."""
    other = node_on(house)
    view, _ = await put(house)
    sent, second = await issue(other), await issue(other, await second_template(house))
    await verify(other, second)
    await house.service.test_destinations.remove(house.by, view.id)

    with pytest.raises(PinIncorrectError):
        await verify(other, sent)
    await issue(other)
    assert 1 == len(house.provider.messages)


async def test_a_create_that_met_a_revision_has_the_new_code(house: House) -> None:
    """The guard moved on while the create was decided, on another node (D-401)."""
    other = node_on(house)
    await put(house)
    house.store.meanwhile = lambda: put(other, code="0987654321")
    sent = await issue(house)

    with pytest.raises(PinIncorrectError):
        await verify(house, sent)
    await verify(house, sent, "0987654321")


async def test_a_create_that_met_the_first_one_is_a_test(house: House) -> None:
    """The account had none, and the destination is known already."""
    await issue(house)
    house.store.meanwhile = lambda: put(node_on(house))
    sent = await issue(house)

    assert 1 == len(house.provider.messages)
    await verify(house, sent)


async def test_a_create_that_met_a_removal_is_sent(house: House) -> None:
    """No create uses a code that is not there any more."""
    other = node_on(house)
    view, _ = await put(house)
    house.store.meanwhile = lambda: other.service.test_destinations.remove(house.by, view.id)
    sent = await issue(house)

    assert 1 == len(house.provider.messages)
    with pytest.raises(PinIncorrectError):
        await verify(house, sent)
    await verify(house, sent, house.code())


async def test_a_guess_that_met_a_removal_is_wrong(house: House) -> None:
    """It was right when it was compared; when it was to be recorded, the code was gone."""
    other = node_on(house)
    view, _ = await put(house)
    sent = await issue(house)
    house.store.meanwhile = lambda: other.service.test_destinations.remove(house.by, view.id)

    with pytest.raises(PinIncorrectError):
        await verify(house, sent)


async def test_where_somebody_verified_meanwhile_codes_are_sent(house: House) -> None:
    """A code that was sent before is verified after: then the fixed one opens nothing."""
    before = await issue(house)
    code = house.code()
    await put(house)
    waiting = await issue(house, template_id=await second_template(house))
    await verify(house, before, code)

    with pytest.raises(PinIncorrectError):
        await verify(house, waiting)
    sent = await issue(house)
    assert 2 == len(house.provider.messages)
    await verify(house, sent, house.code())


async def test_no_other_rule_of_the_guard_counts(house: House) -> None:
    """All rules would refuse the second send, and tests are under none of them; real sends are."""
    await house.service.managing_guard.put(house.by, STRICT)
    await put(house)
    for _ in range(3):
        await verify(house, await issue(house))
    sent = await house.issue()

    assert 1 == len(house.provider.messages)
    assert PinStatus.PENDING is sent.status
    with pytest.raises(RateLimitedError) as refused:
        await house.issue()
    assert "unverified.country" == refused.value.details["rule"]


async def test_guesses_against_a_test_are_counted(house: House) -> None:
    """As against any destination, over all its PINs; the right code begins anew."""
    await house.service.managing_guard.put(
        house.by, GuardPolicy(guesses=Budgeted(mode=Mode.ENFORCE, limit=Rate("4/1d")))
    )
    await put(house)
    first, second = await issue(house), await issue(house, await second_template(house))
    for sent in (first, first, second, second):
        with pytest.raises(PinIncorrectError):
            await verify(house, sent, "0000000000")
    with pytest.raises(RateLimitedError) as refused:
        await verify(house, second)

    assert "guesses" == refused.value.details["rule"]


async def test_a_test_earns_no_pass_and_gives_nothing_back(house: House) -> None:
    """What a PIN's real send counted stays counted when the fixed code verifies it (C-103)."""
    await house.service.managing_guard.put(house.by, STRICT)
    sent = await issue(house)
    await put(house, days=0.01)
    await house.service.resending.resend(house.by, sent.pin_id, ResendRequest())
    await verify(house, sent)
    view, _ = await put(house, days=0.01)
    await house.service.test_destinations.remove(house.by, view.id)

    assert 1 == len(house.provider.messages)
    with pytest.raises(RateLimitedError) as refused:
        await issue(house)
    assert "unverified.country" == refused.value.details["rule"]


async def test_a_create_that_is_repeated_has_one_answer(house: House) -> None:
    """Under an Idempotency-Key, as any; the answer is saved."""
    await put(house)
    await issue(house, once="first")

    with pytest.raises(KeyAnswered):
        await issue(house, once="first")
    assert 1 == len(await house.pins())


async def test_a_rotation_wraps_the_codes_anew(house: House) -> None:
    """A node that lacks the version cannot make a PIN; another code would be one that nobody knows."""
    view, _ = await put(house)
    newest = FixedCodes(house.service.journal, AesGcmSealer(NEWEST), SecretRandomness())
    with pytest.raises(UnavailableError):
        await newest.code_for(view.id, POLICY)
    await rotate(house.store)

    assert CODE == await newest.code_for(view.id, POLICY)


async def second_template(house: House) -> str:
    """Make another template with the same codes, so that no PIN takes the place of another."""
    template = await house.service.pin_templates.create(
        house.by, name="again", policy=POLICY, channels=[ChannelEntry(channel_type=Channel.SMS)]
    )
    return template.id
