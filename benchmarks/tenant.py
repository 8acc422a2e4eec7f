"""Creates a tenant for the load over the management API."""

from __future__ import annotations

from typing import Any

from aiohttp import ClientSession, ClientTimeout
from attrs import field, frozen

from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN


@frozen
class Tenant:
    """The key and the template with which a caller creates PINs."""

    key: str = field(repr=False)
    template_id: str


async def set_up(base: str, phone_port: int) -> Tenant:
    """Create a key, a channel account that mirrors to the phone, and a template with only the code."""
    headers = {"Authorization": f"Bearer {SANDBOX_ADMIN_TOKEN}"}
    async with ClientSession(
        base, headers=headers, timeout=ClientTimeout(10), raise_for_status=True
    ) as session:

        async def made(kind: str, **body: Any) -> dict[str, Any]:
            async with session.post(f"/admin/v1/{kind}", json={"name": "bench", **body}) as answer:
                record: dict[str, Any] = await answer.json()
                return record

        key = await made("api-keys")
        mirror = f"udp://127.0.0.1:{phone_port}"
        channel = await made(
            "channel-accounts",
            channelType="sms",
            provider="sandbox",
            config={"outcome": "accepted", "mirror": mirror},
        )
        template = await made(
            "pin-templates",
            sendPinPerTemplateLimit="100000000/1d",
            channels=[
                {"channelType": "sms", "channelAccountId": channel["id"], "contentText": "{{pin}}"}
            ],
        )
    return Tenant(key["key"], template["id"])
