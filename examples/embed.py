"""PIN verification inside your own program, with your own channel provider and without a server."""

import asyncio
import re
from collections.abc import Mapping
from typing import Any

import watchword
from watchword import Accepted, ChannelProvider, Message


class Printer(ChannelProvider):
    """A channel provider that prints; yours would call a gateway."""

    def __init__(self) -> None:
        self.last_text = ""

    def check_config(self, config: Mapping[str, Any]) -> Mapping[str, Any]:
        """Accept any settings."""
        return config

    async def send(self, config: Mapping[str, Any], message: Message) -> Accepted:
        """Print the message, and keep its code for the next step."""
        self.last_text = message.text
        print(config["prefix"], f"{message.destination}: {message.text}")
        return Accepted(message.reference)


async def main() -> None:
    """Send a code, verify a wrong one and the right one, and read the history."""
    printer = Printer()
    async with watchword.open("memory://", channels={"printer": printer}) as service:
        shop = await service.accounts.create("web-shop")
        await service.channel_accounts.create(
            shop, "sms", "printer", "printed SMS", config={"prefix": "SMS to"}
        )
        template = await service.pin_templates.create(
            shop,
            "sign-in",
            [{"channel_type": "sms", "content_text": "{{pin}} signs you in."}],
            verify_pin_limit="5/1s",
        )

        issued = await service.pins.issue(shop, template, "+919812345610")
        code = "".join(re.findall(r"\d", printer.last_text))
        for typed in ("let me in", code):
            try:
                verified = await service.pins.verify(shop, issued.pin_id, typed)
                print(f"{verified.status} with {verified.attempts_remaining} attempts remaining")
            except watchword.DomainError as refusal:
                print(f"{refusal.code}: {refusal.details['attemptsRemaining']} attempts remaining")

        replayed = await service.events.replay(issued.pin_id)
        print(" > ".join(event.type for event in replayed.events))


if __name__ == "__main__":
    asyncio.run(main())
