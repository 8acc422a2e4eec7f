"""An answer's id is stored and shown, so it must not quote a secret of the channel account (D-243)."""

from __future__ import annotations

import pytest

from watchword.application.ports.channels import Accepted, Unknown
from watchword.application.provider_calls.outcomes import Answer, unquoted

SHOWN = {"url": "https://gateway.example", "key": "***"}
CONFIG = {**SHOWN, "key": "3f9c-k1TTEN"}


@pytest.mark.parametrize("answer", [Accepted("id-3f9c-k1TTEN"), Unknown("", "", "3f9c-k1TTEN")])
def test_an_id_with_a_secret_makes_the_outcome_unknown(answer: Answer) -> None:
    """The provider may have taken the message, and nobody can be told its id."""
    kept = unquoted(answer, SHOWN, CONFIG)

    assert isinstance(kept, Unknown)
    assert kept.provider_message_id is None
    assert "k1TTEN" not in f"{kept}"


def test_another_id_stays() -> None:
    """An id without a secret is kept as it is."""
    assert Accepted("their-1") == unquoted(Accepted("their-1"), SHOWN, CONFIG)
