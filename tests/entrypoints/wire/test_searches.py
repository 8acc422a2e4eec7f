"""Searches: each class alone defines its query, its options and its parameters in the document."""

from __future__ import annotations

from functools import partial

import pytest

from tests.entrypoints.openapi.described import Document, Operation
from watchword.application.messages.looking_up.searching_messages import MessageSearch
from watchword.application.pins.managing_pin_templates import TemplateSearch
from watchword.application.pins.searching_verifications import VerificationSearch
from watchword.domain.channel import Channel
from watchword.domain.errors import ValidationFailedError
from watchword.entrypoints.messaging.message_questions import HistoryQuestion, report_question
from watchword.entrypoints.messaging.opt_list_questions import OptListPage
from watchword.entrypoints.wire.searches import (
    names_of,
    parameters,
    read_query,
    verification_search,
)
from watchword.entrypoints.wire.structuring import structure

PAGE = {"page", "pageSize"}
SEARCHES = [
    ("/admin/v1/verifications", VerificationSearch, set()),
    ("/admin/v1/messages", MessageSearch, set()),
    ("/history", HistoryQuestion, set()),
    ("/opt/in/wa", OptListPage, set()),
    ("/admin/v1/pin-templates", TemplateSearch, {"account"}),
]
report = partial(report_question, third_parties=())


@pytest.mark.parametrize(("path", "search", "more"), SEARCHES)
def test_the_document_has_the_parameters_of_the_search(
    path: str, search: type, more: set[str]
) -> None:
    """A filter that is added to a class is read of queries at once, and has to be described."""
    described = set(Document.read().query_names(Operation("get", path)))

    assert described - PAGE == {*names_of(search)} | more


@pytest.mark.parametrize("search", [each for _, each, _ in SEARCHES])
def test_every_filter_says_what_it_finds(search: type) -> None:
    """In a sentence, which commands and the document show."""
    assert all(each.finds.endswith(".") for each in parameters(search))


def test_a_query_names_some_filters_in_its_own_way() -> None:
    """`from` and `to` are words of Python, and `account` is an id or a name."""
    given = {"from": "2031-05-01", "account": "demo", "status": "BLOCKED", "channel": "wa"}
    search = read_query(given, VerificationSearch, verification_search)

    assert "demo" == search.account_id
    assert Channel.WHATSAPP is search.channel
    assert search.since is not None


def test_a_refusal_names_a_filter_as_the_query_does() -> None:
    """Not by the field that it is read to."""
    with pytest.raises(ValidationFailedError) as refusal:
        read_query({"from": "tea", "status": "hot"}, VerificationSearch, verification_search)

    assert {"from", "status"} == {each.path for each in refusal.value.problems}


def test_of_two_names_of_one_filter_the_documented_one_counts() -> None:
    """The report's `channelType` is `channel` in all other searches."""
    both = read_query({"channel": "sms", "channelType": "rcs"}, MessageSearch, report)
    other = read_query({"channel": "sms"}, MessageSearch, report)

    assert ["rcs", "sms"] == [both.channel_type, other.channel_type]


def test_a_number_is_read_of_a_query_and_nothing_else_is_one() -> None:
    """A text that is no whole number is refused as that text."""
    read = partial(structure, kind=OptListPage)

    assert 2 == read_query({"pageNo": "2"}, OptListPage, read).page_no
    with pytest.raises(ValidationFailedError):
        read_query({"pageNo": "two"}, OptListPage, read)
