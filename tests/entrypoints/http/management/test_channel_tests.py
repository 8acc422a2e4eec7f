"""The route that tests a channel account: whole, and line by line (C-67)."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from attrs import frozen

from tests.application.house import House, build_house
from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import listening
from tests.fakes.providers import HesitantProvider, ScriptedProvider
from watchword.application.ports.channels import Accepted, Message, Rejected
from watchword.domain.channel import Channel
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN

TO = {"to": "+447700900123"}
LINES = "application/x-ndjson"


@frozen
class Bench:
    """A listening service whose provider the test controls."""

    house: House
    caller: Caller
    account: str

    @property
    def path(self) -> str:
        """The route of the test."""
        return f"/admin/v1/channel-accounts/{self.account}/test"

    async def lines(self, accept: str = LINES) -> AsyncIterator[Any]:
        """Yield each line of a test when it comes."""
        headers = {"Authorization": f"Bearer {SANDBOX_ADMIN_TOKEN}", "Accept": accept}
        url = self.caller.endpoint.make_url(self.path)
        async with self.caller.session.post(url, json=TO, headers=headers) as response:
            assert (200, LINES) == (response.status, response.content_type)
            assert response.headers["X-Request-Id"]
            async for line in response.content:
                yield json.loads(line)


async def opened(provider: ScriptedProvider) -> AsyncIterator[Bench]:
    """Yield a service with one channel account of this provider."""
    house = await build_house(provider)
    account = await house.service.channel_accounts.create(
        house.by, channel_type=Channel.SMS, provider="scripted", name="bench", config={}
    )
    async with listening(house.service) as caller:
        yield Bench(house, caller.using(SANDBOX_ADMIN_TOKEN), account.id)


@pytest.fixture
async def bench() -> AsyncIterator[Bench]:
    """Yield a service whose provider accepts everything."""
    async for each in opened(ScriptedProvider()):
        yield each


async def test_a_test_is_answered_whole(bench: Bench) -> None:
    """With its steps, its outcome and the provider's id."""
    reply = await bench.caller.post(bench.path, TO)

    assert 200 == reply.status
    assert ("accepted", "scripted-1") == (reply.json["outcome"], reply.json["providerMessageId"])
    assert [
        ("config", "ok", "no secrets"),
        ("connect", "skipped", "this provider has nothing to log in to"),
        ("send", "ok", "accepted as scripted-1"),
        ("receipt", "skipped", "not waited for"),
    ] == [(each["step"], each["status"], each["detail"]) for each in reply.json["steps"]]
    assert all(0 <= each["milliseconds"] < 5_000 for each in reply.json["steps"])


async def test_a_rejected_send_is_a_result() -> None:
    """The request was right; a test without a provider's id has no such member."""

    async def refuse(message: Message) -> Rejected:
        return Rejected("no_such_number", "Nobody has it.")

    async for bench in opened(ScriptedProvider(refuse)):
        reply = await bench.caller.post(bench.path, TO)

        assert (200, "rejected") == (reply.status, reply.json["outcome"])
        assert "providerMessageId" not in reply.json


@pytest.mark.parametrize("accept", [LINES, f"text/html, {LINES};q=0.9"])
async def test_each_step_is_a_line_when_it_has_happened(accept: str) -> None:
    """The first lines come while the provider still thinks; the whole is the last."""
    provider = HesitantProvider()
    async for bench in opened(provider):
        lines = bench.lines(accept)
        first = [await anext(lines), await anext(lines)]
        provider.may_answer.set()
        rest = [each async for each in lines]

        assert ["config", "connect"] == [each["step"] for each in first]
        assert ["send", "receipt"] == [each["step"] for each in rest[:-1]]
        assert [*first, *rest[:-1]] == rest[-1]["steps"]
        assert "accepted" == rest[-1]["outcome"]


async def test_an_error_after_the_first_line_is_the_last_line() -> None:
    """Its status is sent by then; the line has the form of errors."""

    async def gone(message: Message) -> Accepted:
        there.house.store.reachable = False
        return Accepted("p-1")

    async for there in opened(ScriptedProvider(gone)):
        lines = [each async for each in there.lines()]

        assert ["config", "connect"] == [each["step"] for each in lines[:-1]]
        assert "unavailable" == lines[-1]["error"]["code"]


async def test_an_unexpected_error_after_the_first_line_says_nothing_of_itself(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log has it."""

    async def broken(*_: object) -> None:
        raise LookupError("CANARY")

    monkeypatch.setattr(bench.house.service.journal, "write", broken)
    lines = [each async for each in bench.lines()]

    assert "internal_error" == lines[-1]["error"]["code"]
    assert "CANARY" not in json.dumps(lines)


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, ["to"]),
        ({"to": "nobody"}, ["to"]),
        ({**TO, "text": ""}, ["text"]),
        ({**TO, "waitSeconds": 61}, ["waitSeconds"]),
        ({**TO, "waitSeconds": -1}, ["waitSeconds"]),
        ({**TO, "waitSeconds": "ten"}, ["waitSeconds"]),
        ({**TO, "template": "hello"}, ["template"]),
        ({**TO, "template": "a\nb"}, ["template"]),
        ({**TO, "language": "en"}, ["language"]),
    ],
)
@pytest.mark.parametrize("accept", ["application/json", LINES])
async def test_a_wrong_body_is_400_by_its_path(
    bench: Bench, body: Any, fields: list[str], accept: str
) -> None:
    """Before the first line, and nothing is sent."""
    reply = await bench.caller.post(bench.path, body, headers={"Accept": accept})

    assert (400, fields) == (
        reply.status,
        [each["field"] for each in reply.json["error"]["details"]["fields"]],
    )
    assert [] == bench.house.provider.messages


async def test_an_unknown_channel_account_is_404(bench: Bench) -> None:
    """Also where lines are accepted."""
    path = "/admin/v1/channel-accounts/cha_0/test"
    reply = await bench.caller.post(path, TO, headers={"Accept": LINES})

    assert (404, "channel_account_not_found") == (reply.status, reply.json["error"]["code"])


async def test_only_operators_test(bench: Bench) -> None:
    """A test costs money."""
    reply = await bench.caller.using("sandbox-key").post(bench.path, TO)

    assert 401 == reply.status
    assert [] == bench.house.provider.messages
