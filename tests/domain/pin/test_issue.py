"""Create a PIN (D1): SPEC section 3, C-15, C-16."""

import pytest

from tests.domain.pin.story import (
    GUEST,
    KETTLE,
    LIVE_CODE,
    POLICY,
    STRANGER,
    TEA_HOUSE,
    ask_for_pin,
    issued,
    second,
)
from tests.specs import given, state_after
from watchword.domain.channel import Channel
from watchword.domain.conditions import Hold, WithinRate
from watchword.domain.pin import Pending, PinStatus, issue, live_code


def test_a_create_is_recorded_with_expiry_and_allowance() -> None:
    """A create records expiry, attempts and verify limit, as the template sets them now."""
    given().when(issue, ask_for_pin()).then(issued())


def test_a_new_pin_is_pending() -> None:
    """A created PIN is PENDING, with attemptsRemaining set from pinAttempts."""
    pin = state_after(issued())

    assert Pending() == pin.life
    assert PinStatus.PENDING == pin.status_at(second(0))
    assert 3 == pin.attempts_remaining
    assert second(600) == pin.expires_at


def test_a_create_must_fit_both_rates_and_joins_the_candidates_for_the_live_code() -> None:
    """A send counts per template and per template and destination, and retires no PIN yet."""
    given().when(issue, ask_for_pin()).on_condition(
        WithinRate(f"sends:{TEA_HOUSE}", POLICY.send_pin_per_template_limit, second(0)),
        WithinRate(f"sends:{TEA_HOUSE}:{GUEST}", POLICY.send_pin_per_phone_number_limit, second(0)),
        Hold(LIVE_CODE, KETTLE),
    )


def test_one_request_is_one_send() -> None:
    """A create on three channels counts as often as one on a single channel."""
    one = issue(ask_for_pin(Channel.SMS))
    three = issue(ask_for_pin(Channel.SMS, Channel.WHATSAPP, Channel.EMAIL))

    assert one.conditions == three.conditions


@pytest.mark.parametrize("spelling", ["+91 98123 45610", "0091-98123-45610", " 919812345610 "])
def test_spellings_of_a_destination_share_limits_and_live_code(spelling: str) -> None:
    """Limits and the live code go by the person; the destination is kept as given."""
    plain, spelt = issue(ask_for_pin()), issue(ask_for_pin(destination=spelling))

    assert plain.conditions == spelt.conditions
    assert spelling == state_after(*spelt.events).destination


def test_other_templates_have_live_codes_of_their_own() -> None:
    """One live code per template and person: another template's does not compete."""
    assert live_code(TEA_HOUSE, GUEST) != live_code("template-bakery", GUEST)
    assert live_code(TEA_HOUSE, GUEST) != live_code(TEA_HOUSE, STRANGER)
