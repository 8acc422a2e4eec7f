"""Callback URLs that must not be called, and callbacks after a restart (C-33, C-47)."""

from __future__ import annotations

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import Serving
from tests.entrypoints.http.legacy.test_send import answered, report, sent, token, wrong
from tests.entrypoints.legacy.bodies import TEXT
from tests.entrypoints.receiving import Receiver

STORES = ("sqlite",)


async def test_a_private_url_is_refused(caller: Caller, receiver: Receiver) -> None:
    """103 without --allow-private-urls, in any notation."""
    held = await token(caller)
    for url in (
        receiver.url,
        "http://localhost/told",
        "http://[::1]/told",
        "http://2130706433/",
        "http://user:pass@example.com/",
        "file:///etc/passwd",
        "https://tea.example/" + "x" * 2_048,
    ):
        assert ["callbackUrl"] == wrong(await answered(caller, held, {**TEXT, "callbackUrl": url}))


async def test_a_url_is_looked_at_again_before_each_call(
    serving: Serving, receiver: Receiver
) -> None:
    """One that was taken while private addresses were allowed is not called when they are not."""
    async with serving(allow_private_urls=True) as first:
        message_id = await sent(first, await token(first), callbackUrl=receiver.url)
    async with serving() as second:
        await report(second, message_id, "DELIVERED")
        await second.advance(60)
    assert [] == receiver.came
    async with serving(allow_private_urls=True) as third:
        await third.advance(3_600)
        (came,) = await receiver.until(1)

    assert "DELIVERED" == came.said["event"]["status"]
