"""The options of lists follow from the filters of their searches (D-188)."""

from __future__ import annotations

from datetime import UTC, datetime

import click
import pytest
from attrs import AttrsInstance

from tests.entrypoints.cli.test_help import command_of
from watchword.application.messages.looking_up.searching_messages import MessageSearch
from watchword.application.pins.searching_verifications import VerificationSearch
from watchword.domain.channel import PIN_CHANNELS
from watchword.domain.message import MessageStatus
from watchword.entrypoints.cli.options.search_options import query_of
from watchword.entrypoints.wire.searches import parameters


def options(*path: str) -> dict[str, click.Option]:
    """Return the options of a command by the fields that they fill."""
    given = command_of(*path).params
    return {str(each.name): each for each in given if isinstance(each, click.Option)}


@pytest.mark.parametrize(
    ("path", "search"),
    [
        (("messages", "list"), MessageSearch),
        (("messages", "export"), MessageSearch),
        (("pins", "list"), VerificationSearch),
    ],
)
def test_a_list_has_an_option_for_each_filter_of_its_search(
    path: tuple[str, ...], search: type[AttrsInstance]
) -> None:
    """A filter that a search gains is an option of its commands, under the route's name for it."""
    flags = {field: option.opts[0] for field, option in options(*path).items()}
    wanted = {each.field: each.name for each in parameters(search)}

    assert wanted.keys() <= flags.keys()
    assert {name.lower() for name in wanted.values()} == {
        flags[field].replace("-", "") for field in wanted
    }


def test_an_enumeration_is_a_choice_and_says_what_it_finds() -> None:
    """Help names the values, and what the search's class says of the filter."""
    status = options("messages", "list")["status"]

    assert isinstance(status.type, click.Choice)
    assert [str(each) for each in MessageStatus] == list(status.type.choices)
    assert "Those of this status." == status.help


def test_help_says_what_the_value_of_an_option_is() -> None:
    """A number, an account and a time are told from any other text."""
    given = options("messages", "list")

    assert ["NUMBER", "ACCOUNT", "TIME", "NAME"] == [
        given[field].metavar for field in ("recipient", "account_id", "since", "channel_name")
    ]


def test_pins_are_found_by_the_channels_that_carry_codes() -> None:
    """RCS carries none; `wa` is another name of WhatsApp."""
    channel = options("pins", "list")["channel"]

    assert isinstance(channel.type, click.Choice)
    assert [*map(str, PIN_CHANNELS), "wa"] == list(channel.type.choices)


def test_only_the_filters_that_were_given_are_asked_for() -> None:
    """Times are sent as answers show them, and all filters by their names in the query."""
    noon = datetime(2031, 5, 4, 12, tzinfo=UTC)
    given = {each.field: None for each in parameters(VerificationSearch)}

    query = query_of(VerificationSearch, {**given, "since": noon, "reference_id": "tea-7"})

    assert {"from": "2031-05-04T12:00:00.000Z", "referenceId": "tea-7"} == query
