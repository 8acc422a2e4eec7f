"""Changes of channel accounts: secrets, who receives them, and races of two changes (C-66, D-215, D-216)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from attrs import asdict, evolve, frozen

from tests.application.house import House, build_house, node_on
from tests.application.post_office import message, send
from tests.fakes.providers import ScriptedProvider
from tests.vaults import KEYRING
from watchword.adapters.keyring import Keyring
from watchword.adapters.sealing import AesGcmSealer
from watchword.application.channel_accounts.channel_secrets import ChannelSecrets
from watchword.application.channel_accounts.patch import ChannelAccountPatch
from watchword.application.channel_accounts.views import ChannelAccountView
from watchword.application.errors import UnavailableError
from watchword.application.journal import Journal, beginning
from watchword.application.ports.channels import (
    Accepted,
    ChannelProvider,
    Message,
    Setting,
    SettingKind,
)
from watchword.application.ports.event_store import Append, StreamConflict
from watchword.domain.accounts.channel_account import ChannelAccountCreated, channel_account_decider
from watchword.domain.accounts.channel_account.decide import MOST_FAILOVERS
from watchword.domain.channel import Channel
from watchword.domain.decider import Decision
from watchword.domain.errors import ValidationFailedError

NEWEST_ALONE = Keyring(2, {2: b"n" * 32})
CONFIG: dict[str, Any] = {
    "host": "gateway.example",
    "region": "eu",
    "auth": {"user": "ann", "password": "open sesame"},
    "headers": {"X-Key": "rosebud", "X-More": "tea"},
}
SHOWN = {**CONFIG, "auth": {"user": "ann", "password": "***"}, "headers": "***"}


class Gateway(ScriptedProvider):
    """Notes the configs that it is given."""

    settings = (
        Setting(name="host", secret=False, peer=True),
        Setting(name="region", secret=False),
        Setting(name="status", kind=SettingKind.URL, secret=False),
        Setting(name="auth.user", secret=False),
        Setting(name="auth.password"),
        Setting(name="headers", kind=SettingKind.JSON),
    )

    def __init__(self) -> None:
        super().__init__()
        self.given: list[Mapping[str, Any]] = []

    def check_config(self, config: Mapping[str, Any]) -> Mapping[str, Any]:
        """Check it against the settings."""
        return ChannelProvider.check_config(self, config)

    def callback_query(self, config: Mapping[str, Any]) -> str:
        """Return the password, in the one region whose posts have it."""
        return "t=open%20sesame" if config.get("region") == "by token" else ""

    async def send(self, config: Mapping[str, Any], message: Message) -> Accepted:
        """Accept the message."""
        self.given.append(config)
        return Accepted(f"gateway-{len(self.given)}")


@frozen(kw_only=True)
class Shop:
    """A house with a channel account that has secrets."""

    house: House
    gateway: Gateway
    account: ChannelAccountView

    async def update(self, **changes: Any) -> ChannelAccountView:
        """Change the channel account."""
        patch = ChannelAccountPatch(given=frozenset(changes), **changes)
        return await self.house.service.revising_channel_accounts.update(
            self.house.by, self.account.id, patch
        )

    async def wrong(self, **changes: Any) -> list[str]:
        """Return the paths that a refused change names."""
        with pytest.raises(ValidationFailedError) as refusal:
            await self.update(**changes)
        return sorted(each.field for each in refusal.value.problems)

    async def given(self) -> Mapping[str, Any]:
        """Return the config with which the next send is made."""
        (sent,) = await send(self.house, message(sender="GATEWAY"))
        assert sent.accepted
        return self.gateway.given[-1]

    async def differences(self) -> int:
        """Return the number of differences that an audit finds."""
        return (await self.house.service.reading_log.check()).total


async def opened(config: Mapping[str, Any] = CONFIG) -> Shop:
    """Open a house with one such account."""
    gateway = Gateway()
    house = await build_house(gateway)
    account = await house.service.channel_accounts.create(
        house.by,
        channel_type=Channel.SMS,
        provider="scripted",
        name="gateway",
        sender="GATEWAY",
        config=config,
    )
    return Shop(house=house, gateway=gateway, account=account)


async def again(shop: Shop, failover: tuple[str, ...] = ()) -> Shop:
    """Create another channel account like that of a shop."""
    account = await shop.house.service.channel_accounts.create(
        shop.house.by,
        channel_type=Channel.SMS,
        provider="scripted",
        name="another",
        config={"host": "b.example"},
        failover=failover,
    )
    return evolve(shop, account=account)


@pytest.mark.parametrize(
    ("change", "after"),
    [
        ({"region": "us"}, {**CONFIG, "region": "us"}),
        ({"auth": {"password": "***"}, "headers": "***"}, CONFIG),
        ({"region": None}, {name: CONFIG[name] for name in ("host", "auth", "headers")}),
        ({"headers": None}, {name: CONFIG[name] for name in ("host", "region", "auth")}),
        ({"auth": {"password": None}}, {**CONFIG, "auth": {"user": "ann"}}),
        (
            {"auth": {"password": "rosemary"}},
            {**CONFIG, "auth": {"user": "ann", "password": "rosemary"}},
        ),
        ({"headers": {"X-Key": "thyme"}}, {**CONFIG, "headers": {"X-Key": "thyme"}}),
    ],
)
async def test_a_config_is_merged_by_member(change: dict[str, Any], after: dict[str, Any]) -> None:
    """Secrets stay unless they are given or removed; a secret object is replaced as a whole."""
    shop = await opened()
    assert CONFIG == await shop.given()
    await shop.update(config=change)

    assert after == await shop.given()
    assert 0 == await shop.differences()


async def test_no_answer_event_or_row_has_a_secret() -> None:
    """New secrets are masked wherever old ones are."""
    shop = await opened()
    view = await shop.update(config={"auth": {"password": "rosemary"}})
    events = await shop.house.store.read_stream(shop.account.id)

    assert SHOWN == view.config
    assert (
        SHOWN
        == (await shop.house.service.channel_accounts.get(shop.house.by, shop.account.id)).config
    )
    assert "rosemary" not in f"{view}{events}{[asdict(each.event) for each in events]}"


@pytest.mark.parametrize(
    "change",
    [
        {"host": "elsewhere.example"},
        {"status": "https://elsewhere.example"},
        {"host": None},
        {"region": "{{config.auth.password}}"},
        {"auth": {"user": "{{config.headers}}"}},
        {"host": "elsewhere.example", "auth": {"password": "***"}, "headers": "***"},
    ],
)
async def test_another_receiver_wants_all_secrets_anew(change: dict[str, Any]) -> None:
    """Who receives the secrets changes, so each kept one is 400 by its path, and nothing is sent there."""
    shop = await opened()

    assert ["config.auth.password", "config.headers"] == await shop.wrong(config=change)
    assert CONFIG == await shop.given()


async def test_a_kept_secret_is_not_told() -> None:
    """An address of posts that gets a kept secret wants it anew: its change tells the address (D-242)."""
    shop = await opened()

    # A short secret that occurs in the token is not it, and need not be given.
    await shop.update(config={"headers": "o"})
    assert ["config.auth.password"] == await shop.wrong(config={"region": "by token"})
    told = await shop.update(config={"region": "by token", "auth": {"password": "open sesame"}})
    assert f"/callbacks/{shop.account.id}?t=open%20sesame" == told.callback_url


async def test_another_receiver_gets_the_secrets_that_are_given() -> None:
    """A removed secret is not asked for; one that is given goes to the new host, also an equal one."""
    shop = await opened()
    new = {"host": "elsewhere.example", "headers": None}
    half = {**new, "auth": {"user": "bob"}}

    assert ["config.auth.password"] == await shop.wrong(config=half)
    await shop.update(config={**new, "auth": {"password": "open sesame"}})
    assert {
        "host": "elsewhere.example",
        "region": "eu",
        "auth": CONFIG["auth"],
    } == await shop.given()


async def test_a_mask_without_a_secret_is_refused() -> None:
    """`***` keeps what there is, and is no secret itself."""
    shop = await opened({"host": "gateway.example"})

    assert ["config.auth.password"] == await shop.wrong(config={"auth": {"password": "***"}})


@pytest.mark.parametrize("wrong", ["tea", "***", [], 1])
async def test_a_member_of_another_form_is_refused(wrong: Any) -> None:
    """A text in the place of an object is 400, and a mask does not stand for several members."""
    shop = await opened()

    assert ["config.auth"] == await shop.wrong(config={"auth": wrong})


async def test_a_seal_of_another_form_is_given_anew() -> None:
    """Secrets without a place in the config count as lost, and are all asked for."""
    shop = await opened()
    secrets = ChannelSecrets(Journal(shop.house.store), AesGcmSealer(KEYRING))
    strange = secrets.seal(shop.account.id, {"region": "tea"})
    await shop.house.store.append(
        Append(at=shop.house.clock.now(), actor="", request_id="", keeping=(strange,))
    )

    assert ["config.auth.password", "config.headers"] == await shop.wrong(config={"region": "us"})


async def test_secrets_that_cannot_be_opened_are_given_anew() -> None:
    """A node without the code key names each of them; other settings change without it."""
    shop = await opened()
    other = evolve(shop, house=node_on(shop.house, NEWEST_ALONE))
    lacking = ["config.auth.password", "config.headers"]

    assert "renamed" == (await other.update(name="renamed")).name
    assert lacking == await other.wrong(config={"region": "us"})
    await other.update(config={"auth": {"password": "rosemary"}, "headers": {"X-Key": "thyme"}})
    assert {
        **CONFIG,
        "auth": {"user": "ann", "password": "rosemary"},
        "headers": {"X-Key": "thyme"},
    } == await other.given()


async def test_an_account_in_clear_is_sealed_by_a_change() -> None:
    """Its secrets go to no other receiver either, and are in no later event (D-198)."""
    shop = await opened({"host": "gateway.example"})
    created = (await shop.house.store.read_stream(shop.account.id))[0].event
    assert isinstance(created, ChannelAccountCreated)
    old = evolve(created, config=CONFIG)
    clear = evolve(shop, account=evolve(shop.account, id="cha_clear"))
    made = beginning(channel_account_decider, "cha_clear", Decision((old,)))
    await shop.house.service.journal.write(shop.house.by, old.at, made)

    assert ["config.auth.password", "config.headers"] == await clear.wrong(
        config={"host": "elsewhere.example"}
    )
    assert {**SHOWN, "region": "us"} == (await clear.update(config={"region": "us"})).config
    assert await shop.house.store.seal_key("cha_clear") is not None
    assert 0 == await shop.differences()


async def test_secrets_come_and_go() -> None:
    """An account without secrets gets some, and loses them with their seal."""
    shop = await opened({"host": "gateway.example"})
    with_secret = {"host": "gateway.example", "headers": "rosebud"}
    await shop.update(config={"headers": "rosebud"})
    assert with_secret == await shop.given()
    await shop.update(config={"headers": None})
    assert {"host": "gateway.example"} == await shop.given()
    assert await shop.house.store.seal_key(shop.account.id) is None
    await shop.update(config={"headers": "thyme"})
    assert {**with_secret, "headers": "thyme"} == await shop.given()
    assert 0 == await shop.differences()


async def test_two_changes_at_once_are_merged() -> None:
    """The loser of the race merges its change into the winner's config, and seals the secrets of both."""
    shop = await opened()

    async def meanwhile() -> None:
        await shop.update(config={"auth": {"password": "rosemary"}})

    shop.house.store.meanwhile = meanwhile
    await shop.update(config={"headers": {"X-Key": "thyme"}})

    assert {
        **CONFIG,
        "auth": {"user": "ann", "password": "rosemary"},
        "headers": {"X-Key": "thyme"},
    } == await shop.given()
    assert (
        3
        == (
            await shop.house.service.journal.load(channel_account_decider, shop.account.id)
        ).state.sealings
    )
    assert 0 == await shop.differences()


async def test_an_old_state_is_never_joined_with_new_secrets() -> None:
    """A node whose cached state is older than the seal reads the state again (D-235)."""
    shop = await opened()
    journal = shop.house.service.journal
    old = (await journal.load(channel_account_decider, shop.account.id)).state
    await shop.update(
        config={
            "host": "elsewhere.example",
            "auth": {"password": "rosemary"},
            "headers": {"X-Key": "thyme"},
        }
    )
    secrets = ChannelSecrets(Journal(shop.house.store), AesGcmSealer(KEYRING))

    assert await shop.given() == await secrets.config_of(shop.account.id, old)
    with pytest.raises(StreamConflict):
        await secrets.secrets_of(shop.account.id, old)


async def test_a_seal_of_another_sealing_is_not_used() -> None:
    """A seal that is older than the state holds the secrets of another config: the send is rejected."""
    shop = await opened()
    first = await shop.house.store.seal_key(shop.account.id)
    assert first is not None
    await shop.update(config={"auth": {"password": "rosemary"}})
    await shop.house.store.append(
        Append(at=shop.house.clock.now(), actor="", request_id="", keeping=(first,))
    )
    state = (await shop.house.service.journal.load(channel_account_decider, shop.account.id)).state
    secrets = ChannelSecrets(Journal(shop.house.store), AesGcmSealer(KEYRING))

    with pytest.raises(UnavailableError):
        await secrets.config_of(shop.account.id, state)


async def test_the_first_seals_had_no_number() -> None:
    """Secrets that were sealed without one are those of the first sealing."""
    shop = await opened({"host": "gateway.example", "headers": "rosebud"})
    bare = AesGcmSealer(KEYRING).wrap(shop.account.id, b'{"headers": "rosebud"}')
    await shop.house.store.append(
        Append(at=shop.house.clock.now(), actor="", request_id="", keeping=(bare,))
    )

    assert "rosebud" == (await shop.given())["headers"]


async def test_of_two_that_name_each_other_at_once_one_is_refused() -> None:
    """No race makes a circle: the loser is decided again, and refused (D-216)."""
    shop = await opened({"host": "a.example"})
    second = await again(shop)

    async def meanwhile() -> None:
        await second.update(failover=(shop.account.id,))

    shop.house.store.meanwhile = meanwhile

    assert ["failover[0]"] == await shop.wrong(failover=(second.account.id,))


async def test_as_many_failover_accounts_are_looked_up_as_one_may_have() -> None:
    """A change, or a new account, that names more of them is refused, and costs no more look-ups."""
    shop = await opened({"host": "a.example"})
    looked: list[int] = []
    for named in (MOST_FAILOVERS, MOST_FAILOVERS + 1, 50 * MOST_FAILOVERS):
        failover = (f"{shop.account.id}0",) * named
        shop.house.store.loaded.clear()
        assert "failover[0]" in await shop.wrong(failover=failover)
        with pytest.raises(ValidationFailedError):
            await again(shop, failover)
        looked.append(shop.house.store.loaded.count(channel_account_decider.kind))

    assert looked[0] >= 2 * MOST_FAILOVERS
    assert [looked[0]] * 3 == looked


async def test_no_race_makes_a_chain() -> None:
    """An account is refused failover if another one, or a new one, names it meanwhile (D-216)."""
    shop = await opened({"host": "a.example"})
    second, third = await again(shop), await again(shop)

    async def named() -> None:
        await third.update(failover=(shop.account.id,))

    async def named_by_a_new_one() -> None:
        await again(shop, failover=(second.account.id,))

    shop.house.store.meanwhile = named
    assert ["failover[0]"] == await shop.wrong(failover=(second.account.id,))
    shop.house.store.meanwhile = named_by_a_new_one
    assert ["failover[0]"] == await second.wrong(failover=(third.account.id,))


async def test_an_audit_knows_who_is_named() -> None:
    """Names come and go with changes, and the check finds every one where the log has it."""
    shop = await opened({"host": "a.example"})
    second, third = await again(shop), await again(shop)
    await shop.update(failover=(second.account.id,))
    assert 0 == await shop.differences()
    await shop.update(failover=(third.account.id,))
    assert 0 == await shop.differences()
    await shop.update(failover=None)

    assert 0 == await shop.differences()
    assert (third.account.id,) == (await second.update(failover=(third.account.id,))).failover
