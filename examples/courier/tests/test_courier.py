"""Courier keeps the contract of channel providers, against a gateway that is played here."""

from __future__ import annotations

import hmac
import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest
from watchword_courier import SIGNATURE, Courier

from watchword import Fault, Message, Post, ReceiptStatus, Rejected, Unknown
from watchword.testing import (
    FakeContext,
    FaultyHttp,
    FaultyTcp,
    HttpAnswer,
    HttpProviderContract,
    HttpRequest,
    SignedReportsContract,
    a_message,
    cuts,
)

STATES = {
    ReceiptStatus.SENT: "transit",
    ReceiptStatus.DELIVERED: "delivered",
    ReceiptStatus.FAILED: "failed",
}


class Gateway(FaultyHttp):
    """Courier: takes messages by their token, and refuses a number that does not exist."""

    def __init__(self) -> None:
        super().__init__(self.answered)
        self.taken: list[str] = []

    def answered(self, request: HttpRequest) -> HttpAnswer:
        """Take a message, or refuse it."""
        if request.headers.get("authorization") != "Bearer tea":
            return HttpAnswer.json({"error": 1001}, 401)
        if request.json()["to"] == "nobody":
            return HttpAnswer.json({"error": 1201, "words": request.json()["text"]}, 422)
        self.taken.append(request.json()["reference"])
        return HttpAnswer.json({"id": f"courier-{len(self.taken)}"}, 202)


def config_of(url: str) -> Mapping[str, Any]:
    """Return the config of a channel account at a gateway."""
    return {"url": url, "token": "tea", "signingKey": "milk"}


@pytest.fixture
async def gateway() -> AsyncIterator[Gateway]:
    """Yield a gateway."""
    async with Gateway() as gateway:
        yield gateway


@pytest.fixture
async def courier() -> AsyncIterator[Courier]:
    """Yield an open provider."""
    courier = Courier()
    await courier.open(FakeContext())
    yield courier
    await courier.close()


class TestCourier(SignedReportsContract, HttpProviderContract):
    """The contract, and that of providers with an HTTP API."""

    statuses = tuple(STATES)

    @pytest.fixture
    def provider(self, gateway: Gateway) -> Courier:
        """Return the provider."""
        self.gateway = gateway
        return Courier()

    @pytest.fixture
    def config(self, gateway: Gateway) -> Mapping[str, Any]:
        """Return the config of a channel account."""
        return config_of(gateway.url)

    @pytest.fixture
    async def unreachable(self) -> Mapping[str, Any]:
        """Return the config of a gateway that is away."""
        async with FaultyHttp() as gone:
            return config_of(gone.url)

    @pytest.fixture
    def rejected(self) -> Message:
        """Return a message to a number that does not exist."""
        return a_message(destination="nobody")

    def config_at(self, url: str) -> Mapping[str, Any]:
        """Return the config of a channel account at an address."""
        return config_of(url)

    def acceptance(self) -> HttpAnswer:
        """Take a message."""
        return HttpAnswer.json({"id": "courier-7"}, 202)

    def refusal(self) -> HttpAnswer:
        """Refuse a message."""
        return HttpAnswer.json({"error": 9999}, 422)

    def taken(self, provider: Courier) -> int:
        """Count the messages that the gateway took."""
        return len(self.gateway.taken)

    def worded(
        self, provider_message_id: str, status: ReceiptStatus, error_code: str | None
    ) -> bytes:
        """Word a receipt."""
        return events(provider_message_id, STATES[status], error_code)

    def headers(self, config: Mapping[str, Any], body: bytes) -> Mapping[str, str]:
        """Sign a receipt."""
        return {SIGNATURE: hmac.digest(config["signingKey"].encode(), body, "sha256").hex()}

    def with_unknown_status(self) -> Post:
        """Word a receipt with a state that Courier has never used."""
        return Post(body=events("their-7", "teleported", None))


def events(provider_message_id: str, state: str, reason: str | None) -> bytes:
    """Word a post with one event."""
    event = {"id": provider_message_id, "state": state, "reason": reason}
    return json.dumps({"events": [{**event, "at": "2031-05-04T12:00:00Z"}]}).encode()


async def test_no_cut_makes_it_lie(courier: Courier, gateway: Gateway) -> None:
    """Nothing that the gateway took is called rejected, and nothing is sent twice."""
    async with FaultyTcp(gateway.port) as proxy:
        config = config_of(f"http://{proxy.host}:{proxy.port}")
        tally = await cuts(courier, config, proxy, lambda: len(gateway.taken), a_message)

    assert tally.wrong == []
    assert tally.cut >= 100


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        (HttpAnswer(status=401), Fault.ACCOUNT),
        (HttpAnswer(status=429), Fault.BUSY),
        (HttpAnswer.json({"error": 1201}, 422), Fault.RECIPIENT),
        (HttpAnswer.json({"error": 9999}, 422), Fault.CONTENT),
        (HttpAnswer.json({"id": 7}, 202), None),
        (HttpAnswer.text("not JSON", 202), None),
        (HttpAnswer.huge(), None),
        (HttpAnswer.redirect("https://elsewhere.example.com"), None),
        (HttpAnswer(status=500), None),
    ],
)
async def test_an_answer_is_read(
    courier: Courier, gateway: Gateway, answer: HttpAnswer, read: Fault | None
) -> None:
    """A refusal has its fault; what does not say that nothing was taken is unknown (None here)."""
    gateway.says(answer)
    said = await courier.send(config_of(gateway.url), a_message())

    if read is None:
        assert isinstance(said, Unknown)
    else:
        assert isinstance(said, Rejected)
        assert read is said.fault
