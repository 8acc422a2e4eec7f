"""A short link: its clicks up to the last counted one, and its targets."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from attrs import evolve

from tests.specs import given, state_after
from watchword.domain.event import personal_fields, secret_fields
from watchword.domain.short_link import (
    CODE_ALPHABET,
    CODE_LENGTH,
    MAX_CLICKS,
    ShortLink,
    ShortLinkClicked,
    ShortLinkCreated,
    ShortLinkDisabled,
    ShortLinkEnabled,
    ShortLinkNotFoundError,
    click,
    create,
    disable,
    enable,
    is_code,
    is_web_address,
    link_id,
    short_link_decider,
)

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
LATER = datetime(2031, 5, 4, 13, tzinfo=UTC)
CREATED = ShortLinkCreated(
    at=NOON, account_id="acc_tea", message_id="msg_tea", url="https://tea.example"
)


def test_a_click_names_the_message_and_the_address() -> None:
    """A callback about the click needs both."""
    link = short_link_decider.fold(create(CREATED).events)
    clicked = click(link, LATER).events

    expected = ShortLinkClicked(at=LATER, message_id="msg_tea", url="https://tea.example", clicks=1)
    assert (expected,) == clicked
    assert evolve(link, clicks=1, clicked_at=LATER) == short_link_decider.fold(clicked, link)


def test_clicks_are_counted_to_a_bound() -> None:
    """Endless clicks store nothing more (D-77)."""
    link: ShortLink = state_after(CREATED)

    assert click(evolve(link, clicks=MAX_CLICKS - 1), NOON).events
    assert () == click(evolve(link, clicks=MAX_CLICKS), NOON).events


def test_a_code_cannot_be_guessed_nor_read_off_its_link() -> None:
    """It has more than the 64 bits of C-29, and its link's id does not reveal it."""
    code = "Ab3" + "x" * (CODE_LENGTH - 3)

    assert len(set(CODE_ALPHABET)) ** CODE_LENGTH > 2**95
    assert code not in link_id(code)
    assert link_id(code) == link_id(code) != link_id(code.swapcase())


@pytest.mark.parametrize(
    "text", ["", "x" * 15, "x" * 17, "x" * 15 + "-", "é" * 16, "x" * 15 + "\n"]
)
def test_what_is_no_code_is_known_at_once(text: str) -> None:
    """The store is not asked for it."""
    assert not is_code(text)
    assert is_code("x" * 16)


def test_an_address_says_something_about_a_person() -> None:
    """It is masked on request; a sealed address is never shown."""
    assert ["url"] == list(personal_fields(ShortLinkCreated))
    assert ["url"] == list(personal_fields(ShortLinkClicked))
    assert ["sealed"] == list(secret_fields(ShortLinkCreated))


@pytest.mark.parametrize("host", ["0", "9", "0.example", "tea0", "tea.0", "10.0.0.1", "[::0]", "t"])
def test_a_host_has_digits_too(host: str) -> None:
    """From the first to the last, at its beginning and end."""
    assert is_web_address(f"https://{host}/")
    assert is_web_address(f"https://{host}:0")


@pytest.mark.parametrize(
    "host", ["", "-", "-0", "0-", "_0", "0_", "[]", "[0", "[::g]", "a@0", "0:"]
)
def test_what_is_no_host(host: str) -> None:
    """An empty text, a dash at either end, half a bracket, a user."""
    assert not is_web_address(f"https://{host}/")


def test_an_address_has_at_most_2048_characters() -> None:
    """The last that fits fits."""
    longest = "https://tea.example/".ljust(2_048, "a")

    assert is_web_address(longest)
    assert not is_web_address(longest + "a")


def test_a_link_is_disabled_and_enabled() -> None:
    """Both count, as the stream's version follows from the counts; a second time moves nothing (C-95)."""
    disabled, enabled = ShortLinkDisabled(at=LATER), ShortLinkEnabled(at=LATER)

    given(CREATED).when(disable, LATER).then(disabled).leaving(switches=1, disabled_at=LATER)
    given(CREATED).when(enable, LATER).then()
    given(CREATED, disabled).when(disable, LATER).then()
    given(CREATED, disabled).when(click, LATER).refuses(ShortLinkNotFoundError)
    given(CREATED, disabled).when(enable, LATER).then(enabled).leaving(switches=2, disabled_at=None)
