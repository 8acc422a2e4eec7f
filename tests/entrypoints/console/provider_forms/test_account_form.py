"""The fields of a channel account beside its config: what cannot be read is said in the domain's words."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from watchword.domain.accounts.channel_account import ChannelAccountCreated, PrefixPrice, create
from watchword.domain.accounts.channel_account.decide import MOST_PRICES
from watchword.domain.channel import Channel
from watchword.domain.errors import ValidationFailedError
from watchword.entrypoints.console.forms import Form
from watchword.entrypoints.console.provider_forms import account_form

TOO_MANY = [str(prefix) for prefix in range(1, MOST_PRICES + 2)]


def test_too_many_prices_are_refused_in_the_words_of_the_domain() -> None:
    """The form counts its lines before it reads them, and says what the API says."""
    created = ChannelAccountCreated(
        at=datetime(2031, 5, 4, 12, tzinfo=UTC),
        account_id="acc_orchid",
        channel_type=Channel.SMS,
        provider="http",
        name="gateway",
        sender=None,
        config={},
        sealed=True,
        prices=tuple(PrefixPrice(prefix=each, amount="1", currency="EUR") for each in TOO_MANY),
    )
    form = Form.of(name="gateway", prices="\n".join(f"{each}:1:EUR" for each in TOO_MANY))

    with pytest.raises(ValidationFailedError) as by_domain:
        create("cha_gateway", created)
    with pytest.raises(ValidationFailedError) as by_form:
        account_form.asked(form, (), {})

    assert ["prices"] == [each.path for each in by_domain.value.problems]
    assert by_domain.value.problems == by_form.value.problems
