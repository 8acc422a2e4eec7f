"""Slips of an embedder's program: an error that names the argument, none from the middle of ours."""

from __future__ import annotations

from typing import Any

import pytest

import watchword


@pytest.mark.parametrize("key", ["tea", "1:tea", "1:dGVh"])
async def test_a_malformed_code_key_is_named(key: str) -> None:
    """The sentence begins with the argument of `open`, and never shows the key."""
    with pytest.raises(watchword.KeyringError, match=r"^code_key= cannot be read\.") as refusal:
        async with watchword.open("memory://", code_key=key):
            pass

    assert key not in str(refusal.value)


async def test_a_page_that_is_no_number_is_named() -> None:
    """Both arguments of a list are, at once."""
    wrong: Any = "x"
    async with watchword.open("memory://") as service:
        with pytest.raises(watchword.ValidationFailedError) as refusal:
            await service.accounts.list(wrong, page_size=wrong)

    assert ["page", "pageSize"] == [each.path for each in refusal.value.problems]


async def test_a_text_is_no_content_of_a_medium() -> None:
    """A path is a `Path`, and bytes are bytes; a text is ambiguous."""
    wrong: Any = "tea.png"
    async with watchword.open("memory://") as service:
        shop = await service.accounts.create("shop")
        with pytest.raises(TypeError, match=r"^The content is a str\. Give bytes, a Path,"):
            await service.media.create(shop, wrong)


async def test_no_short_link_is_none() -> None:
    """A value that is no code is named by each call that takes one."""
    wrong: Any = None
    async with watchword.open("memory://") as service:
        for call in (
            service.short_links.follow,
            service.short_links.disable,
            service.short_links.enable,
        ):
            with pytest.raises(watchword.ValidationFailedError) as refusal:
                await call(wrong)

            assert ["code"] == [each.path for each in refusal.value.problems]


async def test_neither_a_service_nor_its_sandbox_is_data() -> None:
    """`to_json` refuses them as it refuses all that no call returns."""
    async with watchword.open("memory://", sandbox=True) as service:
        with pytest.raises(TypeError, match="A Service is nothing that a service gives"):
            watchword.to_json(service)
        with pytest.raises(TypeError, match="A Sandbox is nothing that a service gives"):
            watchword.to_json([service.sandbox])
