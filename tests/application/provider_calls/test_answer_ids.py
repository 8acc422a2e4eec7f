"""The ids in providers' answers are stored and shown: what is no id makes the outcome unknown (D-243)."""

from __future__ import annotations

import pytest

from watchword.application.ports.channels import Accepted, Rejected, Unknown
from watchword.application.provider_calls.outcomes import MAX_ID, Answer, checked, unquoted

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


def unveiled(refusal: Rejected) -> Rejected:
    """Hide nothing."""
    return refusal


@pytest.mark.parametrize("wrong", ["a" * (MAX_ID + 1), "a\nb", "a\x1b[2J", "a\0", "\ud800"])
def test_an_id_is_one_short_line(wrong: str) -> None:
    """Indexes hold no long one, and terminals obey controls."""
    for answer in (Accepted(wrong), Unknown("", "", wrong)):
        kept = checked(answer, unveiled)

        assert isinstance(kept, Unknown)
        assert kept.provider_message_id is None


@pytest.mark.parametrize("right", ["a" * MAX_ID, "<a b@c>", "\u0939\u200d1"])
def test_any_short_line_may_be_an_id(right: str) -> None:
    """Providers choose the form of their ids."""
    assert Accepted(right) == checked(Accepted(right), unveiled)
