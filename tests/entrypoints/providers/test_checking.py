"""Providers that no channel account could use are refused at the start, in words (D-154, C-52)."""

from __future__ import annotations

from typing import Any

import pytest

import watchword
from tests.fakes.providers import ScriptedProvider
from watchword import Channel, Setting, SettingKind, SettingsError


async def refusal(name: str, **parts: Any) -> str:
    """Return why a service does not start with a provider that has these parts."""
    provider = ScriptedProvider()
    kind = type("Odd", (ScriptedProvider,), parts)
    provider = kind()
    with pytest.raises(SettingsError) as refused:
        async with watchword.open("memory://", channels={name: provider}):
            pass
    return str(refused.value)


@pytest.mark.parametrize("name", [*map(str, Channel)])
async def test_the_name_of_a_channel_is_no_providers(name: str) -> None:
    """Its fallback objects could not be told from those of the channel."""
    assert "has the name of a channel" in await refusal(name)


@pytest.mark.parametrize("name", ["Up", "two words", "7up", "tea\n", "x" * 65])
async def test_a_name_stands_in_urls_and_fallbacks(name: str) -> None:
    """Lower-case letters, digits and a few signs."""
    assert "has a name that is none" in await refusal(name)


@pytest.mark.parametrize(
    ("channels", "said"),
    [
        ("sms", "are 'sms'. Return a list"),
        (["fax"], "have 'fax'. Return some of sms, whatsapp, rcs, email and its own name tea."),
        ([], "are none."),
    ],
)
async def test_channels_are_known_ones(channels: object, said: str) -> None:
    """Every channel account would be refused later, for another reason."""
    assert f"The channels of the provider 'tea' in channels= {said}" in await refusal(
        "tea", channels=channels
    )


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ([Setting(name="x", kind=SettingKind.CHOICE)], "'x' of the provider 'tea'"),
        ([Setting(name="x"), Setting(name="y"), Setting(name="x")], "have 'x' twice"),
    ],
    ids=["choice", "twice"],
)
async def test_settings_can_be_given(settings: object, said: str) -> None:
    """A choice without choices refuses every value, and one of two declarations is ignored."""
    assert said in await refusal("tea", settings=settings)


async def test_a_provider_may_serve_channels_and_its_own() -> None:
    """Both are channels that a channel account can have."""
    provider = type("Both", (ScriptedProvider,), {"channels": ["sms", "my-tea"]})()
    async with watchword.open("memory://", channels={"my-tea": provider}) as service:
        shop = await service.accounts.create("shop")
        made = [
            await service.channel_accounts.create(shop, channel, "my-tea", channel)
            for channel in ("sms", "my-tea")
        ]

    assert ["sms", "my-tea"] == [each.channel_type for each in made]
