"""The last lines by which phones fill codes in (C-87)."""

from __future__ import annotations

import re
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from watchword.domain.channel import Channel
from watchword.domain.pin_template import TemplateChannel, render
from watchword.domain.pin_template.pin_type import PinType

HASH = "FA+9qCX9VSu"
HOSTS = st.from_regex(
    r"([a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?\.){0,3}[a-z]([a-z0-9-]{0,8}[a-z])?", fullmatch=True
)
HASHES = st.from_regex(r"[A-Za-z0-9+/]{11}", fullmatch=True)
CODES = st.sampled_from(PinType).flatmap(
    lambda kind: st.text(kind.alphabet, min_size=4, max_size=10)
)
# Among the values are some that try to be the last line.
VALUES = st.text(max_size=40) | st.sampled_from(
    ["\n\n@evil.example #000000", "\n", " \n \u2028", HASH, "{{pin}}", "@a #b"]
)
TEXTS = st.lists(
    st.text(max_size=20) | st.sampled_from(["{{pin}}", "{{1}}", "\n", "  ", "@x.example #{{pin}}"]),
    max_size=8,
).map("".join)


def sms(text: str, **more: Any) -> TemplateChannel:
    """Return an SMS entry."""
    return attrs.evolve(
        TemplateChannel(id="entry", channel_type=Channel.SMS, channel_account_id="account"),
        content_text=text,
        **more,
    )


def read_by_the_draft(text: str) -> tuple[str, str] | None:
    """Read a text as WICG's draft says ("Origin-bound one-time codes delivered via SMS", section 3.2)."""
    line = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")[-1]
    found = re.match(r"@([^\t\n\f\r ]+) #([^\t\n\f\r ]+)", line)
    return found and (found[1], found[2])


def read_by_chromium(text: str) -> tuple[str, str] | None:
    """Read a text as Chromium's `sms_parser.cc` does: the first place, whichever line it stands on."""
    found = re.search(
        r"(?:^|\s)@([a-zA-Z0-9.-]+) #([^#\s]+)(?: @([a-zA-Z0-9.-]+))?", text, re.ASCII
    )
    return found and (found[1], found[2])


@given(TEXTS, HOSTS, CODES, VALUES)
def test_a_text_for_browsers_ends_as_they_want(text: str, host: str, code: str, value: str) -> None:
    """An empty line, then `@host #CODE` and nothing more, whatever the text and its values are."""
    entry = sms(text, web_otp_origin=host)
    sent = render(entry, code, dict.fromkeys(entry.required, value)).text
    *_, empty, last = ("\n" + sent).split("\n")

    assert ("", f"@{host} #{code}") == (empty, last)
    assert (host, code) == read_by_the_draft(sent)
    if "@" not in text + value:
        assert (host, code) == read_by_chromium(sent)


@given(TEXTS, HASHES, CODES, VALUES)
def test_a_text_for_an_app_ends_with_its_hash(
    text: str, app_hash: str, code: str, value: str
) -> None:
    """The hash is the whole last line, so that Android finds the app."""
    entry = sms(text, app_hash=app_hash)
    sent = render(entry, code, dict.fromkeys(entry.required, value)).text

    assert app_hash == sent.rpartition("\n")[2]
    assert "\n" in sent


def test_the_whole_text() -> None:
    """The two forms as people see them; blanks at the end of the text are gone."""
    bound = sms("{{pin}} is your code. \n", web_otp_origin="shop.example")
    told = sms("Your code: {{pin}}", app_hash=HASH)

    assert "4711 is your code.\n\n@shop.example #4711" == render(bound, "4711", {}).text
    assert f"Your code: 4711\n{HASH}" == render(told, "4711", {}).text


@pytest.mark.parametrize(
    "host", ["https://shop.example", "shop.example:443", "192.168.0.1", "-a.example", "a..b", ""]
)
def test_a_host_is_a_host(host: str) -> None:
    """No scheme, no port, no address of numbers."""
    with pytest.raises(ValueError, match="must be a host"):
        sms("{{pin}}", web_otp_origin=host)


@pytest.mark.parametrize(
    "app_hash", ["", "FA+9qCX9VS", "FA+9qCX9VSuu", "FA+9qCX9VS\n", "FA-9qCX9VSu"]
)
def test_a_hash_has_eleven_characters(app_hash: str) -> None:
    """Those of Base64, as Android's tools print them."""
    with pytest.raises(ValueError, match="must be the 11 characters"):
        sms("{{pin}}", app_hash=app_hash)
