"""Every promise about the answers of an HTTP API fails for an adapter that breaks it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import aiohttp
import pytest

from watchword import Accepted, ChannelProvider, Context, Fault, Message, Rejected, Setting, Unknown
from watchword.testing import FakeContext, FaultyHttp, HttpAnswer, HttpProviderContract

Answer = Accepted | Rejected | Unknown


class Honest(ChannelProvider):
    """Posts texts, and knows nothing that an answer does not say."""

    follows = False
    limit = 65_536
    settings: Sequence[Setting] = (Setting(name="url", secret=False, help="Address."),)

    async def open(self, context: Context) -> None:
        """Prepare a client."""
        self._http = aiohttp.ClientSession()

    async def close(self) -> None:
        """Close its connections."""
        await self._http.close()

    async def send(self, config: Mapping[str, Any], message: Message) -> Answer:
        """Post the text."""
        async with self._http.post(
            config["url"], data=message.text, allow_redirects=self.follows
        ) as got:
            body = b""
            async for piece in got.content.iter_any():
                body += piece
                if len(body) > self.limit:
                    return Unknown()
            return self.read(got.status, body)

    def read(self, status: int, body: bytes) -> Answer:
        """Read an answer."""
        if status in (401, 403):
            return Rejected("log_in", "Log in.", Fault.ACCOUNT)
        if status in (429, 503):
            return Rejected("busy", "Wait.", Fault.BUSY)
        if 400 <= status < 500:
            return Rejected("no", "No.")
        return Accepted(json.loads(body)["id"]) if status == 200 else Unknown()


def mapping(status: int, answer: Answer) -> Mapping[str, Any]:
    """Return the members of an adapter that answers a status in another way."""

    def read(self: Honest, given: int, body: bytes) -> Answer:
        return answer if given == status else Honest.read(self, given, body)

    return {"read": read}


def inventing(self: Honest, status: int, body: bytes) -> Answer:
    """Take every success for an acceptance."""
    return Accepted("7") if status == 200 else Honest.read(self, status, body)


async def hiding(self: Honest, config: Mapping[str, Any], message: Message) -> Answer:
    """Call every error of a connection a rejection."""
    try:
        return await Honest.send(self, config, message)
    except aiohttp.ClientError:
        return Rejected("away", "It is away.", Fault.AWAY)


async def repeating(self: Honest, config: Mapping[str, Any], message: Message) -> Answer:
    """Post again after an error of the API."""
    answer = await Honest.send(self, config, message)
    return await Honest.send(self, config, message) if isinstance(answer, Unknown) else answer


def believing(self: Honest, status: int, body: bytes) -> Answer:
    """Take the body of an error for a refusal."""
    return Rejected("no", "No.") if status >= 500 and body else Honest.read(self, status, body)


FAILED = Rejected("failed", "It failed.")
BROKEN: Sequence[tuple[str, Mapping[str, Any]]] = (
    ("a_refusal_by_status_is_a_rejection", mapping(400, Unknown())),
    ("a_refused_log_in_is_a_fault_of_the_account", mapping(403, FAILED)),
    ("a_busy_api_is_busy", mapping(503, Unknown())),
    ("an_error_of_the_api_is_unknown", mapping(502, FAILED)),
    ("an_error_of_the_api_is_unknown", {"send": repeating}),
    ("an_error_of_the_api_is_unknown", {"read": believing}),
    ("no_redirect_is_followed", {"follows": True}),
    ("no_redirect_is_followed", mapping(308, FAILED)),
    ("an_answer_that_is_cut_is_unknown", {"send": hiding}),
    ("a_success_without_an_id_is_unknown", {"read": inventing}),
    ("no_long_answer_is_read_to_its_end", {"limit": 10**9}),
)


class Hooks(HttpProviderContract):
    """The hooks of the adapters here."""

    def config_at(self, url: str) -> Mapping[str, Any]:
        """Return a config."""
        return {"url": url}

    def acceptance(self) -> HttpAnswer:
        """Take a message."""
        return HttpAnswer.json({"id": "7"})


async def run(promise: str, members: Mapping[str, Any]) -> None:
    """Run the test of a promise on an adapter."""
    provider: Any = type("Broken", (Honest,), dict(members))()
    await provider.open(FakeContext())
    try:
        async with FaultyHttp() as web:
            await getattr(Hooks(), f"test_{promise}")(provider, web)
    finally:
        await provider.close()


def test_every_promise_is_tried() -> None:
    """A new promise needs an adapter that breaks it."""
    promises = {name for name in dir(HttpProviderContract) if name.startswith("test_")}

    assert promises == {f"test_{name}" for name, _ in BROKEN}


@pytest.mark.parametrize("promise", sorted({name for name, _ in BROKEN}))
async def test_an_honest_adapter_passes(promise: str) -> None:
    """It keeps every promise."""
    await run(promise, {})


@pytest.mark.parametrize(("promise", "members"), BROKEN)
async def test_a_broken_promise_is_seen(promise: str, members: Mapping[str, Any]) -> None:
    """The test of the promise fails, with the answer."""
    with pytest.raises(AssertionError):
        await run(promise, members)
