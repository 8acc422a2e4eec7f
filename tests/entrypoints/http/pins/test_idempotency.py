"""Idempotency-Key on D1 and D2: one effect, one answer (SPEC section 4, C-10)."""

from __future__ import annotations

import asyncio

from tests.entrypoints.caller import Caller, Reply
from tests.entrypoints.conftest import EVERY_STORE, Serving
from tests.fakes.providers import HesitantProvider

STORES = EVERY_STORE

REJECTING, SILENT = "+919812340001", "+919812340004"


def replays(original: Reply, replay: Reply) -> None:
    """Expect the original answer: status, bytes and request id, and the mark of a replay."""
    assert (original.status, original.body) == (replay.status, replay.body)
    assert original.headers["X-Request-Id"] == replay.headers["X-Request-Id"]
    assert original.headers["Content-Type"] == replay.headers["Content-Type"]
    assert "true" == replay.headers["Idempotent-Replayed"]
    assert "Idempotent-Replayed" not in original.headers


async def test_a_create_is_replayed_byte_for_byte(caller: Caller) -> None:
    """The same key and body return the first answer again, and dispatch nothing."""
    first = await caller.create(once="tea")

    replays(first, await caller.create(once="tea"))
    replays(first, await caller.create(once="tea"))

    assert 1 == len(await caller.outbox())


async def test_a_resend_is_replayed_byte_for_byte(caller: Caller) -> None:
    """Inside the cooldown that the original itself began, too."""
    pin_id = await caller.created()
    await caller.advance(30)
    first = await caller.resend(pin_id, once="tea")

    replays(first, await caller.resend(pin_id, once="tea"))

    assert 200 == first.status
    assert 2 == len(await caller.outbox())


async def test_a_502_is_saved(caller: Caller) -> None:
    """An answer given after dispatch began is saved, a failure too."""
    first = await caller.create(REJECTING, once="tea")

    assert (502, "dispatch_failed") == first.refusal
    replays(first, await caller.create(REJECTING, once="tea"))


async def test_a_502_that_names_its_pin_is_saved(serving: Serving) -> None:
    """The replay of an unknown outcome has the same PIN's id, byte for byte (C-68)."""
    async with serving(provider_timeout=0.05) as caller:
        first = await caller.create(SILENT, once="tea")
        (row,) = (await caller.operated("GET", "/verifications"))["data"]

        assert row["pinId"] == first.error["details"]["pinId"]
        replays(first, await caller.create(SILENT, once="tea"))


async def test_a_502_of_a_resend_is_saved(caller: Caller) -> None:
    """The replay says 502 even though a new try might go through."""
    tea = await caller.with_template(
        {"channelType": "sms"}, await caller.rejecting_whatsapp(), resendCooldown="0s"
    )
    pin_id = await tea.created()
    first = await tea.resend(pin_id, once="tea", channels=["whatsapp"])

    assert 502 == first.status
    replays(first, await tea.resend(pin_id, once="tea", channels=["whatsapp"]))


async def test_an_answer_that_depends_on_nothing_sent_is_not_saved(caller: Caller) -> None:
    """400, 404, 409, 422 and 429 leave the key free: the next try is a new one."""
    tea = await caller.with_template(sendPinPerPhoneNumberLimit="1/1h")
    await tea.operated("POST", f"/pin-templates/{tea.template}/disable")

    assert 400 == (await tea.create("", once="tea")).status
    assert 404 == (await tea.under("tpl_none").create(once="tea")).status
    assert 409 == (await tea.create(once="tea")).status

    await tea.operated("POST", f"/pin-templates/{tea.template}/enable")

    assert 422 == (await tea.create(once="tea", channels=["whatsapp"])).status
    assert 201 == (await tea.create(once="other")).status
    assert 429 == (await tea.create(once="tea")).status

    await tea.advance(3600)

    assert 201 == (await tea.create(once="tea")).status


async def test_refusals_of_the_key_itself_are_not_saved(caller: Caller) -> None:
    """401 and 403 do not even look at the key."""
    assert 401 == (await caller.using("nobody").create(once="tea")).status
    assert 201 == (await caller.create(once="tea")).status


async def test_a_resend_inside_the_cooldown_leaves_the_key_free(caller: Caller) -> None:
    """429 resend_cooldown is not saved."""
    pin_id = await caller.created()

    assert 429 == (await caller.resend(pin_id, once="tea")).status

    await caller.advance(30)

    assert 200 == (await caller.resend(pin_id, once="tea")).status


async def test_another_body_is_reuse(caller: Caller) -> None:
    """The same key with a different body: 422 idempotency_key_reuse, and nothing is sent."""
    first = await caller.create(once="tea")

    assert (422, "idempotency_key_reuse") == (
        await caller.create("+919812345611", once="tea")
    ).refusal
    replays(first, await caller.create(once="tea"))
    assert 1 == len(await caller.outbox())


async def test_equal_bodies_are_equal_however_they_are_written(caller: Caller) -> None:
    """The fingerprint is that of the JSON value: order and white space do not count."""
    key = {"Idempotency-Key": "tea"}
    first = await caller.post(
        "/v1/pins", data=b'{"destination":"+919812345611","templateId":"tpl_demo"}', headers=key
    )
    replay = await caller.post(
        "/v1/pins",
        data=b'{ "templateId": "tpl_demo",\n "destination": "\\u002b919812345611" }',
        headers=key,
    )

    replays(first, replay)


async def test_an_empty_body_and_no_body_are_equal(caller: Caller) -> None:
    """On a resend both read as `{}` (C-64)."""
    pin_id = await caller.created()
    await caller.advance(30)
    first = await caller.resend(pin_id, once="tea")

    replays(
        first,
        await caller.post(f"/v1/pins/{pin_id}/resend", headers={"Idempotency-Key": "tea"}),
    )


async def test_after_24_hours_a_key_is_new(caller: Caller) -> None:
    """Up to 24 hours the first answer is given again; then the key serves a new request."""
    first = await caller.create(once="tea")
    await caller.advance(24 * 3600 - 30)

    replays(first, await caller.create(once="tea"))

    await caller.advance(31)
    later = await caller.create(once="tea")

    assert 201 == later.status
    assert first.json["pinId"] != later.json["pinId"]


async def test_a_replay_outlives_its_template(caller: Caller) -> None:
    """After the template is archived a replay still answers; a known key comes first (C-64)."""
    tea = await caller.with_template(resendCooldown="0s")
    created = await tea.create(once="tea")
    pin_id = created.json["pinId"]
    resent = await tea.resend(pin_id, once="tea")
    await tea.verify(pin_id, await tea.code())
    await tea.operated("POST", f"/pin-templates/{tea.template}/archive")

    replays(created, await tea.create(once="tea"))
    replays(resent, await tea.resend(pin_id, once="tea"))


async def test_keys_are_apart(caller: Caller) -> None:
    """Another account, another route, another PIN or another key: another claim."""
    neighbour = await caller.neighbour()
    tea = await caller.with_template(resendCooldown="0s")
    one, two = await tea.created("+919812345611"), await tea.created("+919812345612")
    answers = [
        await tea.create("+919812345613", once="1"),
        await tea.create("+919812345613", once="2"),
        await neighbour.create("+919812345613", once="1"),
        await tea.resend(one, once="1"),
        await tea.resend(two, once="1"),
    ]

    assert [201, 201, 201, 200, 200] == [each.status for each in answers]
    assert 5 == len({each.body for each in answers})


async def test_keys_of_one_account_share_their_claims(caller: Caller) -> None:
    """The claim belongs to the account, whichever of its API keys asks."""
    second = await caller.operated("POST", "/api-keys", {"name": "second"})
    first = await caller.create(once="tea")

    replays(first, await caller.using(second["key"]).create(once="tea"))


async def test_while_the_original_is_under_way_it_is_409(serving: Serving) -> None:
    """idempotency_in_progress carries Retry-After; later the original's answer is given (C-11)."""
    hesitant = HesitantProvider()
    async with serving(providers={"hesitant": hesitant}) as caller:
        slow = await caller.with_template(await caller.channel("sms", {}, "hesitant"))
        original = asyncio.create_task(slow.create(once="tea"))
        await hesitant.asked.wait()
        waiting = await slow.create(once="tea")
        other = await slow.create("+919812345611", once="tea")
        hesitant.may_answer.set()
        first = await original

        assert (409, "idempotency_in_progress") == waiting.refusal
        assert {"retryAfterSeconds": int(waiting.headers["Retry-After"])} == (
            waiting.error["details"]
        )
        assert 1 <= int(waiting.headers["Retry-After"]) <= 30
        assert (422, "idempotency_key_reuse") == other.refusal
        assert 201 == first.status
        replays(first, await slow.create(once="tea"))


async def test_without_a_key_a_retry_is_a_new_send(caller: Caller) -> None:
    """Retrying without the key dispatches a second PIN and invalidates the first (SPEC D)."""
    first, second = await caller.created(), await caller.created()

    assert first != second
    assert 2 == len(await caller.outbox())
    assert 410 == (await caller.verify(first, (await caller.codes())[0])).status
