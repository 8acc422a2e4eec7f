"""The providers of a service: opened before it serves, closed at its end, each with a context (C-72)."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from pathlib import Path

import pytest

import watchword
from tests.application.house import build_house, node_on
from tests.application.post_office import message, send
from tests.application.receipts import DELIVERED, recorded_statuses, report
from tests.fakes.providers import ScriptedProvider
from watchword import SettingsError
from watchword.adapters.channels.sandbox import SandboxProvider
from watchword.adapters.keyring import Keyring
from watchword.application.errors import UnavailableError
from watchword.application.paging import Paging
from watchword.application.ports.channels import ChannelProvider, Context
from watchword.domain.accounts.channel_account import ChannelAccountNotFoundError
from watchword.domain.channel import Channel, ChannelName
from watchword.entrypoints.composition.bootstrap import reading, wired
from watchword.entrypoints.providers import making, opening
from watchword.entrypoints.providers.making import make_providers, third_parties
from watchword.entrypoints.providers.opening import contexts_of
from watchword.entrypoints.settings import Settings


class Serving(ScriptedProvider):
    """A provider that serves given channels."""

    def __init__(self, *channels: ChannelName) -> None:
        super().__init__()
        self._channels = channels

    @property
    def channels(self) -> Collection[ChannelName]:
        """The channels that it was made with."""
        return self._channels


class Watched(ScriptedProvider):
    """A provider that notes its opening and its end."""

    def __init__(self) -> None:
        super().__init__()
        self.context: Context | None = None
        self.listened = 0
        self.closed = 0

    async def open(self, context: Context) -> None:
        """Keep the context."""
        self.context = context

    async def listen(self) -> None:
        """Count the call."""
        self.listened += 1

    async def close(self) -> None:
        """Count the call."""
        self.closed += 1


class Broken(Watched):
    """A provider whose opening fails with a secret in the text of its error."""

    async def open(self, context: Context) -> None:
        """Fail."""
        raise ConnectionError("password hunter2 refused")


class Stubborn(Watched):
    """A provider that never ends its close."""

    async def close(self) -> None:
        """Hang."""
        await super().close()
        await asyncio.Event().wait()


def test_providers_with_channels_of_their_own_are_third_parties() -> None:
    """One that serves Watchword's channels only is no channel itself (C-52)."""
    given: Mapping[str, ChannelProvider] = {
        "pigeon": ScriptedProvider(),
        "smsc": Serving(Channel.SMS),
        "fax": Serving(Channel.SMS, "fax"),
    }

    assert {"pigeon", "fax"} == third_parties(given)


def test_built_in_providers_are_there_in_and_outside_the_sandbox(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only the sandbox's own provider is missing outside it (C-63)."""
    monkeypatch.setattr(making, "BUILT_IN", {"post": ScriptedProvider})
    sandbox = SandboxProvider(lambda: pytest.fail("no time is needed"))

    assert ["post", "pigeon"] == [*make_providers({"pigeon": ScriptedProvider()}, None)]
    assert ["sandbox", "post"] == [*make_providers({}, sandbox)]


async def test_no_two_services_share_a_built_in_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each opens, uses and closes its own."""
    monkeypatch.setattr(making, "BUILT_IN", {"post": ScriptedProvider})

    assert make_providers({}, None)["post"] is not make_providers({}, None)["post"]


async def test_a_provider_is_open_while_the_service_is() -> None:
    """It is opened before the first call, and closed once at the end."""
    provider = Watched()
    async with watchword.open("memory://", channels={"pigeon": provider}) as service:
        await service.accounts.create("shop")
        assert provider.context is not None
        assert 0 == provider.closed

    assert 1 == provider.closed


async def test_a_provider_that_does_not_open_refuses_the_start() -> None:
    """The sentence names it without the error's text; all that were opened are closed."""
    first, broken, third = Watched(), Broken(), Watched()
    given = {"first": first, "broken": broken, "third": third}
    with pytest.raises(SettingsError) as refusal:
        async with watchword.open("memory://", channels=given):
            pass

    assert str(refusal.value).startswith(
        "The channel provider 'broken' did not open (ConnectionError)."
    )
    assert [1, 1, 0] == [each.closed for each in (first, broken, third)]
    assert third.context is None


async def test_a_provider_that_hangs_in_its_opening_refuses_the_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It has a time limit."""

    class Hanging(Watched):
        async def open(self, context: Context) -> None:
            """Hang."""
            await asyncio.Event().wait()

    monkeypatch.setattr(opening, "OPENING_SECONDS", 0.01)
    with pytest.raises(SettingsError, match=r"'slow' did not open within 0\.01 s \(TimeoutError\)"):
        async with watchword.open("memory://", channels={"slow": Hanging()}):
            pass


async def test_a_provider_that_does_not_close_keeps_nobody_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The others are closed all the same."""
    monkeypatch.setattr(opening, "CLOSING_SECONDS", 0.01)
    stubborn, other = Stubborn(), Watched()
    async with watchword.open("memory://", channels={"stubborn": stubborn, "other": other}):
        pass

    assert [1, 1] == [stubborn.closed, other.closed]


async def test_reading_a_store_opens_no_provider(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lists and audits of a store that another process serves connect to nobody."""
    settings = Settings(store=f"sqlite:///{tmp_path / 'store.db'}", data_dir=tmp_path)
    monkeypatch.setattr(making, "BUILT_IN", {"post": ScriptedProvider})
    async with wired(settings) as service:
        assert ("post",) == service.providers
        async with reading(settings) as read:
            assert () == read.providers


async def test_a_context_records_reports_durably() -> None:
    """A receipt that came on a connection of the provider's own moves its message."""
    house = await build_house()
    await send(house, message())
    (sent,) = house.provider.messages
    context = contexts_of(house.service)("scripted")
    await context.hear(sent.channel_account_id, [report(DELIVERED, "scripted-1")])

    assert ["delivered"] == await recorded_statuses(house, "MessageReported")


async def test_a_context_hears_for_its_own_providers_accounts_only() -> None:
    """An unknown channel account and one of another provider are refused, and nothing is recorded."""
    house = await build_house(others={"pigeon": ScriptedProvider()})
    await send(house, message())
    (sent,) = house.provider.messages
    context = contexts_of(house.service)("pigeon")
    for channel_account in (sent.channel_account_id, "cha_unknown"):
        with pytest.raises(ChannelAccountNotFoundError):
            await context.hear(channel_account, [report(DELIVERED, "scripted-1")])

    assert [] == await recorded_statuses(house, "MessageReported")


async def test_a_context_says_when_the_store_is_out_of_reach() -> None:
    """The provider then tells nothing to its counterpart, which repeats the report."""
    house = await build_house()
    await send(house, message())
    (sent,) = house.provider.messages
    house.store.reachable = False
    with pytest.raises(UnavailableError):
        await contexts_of(house.service)("scripted").hear(
            sent.channel_account_id, [report(DELIVERED, "scripted-1")]
        )


async def test_a_context_lists_the_accounts_of_its_provider() -> None:
    """All of them, over several pages, with opened configs; none of another provider."""
    house = await build_house(others={"pigeon": ScriptedProvider()})
    made = [
        await house.service.channel_accounts.create(
            house.by,
            channel_type=Channel.SMS,
            provider="pigeon",
            name=f"loft {number}",
            sender="LOFT",
            config={"ring": f"secret {number}"},
        )
        for number in range(101)
    ]
    accounts = await contexts_of(house.service)("pigeon").accounts()

    assert sorted(each.id for each in made) == sorted(each.channel_account_id for each in accounts)
    assert {(Channel.SMS, "LOFT")} == {(each.channel, each.sender) for each in accounts}
    assert {f"secret {number}" for number in range(101)} == {
        each.config["ring"] for each in accounts
    }


async def test_an_account_whose_secrets_are_lost_is_left_out() -> None:
    """A provider opens its sessions of the other accounts."""
    house = await build_house()
    await house.service.channel_accounts.create(
        house.by,
        channel_type=Channel.SMS,
        provider="scripted",
        name="sealed",
        config={"ring": "secret"},
    )
    elsewhere = node_on(house, Keyring(2, {2: b"n" * 32}))
    accounts = await contexts_of(elsewhere.service)("scripted").accounts()

    assert 3 == len(accounts)
    assert [{}] * 3 == [each.config for each in accounts]


@pytest.mark.parametrize(
    ("public_url", "address"),
    [
        (None, None),
        ("https://pins.example.com/w/", "https://pins.example.com/w/callbacks/cha_1"),
    ],
)
async def test_a_context_knows_where_posts_are_heard(
    public_url: str | None, address: str | None
) -> None:
    """Under the public URL; without one nobody outside can call (C-70)."""
    pigeon = Watched()
    async with watchword.open("memory://", channels={"pigeon": pigeon}, public_url=public_url):
        assert pigeon.context is not None
        assert address == pigeon.context.callback_url("cha_1")


async def test_a_context_has_the_services_clock() -> None:
    """A sandbox's clock moves, and its providers go by it."""
    house = await build_house()

    assert house.clock.now() == contexts_of(house.service)("scripted").now()


async def test_a_disabled_account_is_listed_as_one() -> None:
    """It sends nothing, and its provider still hears receipts for it (C-66)."""
    house = await build_house()
    (one, *_) = (await house.service.channel_accounts.list(house.by.account_id, Paging())).data
    await house.service.revising_channel_accounts.disable(house.by, one.id)
    accounts = await contexts_of(house.service)("scripted").accounts()

    assert 3 == len(accounts)
    assert [one.id] == [each.channel_account_id for each in accounts if not each.enabled]


@pytest.mark.parametrize(("run_worker", "times"), [(True, 1), (False, 0)])
async def test_a_provider_listens_where_due_work_is_done(*, run_worker: bool, times: int) -> None:
    """A command that starts a service for itself must not take the bind of the service that runs."""
    pigeon = Watched()
    async with watchword.open("memory://", channels={"pigeon": pigeon}, run_worker=run_worker):
        assert times == pigeon.listened
