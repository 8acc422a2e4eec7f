"""Channels, and what counts as accepted or rejected (C-15, C-40)."""

import pytest

from watchword.domain.channel import PIN_CHANNELS, Channel, ChannelOutcome, OutcomeStatus


@pytest.mark.parametrize(
    ("status", "error_code", "accepted", "refused"),
    [
        ("accepted", None, True, False),
        ("rejected", "no_such_table", False, True),
        ("unknown", "provider_timeout", False, True),
        ("unknown", "dispatch_interrupted", False, False),
    ],
)
def test_outcomes(status: str, error_code: str | None, accepted: bool, refused: bool) -> None:
    """Silence until the time-out counts as rejected; an interrupted dispatch as neither."""
    outcome = ChannelOutcome(
        channel=Channel.SMS, status=OutcomeStatus(status), error_code=error_code
    )

    assert (accepted, refused) == (outcome.accepted, outcome.refused)


def test_channels_have_one_name_each() -> None:
    """The names of every answer; a PIN does not travel by RCS."""
    assert ["sms", "whatsapp", "rcs", "email"] == [str(channel) for channel in Channel]
    assert ("sms", "whatsapp", "email") == PIN_CHANNELS
