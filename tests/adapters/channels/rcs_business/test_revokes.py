"""Revokes: taken back, arrived, or nobody knows; then the fallback fires (C-20, D-289)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.adapters.channels.rcs_business.google import AGENT, Google, config_at, error
from watchword.adapters.channels.rcs_business import RcsBusinessProvider
from watchword.adapters.channels.rcs_business.agent_messages import message_id_of
from watchword.application.ports.channels import SentMessage
from watchword.domain.channel import Channel
from watchword.domain.fallback_run import RevokeOutcome
from watchword.testing import FakeContext, HttpAnswer, a_message

SENT = a_message(1, channel=Channel.RCS)
ID = message_id_of(SENT.reference)
NOW = FakeContext().now()


def sent(**more: Any) -> SentMessage:
    """Return the message as a revoke names it."""
    given = {"provider_message_id": ID, **more}
    return SentMessage(reference=SENT.reference, destination=SENT.destination, **given)


async def test_a_message_that_has_not_arrived_is_taken_back(
    provider: RcsBusinessProvider, google: Google
) -> None:
    """By its number, its id and the agent, with an empty body."""
    config = config_at(google.url)
    await provider.send(config, SENT)
    outcome = await provider.revoke(config, Channel.RCS, sent())
    (request,) = google.requests("DELETE")

    assert RevokeOutcome.REVOKED is outcome
    assert {ID} == google.revoked
    assert f"/v1/phones/{SENT.destination}/agentMessages/{ID}" == request.path
    assert {"agentId": AGENT} == request.query
    assert provider.can_revoke(Channel.RCS)
    assert not provider.can_revoke(Channel.SMS)


async def test_after_a_crash_our_reference_finds_the_message(
    provider: RcsBusinessProvider, google: Google
) -> None:
    """Nobody recorded an id, and it is made of the reference."""
    config = config_at(google.url)
    await provider.send(config, SENT)
    outcome = await provider.revoke(
        config, Channel.RCS, sent(provider_message_id=None, outcome_unknown=True)
    )

    assert RevokeOutcome.REVOKED is outcome


def after(seconds: float) -> datetime:
    """Return a time so long before the service's, at which the message ended for us."""
    return NOW - timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("doubt", "outcome"),
    [
        ({}, RevokeOutcome.DELIVERED),
        ({"expires_at": after(-60)}, RevokeOutcome.DELIVERED),
        ({"expires_at": after(0)}, RevokeOutcome.DELIVERED),
        ({"expires_at": after(10)}, RevokeOutcome.DELIVERED),
        # Google may have let it expire: its end is 30 s after ours.
        ({"expires_at": after(15)}, RevokeOutcome.NOT_REVOKED),
        ({"expires_at": after(3_600)}, RevokeOutcome.NOT_REVOKED),
        # Google may never have had it.
        ({"outcome_unknown": True}, RevokeOutcome.NOT_REVOKED),
        # A process that died may have taken it back.
        ({"asked_before": True}, RevokeOutcome.NOT_REVOKED),
        ({"outcome_unknown": True, "expires_at": after(-60)}, RevokeOutcome.NOT_REVOKED),
    ],
)
async def test_a_message_that_google_does_not_have_has_arrived_unless_there_is_doubt(
    provider: RcsBusinessProvider, google: Google, doubt: Any, outcome: RevokeOutcome
) -> None:
    """In doubt the fallback fires: a person may get both, and never neither (D-289)."""
    config = config_at(google.url)
    await provider.send(config, SENT)
    google.arrived.add(ID)

    assert outcome is await provider.revoke(config, Channel.RCS, sent(**doubt))


@pytest.mark.parametrize(
    "answer",
    [
        error(400, "INVALID_ARGUMENT"),
        error(403, "PERMISSION_DENIED"),
        error(429, "RESOURCE_EXHAUSTED"),
        HttpAnswer(status=500),
        HttpAnswer(status=503),
        HttpAnswer(cut_at=0),
        HttpAnswer.redirect("http://127.0.0.1:9"),
    ],
)
async def test_any_other_answer_is_no_revoke(
    provider: RcsBusinessProvider, google: Google, answer: HttpAnswer
) -> None:
    """The message may still arrive."""
    config = config_at(google.url)
    await provider.send(config, SENT)
    google.web.says(answer)

    assert RevokeOutcome.NOT_REVOKED is await provider.revoke(config, Channel.RCS, sent())


async def test_without_a_log_in_nothing_is_revoked(
    provider: RcsBusinessProvider, google: Google
) -> None:
    """Nor where Google is away."""
    google.log_in = HttpAnswer.json({"error": "invalid_grant"}, 400)
    refused = await provider.revoke(config_at(google.url), Channel.RCS, sent())
    away = await provider.revoke(config_at("http://127.0.0.1:9"), Channel.RCS, sent())

    assert (RevokeOutcome.NOT_REVOKED,) * 2 == (refused, away)
    assert [] == google.requests("DELETE")
