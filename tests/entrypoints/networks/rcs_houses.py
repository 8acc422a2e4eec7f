"""A service whose RCS goes to a network on loopback, and whose SMS go to a gateway there."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from attrs import frozen

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import Serving
from tests.entrypoints.messaging.sends import DEMO_RCS, FALLBACK, FALLBACK_SMS
from tests.entrypoints.networks.accounts import PUBLIC, Account, account_of
from tests.entrypoints.networks.phones import Phones
from tests.entrypoints.networks.rbm import Plan, Rbm, rbm
from tests.entrypoints.networks.sms_gateway import SmsGateway, sms_gateway

# The seconds that a send and a revoke have.
PROVIDER_TIMEOUT = 2.0
GATEWAY_SENDER = "GATE"


def phone_of(number: int) -> str:
    """Return a phone's number."""
    return f"+49151{20_000_000 + number}"


@frozen
class RcsHouse:
    """The caller of the service, and the networks beside it."""

    caller: Caller
    phones: Phones
    rbm: Rbm
    gateway: SmsGateway
    google: Account

    async def send(self, *recipients: str, wait: int) -> Mapping[str, Any]:
        """Send an RCS message to each, with an SMS that follows after `wait` seconds."""
        step = {**FALLBACK_SMS, "sender": GATEWAY_SENDER}
        body: Mapping[str, Any] = await self.caller.sent(
            rcs=[{**DEMO_RCS, "recipient": each} for each in recipients],
            fallback={**FALLBACK, "waittime": str(wait), "sms": step},
        )
        return body


@asynccontextmanager
async def rcs_house(
    serving: Serving, plan: Callable[[str], Plan], provider_timeout: float = PROVIDER_TIMEOUT
) -> AsyncIterator[RcsHouse]:
    """Serve with both networks."""
    phones = Phones()
    async with (
        rbm(phones, plan) as network,
        sms_gateway(phones) as gateway,
        serving(provider_timeout=provider_timeout, public_url=PUBLIC) as caller,
    ):
        google = await account_of(caller, "rcs", "rcs_business", network.config)
        await account_of(caller, "sms", "http", gateway.config, GATEWAY_SENDER)
        path = f"/callbacks/{google.channel_account_id}"
        network.events_url = str(caller.endpoint.make_url(path))
        yield RcsHouse(caller, phones, network, gateway, google)
