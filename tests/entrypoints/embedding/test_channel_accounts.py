"""Channel accounts for embedders: every setting, changes of some, and the providers (C-66)."""

from __future__ import annotations

from typing import Any

import pytest

import watchword
from tests.fakes.providers import ScriptedProvider
from watchword import ChannelLimits, PrefixPrice, Service, Setting


class Gateway(ScriptedProvider):
    """A provider with a secret and a public setting."""

    settings = (Setting(name="a"), Setting(name="b", secret=False))


PRICE = PrefixPrice(prefix="44", amount="0.04", currency="GBP")


async def made(service: Service, **more: Any) -> Any:
    """Create a channel account in an account of the shop."""
    return await service.channel_accounts.create("shop", "sms", "gateway", "main", **more)


@pytest.fixture
async def service() -> Any:
    """Yield a service with a gateway and an account."""
    async with watchword.open("memory://", channels={"gateway": Gateway()}) as opened:
        await opened.accounts.create("shop")
        yield opened


async def test_settings_are_objects_or_dictionaries(service: Service) -> None:
    """Both spellings of a dictionary do, and a failover is a record or an id."""
    limits = ChannelLimits(concurrency=2, rate_per_second=5)
    second = await made(service)
    as_objects = await made(service, limits=limits, prices=[PRICE], failover=[second])
    price = {"prefix": "44", "amount": "0.04", "currency": "GBP"}
    as_data = await made(
        service,
        limits={"concurrency": 2, "rate_per_second": 5},
        prices=[price],
        failover=[second.id],
        failover_on_unknown=False,
    )

    assert (limits, (PRICE,), (second.id,)) == (
        as_objects.limits,
        as_objects.prices,
        as_objects.failover,
    )
    assert (limits, (PRICE,), (second.id,)) == (as_data.limits, as_data.prices, as_data.failover)
    assert [None, False] == [each.failover_on_unknown for each in (as_objects, as_data)]
    assert {"concurrency": 2, "ratePerSecond": 5.0} == watchword.to_json(as_data)["limits"]


async def test_an_update_leaves_what_is_not_given(service: Service) -> None:
    """None removes a setting; limits given as an object are all replaced."""
    account = await made(service, sender="Tea", limits={"concurrency": 2}, config={"a": 1, "b": 2})
    renamed = await service.channel_accounts.update(account, name="renamed", config={"b": None})
    merged = await service.channel_accounts.update(account, limits={"timeout_seconds": 4})
    replaced = await service.channel_accounts.update(account, limits=ChannelLimits(concurrency=3))
    bare = await service.channel_accounts.update(account.id, sender=None, limits=None)

    assert ("renamed", "Tea", {"a": "***"}) == (renamed.name, renamed.sender, renamed.config)
    assert ChannelLimits(concurrency=2, timeout_seconds=4) == merged.limits
    assert ChannelLimits(concurrency=3) == replaced.limits
    assert (None, ChannelLimits()) == (bare.sender, bare.limits)
    assert bare == await service.channel_accounts.get(account)


async def test_an_unknown_setting_is_a_type_error(service: Service) -> None:
    """A misspelt argument is a mistake of the program."""
    account = await made(service)

    with pytest.raises(TypeError, match="update\\(\\) has no sendr"):
        await service.channel_accounts.update(account, sendr="Tea")


async def test_wrong_settings_are_refused_by_their_paths(service: Service) -> None:
    """As over HTTP (C-44)."""
    account = await made(service)

    for changes, path in (
        ({"limits": {"concurrency": 0}}, "limits.concurrency"),
        ({"failover": ["cha_1"]}, "failover[0]"),
        ({"failover": [1]}, "failover[0]"),
        ({"name": None}, "name"),
    ):
        with pytest.raises(watchword.ValidationFailedError) as refusal:
            await service.channel_accounts.update(account, **changes)
        assert [path] == [each.path for each in refusal.value.problems]


async def test_an_account_is_disabled_and_enabled(service: Service) -> None:
    """Each call returns the record after it."""
    account = await made(service)

    assert not (await service.channel_accounts.disable(account)).enabled
    assert (await service.channel_accounts.enable(account.id)).enabled


async def test_providers_are_listed_with_the_embedders_own(service: Service) -> None:
    """A provider without declared channels serves any, its own name included (C-52)."""
    listed = {each.name: each for each in await service.channel_accounts.providers()}

    assert "gateway" in listed["gateway"].channels
    assert {"smtp"} <= listed.keys()


async def test_a_test_says_that_providers_know_no_address() -> None:
    """With a public URL, silence has another cause."""
    said = []
    for public_url in (None, "https://pins.example.com"):
        given = {"quiet": ScriptedProvider()}
        async with watchword.open("memory://", channels=given, public_url=public_url) as service:
            shop = await service.accounts.create("shop")
            account = await service.channel_accounts.create(shop, "sms", "quiet", "main")
            test = await service.channel_accounts.test(account, "+447700900001", wait_seconds=1)
            said.append(test.steps[-1].detail)

    assert [
        "none within 1 s; the service knows no callback URL: start it with --public-url",
        "none within 1 s",
    ] == said


async def test_an_address_is_set_or_the_steps_are_told(service: Service) -> None:
    """Without a public URL there is none; with one, the account's address is told beside the steps."""
    account = await made(service)
    with pytest.raises(watchword.ValidationFailedError) as refusal:
        await service.channel_accounts.set_webhook(account)
    given, public_url = {"gateway": Gateway()}, "https://pins.example.com"
    async with watchword.open("memory://", channels=given, public_url=public_url) as opened:
        await opened.accounts.create("shop")
        account = await made(opened)
        told = await opened.channel_accounts.set_webhook(account)

    assert "--public-url" in refusal.value.problems[0].message
    assert (watchword.WebhookStatus.MANUAL, account.callback_url) == (
        told.status,
        told.callback_url,
    )
    assert 1 == len(told.steps)
