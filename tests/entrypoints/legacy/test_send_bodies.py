"""Mistakes in a send of the legacy platform (C-43)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.entrypoints.legacy.bodies import AGAIN, OPEN, PICTURE, TEXT
from watchword.domain.errors import camel
from watchword.entrypoints.legacy.send_bodies import read_send
from watchword.entrypoints.messaging.problems import Problems


@pytest.mark.parametrize(
    ("more", "wrong"),
    [
        (
            dict.fromkeys(("senderPhone", "recipientPhone", "journeyId", "templateId")),
            ["senderPhone", "recipientPhone", "journeyId", "templateId"],
        ),
        ({"recipientPhone": "+49\n151"}, ["recipientPhone"]),
        ({"recipientPhone": 4915112345610}, ["recipientPhone"]),
        ({"journeyId": "x" * 201, "departmentId": 7}, ["journeyId", "departmentId"]),
        ({"tags": {"tag1": 1, "tag2": "x" * 201, "tag4": 4}}, ["tags.tag1", "tags.tag2"]),
        ({"tags": ["tea"]}, ["tags"]),
        ({"bodyVariables": {"1": "a", "3": "b"}}, ["bodyVariables"]),
        (
            {"bodyVariables": {"0": "a"}, "headerVariables": {"x": "b"}},
            ["headerVariables", "bodyVariables"],
        ),
        ({"bodyVariables": ["a"]}, ["bodyVariables"]),
        ({"bodyVariables": {"1": 7}}, ["bodyVariables.1"]),
        ({"bodyVariables": {"1": "x" * 1_001}}, ["bodyVariables"]),
        ({"media": {"type": "image", "url": ""}}, ["media.type", "media.url"]),
        ({"media": {"type": "AUDIO"}}, ["media.type", "media.url"]),
        ({"media": PICTURE, "headerVariables": {"1": "Tea"}}, ["media"]),
        (
            {"buttons": [OPEN, {"type": "url", "payload": 1}]},
            ["buttons[1].type", "buttons[1].payload"],
        ),
        ({"buttons": [AGAIN] * 11}, ["buttons"]),
        (
            {"cards": [{}, {"media": PICTURE, "buttons": [{}]}]},
            ["cards[0].media", "cards[1].buttons[0].type"],
        ),
        ({"cards": [{"media": PICTURE}] * 11}, ["cards"]),
        ({"cards": [{"media": PICTURE, "bodyVariables": {"2": "a"}}]}, ["cards[0].bodyVariables"]),
    ],
    ids=lambda given: ",".join(map(str, given))[:40],
)
def test_every_wrong_field_is_named(more: dict[str, Any], wrong: list[str]) -> None:
    """All at once, by their paths."""
    problems = Problems()
    read_send(
        {**TEXT, **{name: value for name, value in more.items() if value is not None}}, problems
    )
    if None in more.values():
        problems = Problems()
        read_send({}, problems)

    assert wrong == [camel(each.field) for each in problems.found]


@pytest.mark.parametrize("raw", [[], None, "tea", 7])
def test_what_is_no_object_is_told(raw: Any) -> None:
    """The whole body is named."""
    problems = Problems()

    assert read_send(raw, problems) is None
    assert ["body"] == [each.field or "body" for each in problems.found]
