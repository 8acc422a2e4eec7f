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


@pytest.mark.parametrize("wrong", ["x", None, 1.5, -1, "1", 2**63])
async def test_what_is_no_position_is_named(wrong: Any) -> None:
    """Whoever kept none has to say 0, so that no loop begins where nobody meant it to."""
    async with watchword.open("memory://") as service:
        for call in (anext(service.events.follow(wrong)), service.events.list(wrong)):
            with pytest.raises(ValueError, match=r"^after= must be a position") as refusal:
                await call

            assert f"and not {wrong!r}." in str(refusal.value)


@pytest.mark.parametrize("wrong", ["x", None, 1.5])
async def test_what_is_no_number_of_events_is_named(wrong: Any) -> None:
    """The store is not asked for it, so no error of its own comes back."""
    async with watchword.open("memory://") as service:
        with pytest.raises(ValueError, match=r"^limit= must be a number of events") as refusal:
            await service.events.list(limit=wrong)

        assert f"and not {wrong!r}." in str(refusal.value)


async def test_what_is_no_service_has_no_routes() -> None:
    """A service that is not open yet, as all else, is named by its type."""
    wrong: Any = "x"
    with pytest.raises(TypeError, match=r"^service= is of the type str\. Give what `async with"):
        watchword.http_routes(wrong)
    unopened: Any = watchword.open("memory://")
    with pytest.raises(
        TypeError, match=r"^service= is of the type _AsyncGeneratorContextManager\."
    ):
        watchword.http_routes(unopened)


@pytest.mark.parametrize("sandbox", [True, False])
@pytest.mark.parametrize(
    "wrong", [{"admin_token": 5}, {"trusted_proxies": None}, {"trusted_proxies": "10.0.0.0/24"}]
)
async def test_an_argument_of_the_routes_is_named(wrong: dict[str, Any], sandbox: bool) -> None:
    """A token that is no text, no networks at all, and one text instead of several."""
    (name,) = wrong
    async with watchword.open("memory://", sandbox=sandbox) as service:
        with pytest.raises(watchword.SettingsError, match=f"^{name}= is "):
            service.http_app(**wrong)


@pytest.mark.parametrize("wrong", [b"10.0.0.0/24", [5], [b"abcd"], [None]])
async def test_what_is_no_text_is_no_network(wrong: Any) -> None:
    """Numbers and bytes would be read as addresses of clients whose word is taken."""
    async with watchword.open("memory://") as service:
        with pytest.raises(watchword.SettingsError, match=r"Give trusted_proxies= such as"):
            service.http_app(trusted_proxies=wrong)


async def test_neither_a_service_nor_its_sandbox_is_data() -> None:
    """`to_json` refuses them as it refuses all that no call returns."""
    async with watchword.open("memory://", sandbox=True) as service:
        with pytest.raises(TypeError, match="A Service is nothing that a service gives"):
            watchword.to_json(service)
        with pytest.raises(TypeError, match="A Sandbox is nothing that a service gives"):
            watchword.to_json([service.sandbox])
