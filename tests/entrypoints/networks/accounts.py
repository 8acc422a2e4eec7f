"""Channel accounts of the demo account whose providers are networks on loopback."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from attrs import frozen

from tests.entrypoints.caller import Caller

PUBLIC = "https://pins.example.com"


@frozen
class Account:
    """A channel account, as its counterpart reaches it."""

    caller: Caller
    channel_account_id: str
    callback_url: str

    async def post(self, body: bytes, headers: Mapping[str, str]) -> int:
        """Post to the account's address; return the status of the answer."""
        parts = urlsplit(self.callback_url)
        path = f"{parts.path}?{parts.query}" if parts.query else parts.path
        nobody = self.caller.using(None)
        return (await nobody.post(path, data=body, headers=dict(headers))).status


async def account_of(
    caller: Caller,
    channel: str,
    provider: str,
    config: Mapping[str, Any],
    sender: str | None = None,
    name: str = "ours",
) -> Account:
    """
    Create a channel account, in place of the sandbox's one of the channel, which is disabled.

    Without a sender it takes that account's.
    """
    listed = (await caller.operated("GET", "/channel-accounts"))["data"]
    for each in listed:
        if each["channelType"] == channel and each["provider"] == "sandbox" and each["enabled"]:
            await caller.operated("POST", f"/channel-accounts/{each['id']}/disable")
    (old,) = [
        each for each in listed if (each["channelType"], each["provider"]) == (channel, "sandbox")
    ]
    body = {
        "name": f"{name} at {provider}",
        "channelType": channel,
        "provider": provider,
        "sender": sender or old["sender"],
        "config": dict(config),
    }
    made = await caller.operated("POST", "/channel-accounts", body)
    return Account(caller, made["id"], made["callbackUrl"])
