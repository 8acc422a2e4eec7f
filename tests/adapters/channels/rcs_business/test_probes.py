"""What a test of a channel account says before its send: the log-in, and the number (C-67)."""

from __future__ import annotations

import pytest

from tests.adapters.channels.rcs_business.google import (
    AGENT,
    FEATURES,
    WITHOUT_RCS,
    Google,
    config_at,
    error,
)
from watchword.adapters.channels.rcs_business import RcsBusinessProvider
from watchword.application.ports.channels import Connected, Fault, Rejected
from watchword.testing import HttpAnswer

NUMBER = "+447700900123"


async def test_a_log_in_says_where_and_for_which_agent(
    provider: RcsBusinessProvider, google: Google
) -> None:
    """It logs in, connects to the service and sends nothing."""
    answer = await provider.probe(config_at(google.url))

    assert Connected(f"127.0.0.1:{google.web.port} without TLS, agent {AGENT}") == answer
    assert 1 == google.log_ins
    assert [] == google.requests("POST")


async def test_a_refused_log_in_is_a_rejection(
    provider: RcsBusinessProvider, google: Google
) -> None:
    """With the code that a send would have."""
    google.log_in = HttpAnswer.json({"error": "invalid_grant"}, 400)
    answer = await provider.probe(config_at(google.url))

    assert isinstance(answer, Rejected)
    assert ("rcs_log_in_refused", Fault.ACCOUNT) == (answer.code, answer.fault)


async def test_a_service_that_is_away_is_a_rejection(
    provider: RcsBusinessProvider, google: Google
) -> None:
    """The log-in works, and the address of the service is wrong."""
    answer = await provider.probe(config_at(google.url) | {"baseUrl": "http://127.0.0.1:9"})

    assert isinstance(answer, Rejected)
    assert ("rcs_connect_failed", Fault.AWAY) == (answer.code, answer.fault)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (NUMBER, f"the number takes RCS: {', '.join(FEATURES)}"),
        (f"+44770090{WITHOUT_RCS}", "the number takes no RCS messages of this agent"),
        ("rosa", "whether the number takes RCS is not known"),
    ],
)
async def test_the_features_of_a_number_are_told(
    provider: RcsBusinessProvider, google: Google, number: str, words: str
) -> None:
    """Google is asked for them in tests alone."""
    assert words == await provider.reachability(config_at(google.url), number)
    assert {} == google.taken


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (HttpAnswer.json({}), "the number takes RCS"),
        (HttpAnswer.json({"features": 7}), "the number takes RCS"),
        (HttpAnswer.json({"features": ["DIAL", f"{NUMBER}"]}), "the number takes RCS: DIAL"),
        (error(403, "PERMISSION_DENIED", NUMBER), "is not known: the answer was 403"),
        (HttpAnswer(status=500), "is not known: the answer was 500"),
        (HttpAnswer(body=b"["), "is not known: the answer was 200"),
        (HttpAnswer(cut_at=0), "whether the number takes RCS is not known"),
    ],
)
async def test_an_odd_answer_about_a_number_is_told_in_our_words(
    provider: RcsBusinessProvider, google: Google, answer: HttpAnswer, words: str
) -> None:
    """And no number of Google's answer."""
    config = config_at(google.url)
    await provider.probe(config)
    google.web.says(answer)
    said = await provider.reachability(config, NUMBER)

    assert said.endswith(words)
    assert NUMBER not in said
