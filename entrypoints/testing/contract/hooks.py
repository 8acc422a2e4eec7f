"""The parts that an adapter's test fills in: how to make its provider, and how its counterpart speaks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from typing import Any, ClassVar

import pytest
import pytest_asyncio
from attrs import evolve

from ....application.ports.channels import (
    Accepted,
    ChannelProvider,
    Message,
    Post,
    Rejected,
    SentMessage,
    Unknown,
)
from ....domain.channel import Channel, ChannelName
from ....domain.receipt import ReceiptStatus
from ..contexts import ADDRESS, FakeContext
from ..messages import a_message

# The seconds in which every call of the suite is answered; the service allows 10.
PATIENCE = 10


class ContractHooks:
    """
    The hooks of the suite.

    `provider`, `config` and `rejected` are always needed. A provider with receipts defines `worded`, and one
    whose posts are signed defines `headers`; without receipts, it sets `has_receipts = False`. A provider
    that can revoke defines `arrive`. The other hooks make more tests run, or change what they expect.
    """

    # Whether the provider posts what became of a message; false for one that hears by `Context.hear` alone.
    has_receipts: ClassVar[bool] = True
    # The statuses that it reports.
    statuses: ClassVar[Collection[ReceiptStatus]] = tuple(ReceiptStatus)
    # The error code that `worded` gets for a failed message, and that its receipt then has; None if the
    # provider reports no codes.
    failed_code: ClassVar[str | None] = "absent"
    # Bodies that are no receipt of the provider; empty for one that does not read the body.
    unreadable_bodies: ClassVar[Sequence[bytes]] = (b"", b"\xff", b"{", b"[" * 100_000)
    # Settings whose names sound secret, and that everybody may see.
    public_settings: ClassVar[Collection[str]] = ()
    # Loggers of a counterpart in the same process, which may quote messages.
    counterpart_loggers: ClassVar[Collection[str]] = ()

    @pytest.fixture
    def provider(self) -> ChannelProvider:
        """Return a provider that nobody has opened."""
        raise NotImplementedError("Define the fixture `provider`.")

    @pytest.fixture
    def config(self) -> Mapping[str, Any]:
        """Return a config that it accepts, with as many settings as possible."""
        raise NotImplementedError("Define the fixture `config`.")

    @pytest.fixture
    def rejected(self) -> Message:
        """Return a message that it refuses: made by `self.message(...)`, with a change."""
        raise NotImplementedError("Define the fixture `rejected`.")

    @pytest.fixture
    def unreachable(self) -> Mapping[str, Any] | None:
        """Return a config whose counterpart refuses connections; None if there is no such thing."""
        return None

    @pytest.fixture
    def context(self) -> FakeContext:
        """Return the service that the provider is opened with."""
        return FakeContext()

    @pytest_asyncio.fixture
    async def opened(
        self, provider: ChannelProvider, context: FakeContext
    ) -> AsyncIterator[ChannelProvider]:
        """Yield the provider, opened."""
        await provider.open(context)
        try:
            yield provider
        finally:
            await provider.close()

    def channels(self, provider: ChannelProvider) -> Sequence[ChannelName]:
        """Return the channels to test: those that the provider serves, or all."""
        return sorted(provider.channels or Channel)

    def message(self, channel: ChannelName, number: int = 1) -> Message:
        """Return the n-th message of a test; each has a reference and a destination of its own."""
        return a_message(number, channel=channel)

    def taken(self, provider: Any) -> int | None:
        """Return how many messages the counterpart has taken in all; None if it does not count."""
        return None

    def arrive(self, provider: Any, provider_message_id: str) -> None:
        """Deliver a message that the provider took to its recipient."""
        raise NotImplementedError("Define `arrive`, since `can_revoke` is true.")

    def worded(
        self, provider_message_id: str, status: ReceiptStatus, error_code: str | None
    ) -> bytes:
        """
        Return the body of a receipt, as the provider posts it.

        `error_code` is `failed_code` with `ReceiptStatus.FAILED`, and None with every other status.
        """
        raise NotImplementedError("Define `worded`, or set `has_receipts = False`.")

    def headers(self, config: Mapping[str, Any], body: bytes) -> Mapping[str, str]:
        """Return the headers of a post that sign it, with names in lower case."""
        return {}

    def post(
        self, provider_message_id: str, status: ReceiptStatus, error_code: str | None = None
    ) -> Post:
        """Return a receipt without a signature; defined by providers that use the URL or the method."""
        body = self.worded(provider_message_id, status, error_code)
        return Post(url=f"{ADDRESS}/cha_orchid", body=body)

    def signed(self, config: Mapping[str, Any], post: Post) -> Post:
        """Return a post with the provider's signature; defined where it is not in headers alone."""
        return evolve(post, headers={**post.headers, **self.headers(config, post.body)})

    def with_unknown_status(self) -> Post | None:
        """Return a receipt whose status nobody knows, without a signature; None: no such test."""
        return None

    def a_status(self) -> ReceiptStatus:
        """Return a status that the provider reports, without an error code if it has such a one."""
        return next(
            (each for each in self.statuses if each is not ReceiptStatus.FAILED),
            ReceiptStatus.FAILED,
        )

    def receipt(
        self,
        config: Mapping[str, Any],
        status: ReceiptStatus,
        provider_message_id: str = "their-7",
    ) -> Post:
        """Return a signed receipt."""
        code = self.failed_code if status is ReceiptStatus.FAILED else None
        return self.signed(config, self.post(provider_message_id, status, code))


async def sent(
    provider: ChannelProvider, config: Mapping[str, Any], message: Message
) -> Accepted | Rejected | Unknown:
    """Send a message, within the time that the service allows."""
    async with asyncio.timeout(PATIENCE):
        return await provider.send(config, message)


def as_sent(message: Message, taken: Accepted) -> SentMessage:
    """Return an accepted message as a revoke names it."""
    return SentMessage(
        reference=message.reference,
        destination=message.destination,
        sender=message.sender,
        provider_message_id=taken.provider_message_id,
    )
