"""Channels, and which outcomes count as accepted or rejected (C-15, C-68)."""

import pytest

from watchword.domain.channel import (
    PIN_CHANNELS,
    Channel,
    ChannelOutcome,
    OutcomeStatus,
    any_may_arrive,
)


@pytest.mark.parametrize(
    ("status", "error_code", "accepted", "refused", "doubtful"),
    [
        ("accepted", None, True, False, False),
        ("rejected", "no_such_table", False, True, False),
        ("unknown", "provider_timeout", False, False, True),
        ("unknown", "provider_unknown", False, False, True),
        ("unknown", "dispatch_interrupted", False, False, False),
    ],
)
def test_outcomes(
    status: str, error_code: str | None, accepted: bool, refused: bool, doubtful: bool
) -> None:
    """Unknown is no rejection (C-68); nobody got an answer for an interrupted dispatch."""
    outcome = ChannelOutcome(
        channel=Channel.SMS, status=OutcomeStatus(status), error_code=error_code
    )

    assert (accepted, refused, doubtful) == (outcome.accepted, outcome.refused, outcome.doubtful)
    assert (refused or doubtful) == outcome.counts_as_rejected
    assert (accepted or doubtful) == any_may_arrive([outcome])


def test_channels_have_one_name_each() -> None:
    """The names of every answer; a PIN does not travel by RCS."""
    assert ["sms", "whatsapp", "rcs", "email"] == [str(channel) for channel in Channel]
    assert ("sms", "whatsapp", "email") == PIN_CHANNELS
