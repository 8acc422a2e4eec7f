"""The contract of channel providers whose counterparts sign their posts (C-34)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar
from urllib.parse import quote

import pytest
from attrs import evolve

from ....application.ports.channels import ChannelProvider, Post
from ....domain.accounts.api_key import UnauthorizedError
from .channel_provider_contract import ChannelProviderContract

# A letter of Latin-1, and a byte that is no UTF-8, as HTTP servers decode it.
_ODD = "é\udce9"


class SignedReportsContract(ChannelProviderContract):
    """
    The promises of adapters whose providers sign their posts.

    A token in the address is the weakest signature: it covers no body.
    """

    signature_covers_body: ClassVar[bool] = True
    signature_covers_url: ClassVar[bool] = False

    def other_config(
        self, config: Mapping[str, Any], provider: ChannelProvider
    ) -> Mapping[str, Any]:
        """Return the config of an account with other secrets; by default, each secret text differs."""
        secret = {each.name for each in provider.settings if each.secret}
        return _changed(config, secret, "")

    @pytest.mark.asyncio
    async def test_what_is_not_signed_is_not_read(
        self, opened: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """A caller without the signature does not learn whether the post is readable (C-34)."""
        post = self.post("their-7", self.a_status())
        for each in (post, evolve(post, body=b"{")):
            await _is_refused(opened, config, each)

    @pytest.mark.asyncio
    async def test_a_signature_is_good_for_its_own_body_alone(
        self, opened: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """One that was seen on the way signs no other receipt."""
        if not self.signature_covers_body:
            pytest.skip("This signature does not cover the body.")
        seen = self.receipt(config, self.a_status())
        other = self.receipt(config, self.a_status(), "their-8")
        await _is_refused(opened, config, evolve(seen, body=other.body))

    @pytest.mark.asyncio
    async def test_a_signature_is_good_for_its_own_address_alone(
        self, opened: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """One for another channel account's address is wrong here."""
        if not self.signature_covers_url:
            pytest.skip("This signature does not cover the address.")
        post = self.receipt(config, self.a_status())
        moved = evolve(post, url=post.url.replace("cha_orchid", "cha_lily"))

        assert post != moved
        await _is_refused(opened, config, moved)

    @pytest.mark.asyncio
    async def test_a_signature_under_another_secret_is_wrong(
        self, opened: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """A channel account hears only those who know its own secret."""
        other = self.other_config(config, opened)

        assert config != other
        await _is_refused(opened, config, self.receipt(other, self.a_status()))

    @pytest.mark.asyncio
    async def test_a_signature_in_odd_letters_is_wrong(
        self, opened: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """A signature with letters that no signature has is refused, without an error."""
        plain = self.post("their-7", self.a_status())
        signed = self.signed(config, plain)
        odd = {**signed.headers}
        odd |= {name: _ODD for name in signed.headers if name not in plain.headers}
        await _is_refused(opened, config, evolve(signed, headers=odd, url=_odd_url(plain, signed)))


async def _is_refused(provider: ChannelProvider, config: Mapping[str, Any], post: Post) -> None:
    with pytest.raises(UnauthorizedError):
        await provider.hear(config, post)


def _odd_url(plain: Post, signed: Post) -> str:
    """Return a signed address, with odd letters in the parameters that sign it."""
    if plain.url == signed.url:
        return signed.url
    start, _, query = signed.url.partition("?")
    known = plain.url.partition("?")[2].split("&")
    pairs = [
        each
        if each in known
        else f"{each.partition('=')[0]}={quote(_ODD, errors='surrogateescape')}"
        for each in query.split("&")
    ]
    return f"{start}?{'&'.join(pairs)}"


def _changed(config: Mapping[str, Any], secret: set[str], place: str) -> Mapping[str, Any]:
    changed = dict(config)
    for name, value in config.items():
        path = f"{place}{name}"
        if isinstance(value, Mapping):
            changed[name] = _changed(value, secret, f"{path}.")
        elif isinstance(value, str) and path in secret:
            changed[name] = value[::-1] + "x"
    return changed
