"""The fakes for tests of adapters stand for the service."""

from __future__ import annotations

import subprocess
import sys

import pytest

import watchword
from watchword.domain.channel import Channel
from watchword.testing import FakeContext, a_message


async def test_a_context_keeps_what_it_hears() -> None:
    """Reports are kept by channel account, and an unreachable store raises the service's own error."""
    fake = FakeContext()
    context: watchword.Context = fake
    await context.hear("cha_orchid", [])
    fake.away = True
    with pytest.raises(watchword.UnavailableError):
        await context.hear("cha_orchid", [])

    assert [("cha_orchid", [])] == fake.heard


async def test_a_context_hears_nobody_elses_accounts() -> None:
    """As in the service, an unknown or foreign channel account is an error, and nothing is kept."""
    own = watchword.ProviderAccount(
        channel_account_id="cha_orchid", channel=Channel.SMS, sender=None, config={}
    )
    fake = FakeContext(own)
    await fake.hear("cha_orchid", [])
    with pytest.raises(watchword.ChannelAccountNotFoundError):
        await fake.hear("cha_lily", [])

    assert [("cha_orchid", [])] == fake.heard


async def test_a_context_has_accounts_addresses_and_a_clock() -> None:
    """Each is what the test gave it."""
    account = watchword.ProviderAccount(
        channel_account_id="cha_orchid", channel=Channel.SMS, sender=None, config={}
    )
    fake = FakeContext(account)
    before = fake.now()
    fake.clock.move(60)

    assert (account,) == await fake.accounts()
    assert "https://pins.example.com/callbacks/cha_orchid" == fake.callback_url("cha_orchid")
    assert None is FakeContext(public=False).callback_url("cha_orchid")
    assert 60 == (fake.now() - before).total_seconds()


def test_messages_have_references_and_destinations_of_their_own() -> None:
    """A thousand messages differ, on each channel; a member can be replaced."""
    for channel in Channel:
        messages = [a_message(number, channel=channel) for number in range(1000)]

        assert 1000 == len({each.reference for each in messages})
        assert 1000 == len({each.destination for each in messages})
    assert "tea" == a_message(text="tea").text


def test_importing_watchword_loads_no_test() -> None:
    """A service runs without pytest, which only the extra `testing` installs (C-72)."""
    program = "import sys, watchword; watchword.open; print('pytest' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-P", "-c", program], capture_output=True, check=True, text=True
    )

    assert "False" == done.stdout.strip()


def test_without_pytest_the_extra_is_named() -> None:
    """The error says what to install."""
    program = "import sys; sys.modules['pytest'] = None; import watchword.testing"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )

    assert "ImportError: watchword.testing needs pytest." in done.stderr
    assert "pip install 'watchword[testing]'" in done.stderr
