"""Downloads of hosted media: no client takes more than a quarter of them (D-85, D-142)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from ipaddress import ip_network

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import listening
from tests.entrypoints.http.media.test_fetching import fetched, hosted
from watchword.application.media.hosted_media import TooManyDownloadsError
from watchword.entrypoints.http.app import Exposure
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN
from watchword.entrypoints.wired import Wired

STORES = ("sqlite",)
BEHIND_A_PROXY = Exposure(
    admin_token=SANDBOX_ADMIN_TOKEN, trusted_proxies=(ip_network("127.0.0.1"),)
)


@pytest.fixture
async def downloads() -> AsyncIterator[AsyncExitStack]:
    """Yield a stack that ends a test's downloads at its end."""
    async with AsyncExitStack() as stack:
        yield stack


def port_of(caller: Caller) -> int:
    """Return a listener's port."""
    return int(caller.endpoint.make_url("/").port or 0)


async def test_one_client_fetches_a_quarter_of_them(
    service: Wired, downloads: AsyncExitStack
) -> None:
    """With 64 files on their way to an address, one more is 503, and others are served."""
    async with listening(service) as caller:
        path = await hosted(port_of(caller))
        media_id = path.rsplit("/", 1)[1]
        for client in ["127.0.0.2"] * 64 + ["127.0.0.3"] * 64:
            await downloads.enter_async_context(service.hosted_media.opened(media_id, client))

        assert 200 == (await fetched(caller, path)).status

    async with listening(service) as caller:
        for _ in range(64):
            held = service.hosted_media.opened(media_id, "127.0.0.1")
            await downloads.enter_async_context(held)
        refused = await fetched(caller, path)

        assert (503, "unavailable") == refused.refusal
        assert "5" == refused.headers["Retry-After"]

        await downloads.aclose()

        assert 200 == (await fetched(caller, path)).status


async def test_behind_a_trusted_proxy_it_is_the_client_that_counts(
    service: Wired, downloads: AsyncExitStack
) -> None:
    """The forwarded client counts (D-105); all addresses of one IPv6 customer are one client."""
    async with listening(service, BEHIND_A_PROXY) as caller:
        path = await hosted(port_of(caller))
        media_id = path.rsplit("/", 1)[1]
        for _ in range(64):
            held = service.hosted_media.opened(media_id, "2001:db8:0:1::/64")
            await downloads.enter_async_context(held)

        async def status(client: str) -> int:
            return (await fetched(caller, path, **{"X-Forwarded-For": client})).status

        assert [503, 503, 200, 200] == [
            await status(each)
            for each in ("2001:db8:0:1::7", "2001:db8:0:1:f::9", "2001:db8:0:2::7", "192.0.2.1")
        ]


async def test_this_process_has_no_share_to_keep_to(
    service: Wired, downloads: AsyncExitStack
) -> None:
    """An embedder reads as many files at once as there may be at all."""
    async with listening(service) as caller:
        media_id = (await hosted(port_of(caller))).rsplit("/", 1)[1]
    for _ in range(256):
        await downloads.enter_async_context(service.hosted_media.opened(media_id))
    with pytest.raises(TooManyDownloadsError):
        await downloads.enter_async_context(service.hosted_media.opened(media_id))
