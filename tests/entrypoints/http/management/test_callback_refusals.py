"""Refused callback endpoints: at their creation, and again by each call (C-47, C-53)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.entrypoints.conftest import Serving
from tests.entrypoints.receiving import Receiver, endpoint

STORES = ("sqlite",)


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({}, ["url"]),
        ({"url": "http://127.0.0.1:9/"}, ["url"]),
        ({"url": "http://[::ffff:10.0.0.1]/"}, ["url"]),
        ({"url": "ftp://shop.example/"}, ["url"]),
        ({"url": "https://me:pass@shop.example/"}, ["url"]),
        ({"url": f"https://1.1.1.1/{'x' * 2048}"}, ["url"]),
        (
            {"url": "http://localhost/", "events": ["pin.*", "tea"], "secret": "whsec_dGVh"},
            ["url", "events[1]", "secret"],
        ),
        ({"url": "https://1.1.1.1/", "secret": "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0"}, ["secret"]),
        ({"url": "https://1.1.1.1/", "events": []}, ["events"]),
    ],
)
async def test_wrong_endpoints_are_refused(
    serving: Serving, body: dict[str, Any], wrong: list[str]
) -> None:
    """With every wrong field; without the flag, private addresses among them (C-47)."""
    async with serving() as closed:
        refused = await closed.operate("POST", "/callbacks", body)

        assert wrong == refused.wrong
        assert [] == (await closed.operated("GET", "/callbacks"))["data"]


async def test_what_was_allowed_is_checked_again_by_each_call(
    serving: Serving, receiver: Receiver
) -> None:
    """A service without the option calls no private address, even a stored one."""
    async with serving(allow_private_urls=True) as opened:
        made = await endpoint(opened, receiver, events=["pin.issued"])
    async with serving() as closed:
        await closed.created()
        await closed.advance(1)
        (delivery,) = (await closed.operated("GET", f"/callbacks/{made['id']}/deliveries"))["data"]

    assert ("pending", "address_refused", None) == (
        delivery["status"],
        delivery["error"],
        delivery["lastStatus"],
    )
    assert [] == receiver.came
