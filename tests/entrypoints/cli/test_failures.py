"""Refusals on the command line: they say what to type next, and name no route."""

from __future__ import annotations

import re

import click
import pytest

from tests.entrypoints.cli.test_help import commands
from watchword.application.ports.event_store import StoreUnavailable
from watchword.domain.channel import Channel
from watchword.domain.errors import NotFoundError, UnknownIdError
from watchword.domain.template_filling import MessageTemplateNotFoundError
from watchword.entrypoints.cli.service.failures import expected_failures

_KINDS = UnknownIdError.__subclasses__()


@pytest.mark.parametrize(
    "refusal",
    [
        *(kind() for kind in _KINDS),
        MessageTemplateNotFoundError(Channel.RCS, "teas"),
        MessageTemplateNotFoundError(Channel.WHATSAPP, "teas"),
    ],
    ids=lambda refusal: type(refusal).__name__,
)
def test_what_can_be_listed_is_looked_up_by_a_command(refusal: NotFoundError) -> None:
    """The sentence names the command that lists the kind, whichever kind it is."""
    with pytest.raises(click.ClickException) as told, expected_failures():
        raise refusal

    named = re.search(r"Look it up in `watchword ([a-z -]+)`\.$", told.value.message)
    assert named is not None, told.value.message
    words = tuple(word for word in named[1].split() if not word.startswith("--"))
    assert words in set(commands())


def test_no_failure_steers_a_terminal() -> None:
    """The words of a damaged store or another service are printed letter by letter."""
    with pytest.raises(click.ClickException) as told, expected_failures():
        raise StoreUnavailable("no \x1b[2J such \x9b31m text")

    assert r"no \x1b[2J such \x9b31m text" == told.value.message
