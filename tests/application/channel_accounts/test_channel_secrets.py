"""The secrets of a channel account are sealed under its id, and opened for its provider (C-63, D-197)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs
import pytest
from attrs import evolve, frozen

from tests.application.house import House, build_house, node_on
from tests.application.post_office import message, send
from tests.application.rotations import NEWEST, rotate
from tests.fakes.providers import ScriptedProvider
from tests.fakes.signing import SECRET, SIGNATURE, letter, signature
from tests.vaults import KEYRING
from watchword.adapters.keyring import Keyring
from watchword.adapters.sealing import AesGcmSealer
from watchword.application.channel_accounts import channel_secrets
from watchword.application.channel_accounts.channel_secrets import (
    ChannelSecretMissingError,
    ChannelSecrets,
)
from watchword.application.channel_accounts.views import ChannelAccountView
from watchword.application.errors import UnavailableError
from watchword.application.journal import Journal
from watchword.application.ports.channels import Accepted, Message, Post, Setting
from watchword.application.ports.event_store import Append
from watchword.application.ports.sealer import SealKey
from watchword.domain.accounts.channel_account import ChannelAccount, channel_account_decider
from watchword.domain.channel import Channel
from watchword.domain.errors import ValidationFailedError

CONFIG = {"url": "https://gateway.example", "token": "open sesame"}


class Gateway(ScriptedProvider):
    """Notes the configs that it is given; its URL is public."""

    settings = (Setting(name="url", secret=False),)

    def __init__(self) -> None:
        super().__init__()
        self.given: list[Mapping[str, Any]] = []

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

    def secrets_under(self, keyring: Keyring) -> ChannelSecrets:
        """Return the secrets as a node with this ring sees them."""
        return ChannelSecrets(Journal(self.house.store), AesGcmSealer(keyring))

    async def state(self) -> ChannelAccount:
        """Return the state of the channel account."""
        return (
            await self.house.service.journal.load(channel_account_decider, self.account.id)
        ).state

    async def kept(self) -> SealKey:
        """Return the seal of its secrets."""
        kept = await self.house.store.seal_key(self.account.id)
        assert kept is not None
        return kept

    async def keep(self, *seals: SealKey, dropping: tuple[str, ...] = ()) -> None:
        """Change the table of seals behind the service's back."""
        now = self.house.clock.now()
        await self.house.store.append(
            Append(at=now, actor="", request_id="", keeping=seals, dropping=dropping)
        )


async def opened(config: Mapping[str, Any] = CONFIG) -> Shop:
    """Open a house with one such account."""
    gateway = Gateway()
    house = await build_house(gateway)
    account = await create(house, "GATEWAY", config)
    return Shop(house=house, gateway=gateway, account=account)


async def create(house: House, sender: str, config: Mapping[str, Any]) -> ChannelAccountView:
    """Create a channel account with a sender of its own."""
    return await house.service.channel_accounts.create(
        house.by,
        channel_type=Channel.SMS,
        provider="scripted",
        name="gateway",
        sender=sender,
        config=config,
    )


async def test_the_provider_gets_the_whole_config() -> None:
    """Secrets are joined with the rest only for a send."""
    shop = await opened()
    (sent,) = await send(shop.house, message(sender="GATEWAY"))

    assert sent.accepted
    assert [CONFIG] == shop.gateway.given


async def test_event_row_and_answers_have_masks() -> None:
    """What is stored and what is answered shows which secrets there are, and none of them."""
    shop = await opened()
    service = shop.house.service
    (event,) = await shop.house.store.read_stream(shop.account.id)
    listed = await service.channel_accounts.oldest("scripted", sender="GATEWAY")
    masked = {**CONFIG, "token": "***"}

    assert listed is not None
    assert [masked] * 4 == [
        each.config
        for each in (
            shop.account,
            await service.channel_accounts.get(shop.house.by, shop.account.id),
            listed,
            await shop.state(),
        )
    ]
    assert "open sesame" not in f"{event}{attrs.asdict(event.event)}"


async def test_public_settings_need_no_seal() -> None:
    """An account without secrets is served without a look at the seals."""
    shop = await opened({"url": "https://gateway.example"})

    assert await shop.house.store.seal_key(shop.account.id) is None
    assert shop.account.config == await shop.secrets_under(NEWEST).config_of(
        shop.account.id, await shop.state()
    )


async def test_a_mask_is_refused_as_a_secret() -> None:
    """A config that was copied from an answer is 400 with the path of each secret."""
    shop = await opened()
    with pytest.raises(ValidationFailedError) as refusal:
        await create(shop.house, "COPY", shop.account.config)

    assert ["config.token"] == [each.field for each in refusal.value.problems]


async def test_the_seal_of_another_account_does_not_open() -> None:
    """A seal that was moved to another account's name opens nothing, though the key is the same."""
    shop = await opened()
    theirs = await create(shop.house, "THEIRS", {"token": "their own"})
    kept = await shop.house.store.seal_key(theirs.id)
    assert kept is not None
    await shop.keep(evolve(kept, name=shop.account.id))
    (sent,) = await send(shop.house, message(sender="GATEWAY"))

    assert "channel_secret_missing" == sent.error_code
    assert [] == shop.gateway.given


async def test_secrets_that_do_not_fit_the_config_are_not_used() -> None:
    """A seal from another time of the account rejects its sends; no exception ends them."""
    shop = await opened()
    secrets = shop.secrets_under(KEYRING)
    await shop.keep(secrets.seal(shop.account.id, {"password": "of another config"}))
    (sent,) = await send(shop.house, message(sender="GATEWAY"))

    assert "channel_secret_missing" == sent.error_code
    assert [] == shop.gateway.given


async def test_a_send_without_the_key_says_what_to_do() -> None:
    """A node that lacks the version of the code key sends nothing, and no other account is affected."""
    shop = await opened()
    await create(shop.house, "OPEN", {"url": "https://gateway.example"})
    other = node_on(shop.house, NEWEST)
    (sent,) = await send(other, message(sender="GATEWAY"))
    (plain,) = await send(other, message(sender="OPEN"))

    assert "channel_secret_missing" == sent.error_code
    assert "Start it with the code key that seals them" in str(sent.error_message)
    assert plain.accepted


async def test_a_post_without_the_key_is_repeated() -> None:
    """A signature that cannot be checked here is 503, so the provider posts it again."""
    shop = await opened({"token": SECRET})
    body = letter()
    with pytest.raises(UnavailableError):
        await node_on(shop.house, NEWEST).service.provider_webhooks.receive(
            shop.account.id, Post(headers={SIGNATURE: signature(body)}, body=body), "req_post"
        )


async def test_a_second_send_reads_no_seal() -> None:
    """Opened configs are kept in memory; a change of the account's state opens its seal again."""
    shop = await opened()
    secrets, state = shop.secrets_under(KEYRING), await shop.state()
    await secrets.config_of(shop.account.id, state)
    await shop.keep(dropping=(shop.account.id,))

    assert CONFIG == await secrets.config_of(shop.account.id, state)
    with pytest.raises(ChannelSecretMissingError):
        await secrets.config_of(shop.account.id, evolve(state, name="renamed"))


async def test_configs_in_memory_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the bound, the account that was opened first is forgotten."""
    monkeypatch.setattr(channel_secrets, "MOST_OPENED", 2)
    shop = await opened()
    secrets, state = shop.secrets_under(KEYRING), await shop.state()
    await secrets.config_of(shop.account.id, state)
    for number in range(2):
        other = await create(shop.house, f"OTHER{number}", {"token": f"t{number}"})
        loaded = await shop.house.service.journal.load(channel_account_decider, other.id)
        await secrets.config_of(other.id, loaded.state)
    await shop.keep(dropping=(shop.account.id,))

    with pytest.raises(ChannelSecretMissingError):
        await secrets.config_of(shop.account.id, state)


async def test_a_rotation_seals_secrets_anew() -> None:
    """After it the newest version alone opens them; a second time changes nothing."""
    shop = await opened()
    await rotate(shop.house.store)
    once = await shop.kept()
    await rotate(shop.house.store)

    assert 2 == once.version
    assert once == await shop.kept()
    assert CONFIG == await shop.secrets_under(NEWEST).config_of(shop.account.id, await shop.state())


async def test_a_seal_that_does_not_open_keeps_no_other_from_being_renewed() -> None:
    """The account of a broken seal rejects its sends; the rotation goes on."""
    shop = await opened()
    theirs = await create(shop.house, "THEIRS", {"token": "their own"})
    kept = await shop.kept()
    await shop.keep(evolve(kept, wrapped=b"broken"))
    await rotate(shop.house.store)
    renewed = await shop.house.store.seal_key(theirs.id)

    assert renewed is not None
    assert (1, 2) == ((await shop.kept()).version, renewed.version)


async def test_an_audit_names_a_seal_that_is_missing_or_belongs_to_nobody() -> None:
    """The seal of an account with secrets has to be there, and no other one may be (C-91)."""
    shop = await opened()
    await shop.keep(evolve(await shop.kept(), name="cha_of_nobody"), dropping=(shop.account.id,))
    found = (await shop.house.service.reading_log.check()).differences

    assert {(shop.account.id, "a key", "none"), ("cha_of_nobody", "none", "a key")} == {
        (each.id, each.expected, each.found) for each in found if each.kind == "seal"
    }
