"""Sends: required keys, the order of checks, and the answer to a retry (C-8, C-10, C-58, C-64)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.entrypoints.caller import Caller, Reply
from tests.entrypoints.conftest import Serving
from tests.entrypoints.messaging.sends import DEMO_WA, SMS
from tests.fakes.providers import HesitantProvider

MIB = 1024 * 1024
PATHS = ["/oapi/send_sms", "/send_sms"]
TEXT = {"Content-Type": "text/plain"}
BIG = b'{"x":"' + b"x" * MIB + b'"}'
REJECTING = "+4915112340001"


def unauthorized(reply: Reply) -> None:
    """Expect a 401 in the messaging form that names the header to use."""
    assert (401, "unauthorized") == reply.refusal
    assert 'ApiKey header="apikey"' == reply.headers["WWW-Authenticate"]
    assert ("error", []) == (reply.json["status"], reply.json["errors"])
    assert "header apikey" in reply.json["message"]
    assert "Bearer" not in reply.body.decode()


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("key", [None, "", " ", "no-such-key", "sandbox-ke", "sandbox-admin", "é"])
async def test_without_a_valid_key_it_is_401(caller: Caller, key: str | None, path: str) -> None:
    """Missing or unknown, also with a valid key elsewhere: unauthorized (C-8)."""
    unauthorized(await caller.using(key).send(sms=[SMS], path=path))
    for elsewhere in ("Bearer sandbox-key", "sandbox-key"):
        headers = {"Authorization": elsewhere}

        unauthorized(await caller.using(None).post(path, {"sms": [SMS]}, headers=headers))
    assert [] == await caller.outbox()


async def test_a_key_without_the_scope_is_403(caller: Caller) -> None:
    """A key for PINs alone sends nothing (C-8)."""
    made = await caller.operated("POST", "/api-keys", {"name": "pins", "scopes": ["pins"]})
    reply = await caller.using(made["key"]).send(sms=[SMS])

    assert (403, "forbidden") == reply.refusal
    assert "error" == reply.json["status"]


async def test_a_key_for_messaging_is_enough(caller: Caller) -> None:
    """The scope `messaging` opens the endpoint."""
    made = await caller.operated("POST", "/api-keys", {"name": "m", "scopes": ["messaging"]})

    await caller.using(made["key"]).sent(sms=[SMS])


async def test_a_revoked_key_is_refused(caller: Caller) -> None:
    """At once (C-6)."""
    made = await caller.operated("POST", "/api-keys", {"name": "web"})
    await caller.operated("DELETE", f"/api-keys/{made['id']}")

    unauthorized(await caller.using(made["key"]).send(sms=[SMS]))


@pytest.mark.parametrize("path", PATHS)
async def test_a_wrong_method_is_405(caller: Caller, path: str) -> None:
    """Before any key is asked for, in the messaging form (C-18, C-64)."""
    reply = await caller.using(None).get(path)

    assert (405, "method_not_allowed") == reply.refusal
    assert "POST" == reply.headers["Allow"]
    assert "error" == reply.json["status"]


@pytest.mark.parametrize("path", PATHS)
async def test_a_key_comes_before_the_body(caller: Caller, path: str) -> None:
    """Nothing of a body is looked at without one (C-8)."""
    options: dict[str, Any]
    for options in ({"data": b"x", "headers": TEXT}, {"data": BIG}, {"data": b"{"}):
        unauthorized(await caller.using(None).post(path, **options))


@pytest.mark.parametrize("path", PATHS)
async def test_then_type_size_syntax_and_fields(caller: Caller, path: str) -> None:
    """415 before 413 before 400 (C-58, C-64)."""
    key = {"apikey": "sandbox-key"}
    nobody = caller.using(None)

    async def refusal(data: bytes, more: dict[str, str]) -> tuple[int, str]:
        reply = await nobody.post(path, data=data, headers=key | more)
        assert "error" == reply.json["status"]
        return reply.refusal

    assert (415, "unsupported_media_type") == await refusal(BIG, TEXT)
    assert (413, "payload_too_large") == await refusal(BIG, {})
    assert (400, "validation_failed") == await refusal(b"{", {})
    assert (400, "validation_failed") == await refusal(b'{"sms": [], "sms": []}', {})
    assert (400, "validation_failed") == await refusal(b'{"sms": "\\u0000"}', {})
    assert ["body"] == (await nobody.post(path, headers=key)).wrong


async def test_then_the_key_then_existence(caller: Caller) -> None:
    """Fields before the Idempotency-Key, and that before the template (C-64)."""
    unknown = {**DEMO_WA, "template": {"name": "nothing", "language": {"code": "en"}}}
    await caller.send(sms=[SMS], once="tea")

    wrong = (await caller.send(sms=[{**SMS, "type": "x"}], once="tea")).wrong
    assert {"sms[0].type"} == set(wrong)
    assert (422, "idempotency_key_reuse") == (await caller.send(wa=[unknown], once="tea")).refusal
    assert (404, "template_not_found") == (await caller.send(wa=[unknown], once="new")).refusal


def replays(original: Reply, replay: Reply) -> None:
    """Expect the original answer, byte for byte, and the mark of a replay."""
    assert (original.status, original.body) == (replay.status, replay.body)
    assert original.headers["X-Request-Id"] == replay.headers["X-Request-Id"]
    assert "true" == replay.headers["Idempotent-Replayed"]
    assert "Idempotent-Replayed" not in original.headers


async def test_a_send_is_replayed_on_either_path(caller: Caller) -> None:
    """Aliases are one route: one send, one answer (C-10)."""
    first = await caller.send(sms=[SMS], once="tea")

    replays(first, await caller.send(sms=[SMS], once="tea"))
    replays(first, await caller.send(sms=[SMS], once="tea", path="/send_sms"))
    assert 1 == len(await caller.outbox())


async def test_a_call_whose_entries_were_rejected_is_replayed(caller: Caller) -> None:
    """It was dispatched, so its answer is kept."""
    first = await caller.send(sms=[{**SMS, "recipient": REJECTING}], once="tea")

    assert "rejected" == first.json["data"][0]["status"]
    replays(first, await caller.send(sms=[{**SMS, "recipient": REJECTING}], once="tea"))


async def test_what_was_refused_before_the_dispatch_leaves_the_key_free(caller: Caller) -> None:
    """400, 401 and 404 are not saved (C-10)."""
    unknown = {**DEMO_WA, "template": {"name": "nothing", "language": {"code": "en"}}}

    assert 400 == (await caller.send(once="tea")).status
    assert 401 == (await caller.using("nobody").send(sms=[SMS], once="tea")).status
    assert 404 == (await caller.send(wa=[unknown], once="tea")).status
    assert 200 == (await caller.send(sms=[SMS], once="tea")).status


async def test_a_key_of_another_form_is_400(caller: Caller) -> None:
    """1 to 255 visible ASCII characters (C-10)."""
    assert ["Idempotency-Key"] == (await caller.send(sms=[SMS], once="x" * 256)).wrong


async def test_a_pins_key_and_a_sends_key_are_apart(caller: Caller) -> None:
    """Another route is another claim (C-10)."""
    await caller.create("+919812345611", once="tea")

    assert 200 == (await caller.send(sms=[SMS], once="tea")).status


async def test_while_the_original_is_under_way_it_is_409(serving: Serving) -> None:
    """The answer has the messaging form and a Retry-After (C-11)."""
    hesitant = HesitantProvider()
    async with serving(providers={"hesitant": hesitant}) as caller:
        channel = {"name": "slow", "channelType": "sms", "provider": "hesitant", "sender": "slow"}
        await caller.operated("POST", "/channel-accounts", channel)
        body: dict[str, Any] = {"sms": [{**SMS, "sender": "slow"}]}
        original = asyncio.create_task(caller.send(once="tea", **body))
        await hesitant.asked.wait()
        waiting = await caller.send(once="tea", **body)
        hesitant.may_answer.set()
        first = await original

        assert (409, "idempotency_in_progress") == waiting.refusal
        assert 1 <= int(waiting.headers["Retry-After"]) <= 30
        replays(first, await caller.send(once="tea", **body))
