"""A fallback configuration: one or two steps under the caller's own word (C-35, C-52)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from attrs import evolve

from tests.specs import given
from watchword.domain.accounts.fallback_configuration import (
    FallbackConfigurationCreated,
    create,
    fallback_name,
)
from watchword.domain.conditions import SoleHolder
from watchword.domain.errors import ValidationFailedError

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
CREATED = FallbackConfigurationCreated(
    at=NOON, account_id="account-orchid", fallback_id="tea-time", steps=("sms", "rcs")
)
ADAPTERS = ("pigeon",)


def test_a_configuration_is_recorded_under_its_own_word() -> None:
    """On the condition that no other configuration of the account has the word."""
    (
        given()
        .when(create, "fbc-tea", CREATED, ADAPTERS)
        .then(CREATED)
        .on_condition(SoleHolder(fallback_name("account-orchid", "tea-time"), "fbc-tea"))
        .leaving(
            account_id="account-orchid",
            fallback_id="tea-time",
            steps=("sms", "rcs"),
            created_at=NOON,
        )
    )


@pytest.mark.parametrize("steps", [("sms",), ("whatsapp", "rcs"), ("pigeon",), ("pigeon", "rcs")])
def test_a_step_is_a_channel_or_a_registered_adapter(steps: tuple[str, ...]) -> None:
    """One or two of them (C-52)."""
    created = evolve(CREATED, steps=steps)
    given().when(create, "fbc-tea", created, ADAPTERS).then(created)


@pytest.mark.parametrize("word", ["t", "t" * 64, "été-☕", "a.b:c/d"])
def test_the_word_is_the_callers_own(word: str) -> None:
    """1 to 64 visible characters."""
    created = evolve(CREATED, fallback_id=word)
    given().when(create, "fbc-tea", created, ADAPTERS).then(created)


@pytest.mark.parametrize(
    ("wrong", "fields"),
    [
        ({"fallback_id": ""}, ["fallback_id"]),
        ({"fallback_id": "t" * 65}, ["fallback_id"]),
        ({"fallback_id": "tea time"}, ["fallback_id"]),
        ({"fallback_id": "tea\u00a0time"}, ["fallback_id"]),
        ({"fallback_id": "tea\n"}, ["fallback_id"]),
        ({"fallback_id": "tea\u200b"}, ["fallback_id"]),
        ({"steps": ()}, ["steps"]),
        ({"steps": ("sms", "rcs", "whatsapp")}, ["steps"]),
        ({"steps": ("email",)}, ["steps[0]"]),
        ({"steps": ("sms", "sms")}, ["steps"]),
        ({"steps": ("sms", "fax")}, ["steps[1]"]),
        ({"steps": ("wa", "raven"), "fallback_id": ""}, ["steps[0]", "steps[1]", "fallback_id"]),
    ],
)
def test_all_that_is_wrong_is_named(wrong: dict[str, object], fields: list[str]) -> None:
    """Ambiguous words, steps that lead nowhere, and too many steps are all named."""
    created = evolve(CREATED, **wrong)  # type: ignore[arg-type]  # fields by name, of their types
    refusal = given().when(create, "fbc-tea", created, ADAPTERS).refuses(ValidationFailedError)

    assert fields == [problem.field for problem in refusal.problems]
