"""A DLT template: registered under its operator's id, until it is removed (C-30)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from attrs import evolve

from tests.specs import given
from watchword.domain.conditions import Release, SoleHolder
from watchword.domain.dlt.template import (
    DltTemplateRegistered,
    DltTemplateRemoved,
    dlt_template_name,
    register,
    remove,
)
from watchword.domain.errors import ValidationFailedError

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
LATER = NOON + timedelta(hours=1)
REGISTERED = DltTemplateRegistered(
    at=NOON,
    account_id="account-orchid",
    template_id="1107161234567890123",
    entity_id="1101456789012345678",
    text="Your tea {#var#} is ready. - TEAHSE",
)
NAME = dlt_template_name("account-orchid", "1107161234567890123")


def test_a_template_is_registered_under_its_operators_id() -> None:
    """On the condition that no other template of the account has it."""
    (
        given()
        .when(register, "dlt-tea", REGISTERED)
        .then(REGISTERED)
        .on_condition(SoleHolder(NAME, "dlt-tea"))
        .leaving(text=REGISTERED.text, created_at=NOON, removed_at=None)
    )


@pytest.mark.parametrize(
    ("wrong", "fields"),
    [
        ({"template_id": ""}, ["template_id"]),
        ({"entity_id": "1" * 65}, ["entity_id"]),
        ({"text": ""}, ["text"]),
        ({"text": "x" * 4_097, "entity_id": ""}, ["entity_id", "text"]),
    ],
)
def test_all_that_is_wrong_is_named(wrong: dict[str, str], fields: list[str]) -> None:
    """Nothing empty, and nothing longer than a send could match."""
    registered = evolve(REGISTERED, **wrong)  # type: ignore[arg-type]  # fields by name
    refusal = given().when(register, "dlt-tea", registered).refuses(ValidationFailedError)

    assert fields == [problem.field for problem in refusal.problems]


def test_a_removed_template_frees_its_id() -> None:
    """It can be registered again, with another text."""
    (
        given(REGISTERED)
        .when(remove, "dlt-tea", LATER)
        .then(DltTemplateRemoved(at=LATER))
        .on_condition(Release(NAME, "dlt-tea"))
        .leaving(removed_at=LATER)
    )


def test_a_template_is_removed_once() -> None:
    """A second removal changes nothing, and frees nothing that others hold by now."""
    given(REGISTERED, DltTemplateRemoved(at=NOON)).when(remove, "dlt-tea", LATER).nothing()
