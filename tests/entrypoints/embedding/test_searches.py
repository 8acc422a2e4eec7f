"""Embedders narrow a search by every filter that callers have (D-179)."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any

import pytest
from attrs import AttrsInstance

from watchword.application.messages.looking_up.searching_messages import MessageSearch
from watchword.application.pins.searching_verifications import VerificationSearch
from watchword.application.searches import filters_of
from watchword.entrypoints.embedding.messages import Messages
from watchword.entrypoints.embedding.pins import Pins
from watchword.entrypoints.messaging.message_questions import HistoryQuestion


@pytest.mark.parametrize(
    ("method", "search"),
    [
        (Messages.list, MessageSearch),
        (Messages.history, HistoryQuestion),
        (Pins.list, VerificationSearch),
    ],
)
def test_each_filter_of_a_search_is_an_argument(
    method: Callable[..., Any], search: type[AttrsInstance]
) -> None:
    """A filter that a search gains is an argument of its method; an account is given by a reference."""
    filters = {each.name for each in filters_of(search)} - {"account_id"}

    assert set() == (filters | {"account"}) - signature(method).parameters.keys()
