"""Accounts do not see each other: a foreign id answers as an unknown one does (C-7)."""

from __future__ import annotations

from typing import Any

from tests.entrypoints.caller import Caller, Reply


def apart_from_the_request(reply: Reply) -> tuple[int, dict[str, Any]]:
    """Return all of an error answer except the request's own id."""
    return reply.status, reply.error


async def test_a_foreign_pin_is_unknown(caller: Caller) -> None:
    """Verify and resend of another account's PIN: 404, the same body as for no PIN at all."""
    neighbour = await caller.neighbour()
    theirs = await neighbour.created()
    code = await neighbour.code()

    assert apart_from_the_request(await caller.verify("pin_none", code)) == (
        apart_from_the_request(await caller.verify(theirs, code))
    )
    assert apart_from_the_request(await caller.resend("pin_none")) == (
        apart_from_the_request(await caller.resend(theirs))
    )
    assert ["PinIssued", "PinDispatched"] == await caller.story(theirs)
    assert 200 == (await neighbour.verify(theirs, code)).status


async def test_a_foreign_template_is_unknown(caller: Caller) -> None:
    """Sending under another account's template: 404, the same body as for no template at all."""
    neighbour = await caller.neighbour()

    assert apart_from_the_request(await caller.under("tpl_none").create()) == (
        apart_from_the_request(await caller.under(neighbour.template).create())
    )
    assert [] == await caller.outbox()


async def test_even_a_disabled_foreign_template_is_unknown(caller: Caller) -> None:
    """The answer does not show the state of another account's template."""
    neighbour = await caller.neighbour()
    await caller.operated("POST", f"/pin-templates/{neighbour.template}/archive")

    assert (404, "template_not_found") == (await caller.under(neighbour.template).create()).refusal


async def test_lists_show_the_own_templates_alone(caller: Caller) -> None:
    """D4 lists the templates of the key's account, for any search."""
    neighbour = await caller.neighbour()

    assert ["demo"] == [each["name"] for each in (await caller.templates()).json["data"]]
    assert ["neighbour"] == [each["name"] for each in (await neighbour.templates()).json["data"]]
    assert 0 == (await neighbour.templates("search=demo")).json["total"]


async def test_the_same_destination_is_another_budget(caller: Caller) -> None:
    """Sends of one account limit and supersede nothing of another's."""
    neighbour = await caller.neighbour()
    mine, theirs = await caller.created(), await neighbour.created()

    assert 200 == (await caller.verify(mine, (await caller.codes())[0])).status
    assert 200 == (await neighbour.verify(theirs, await neighbour.code())).status


async def test_a_foreign_channel_account_cannot_be_used(caller: Caller) -> None:
    """A template takes its own account's channel accounts, and answers alike for foreign ones."""
    await caller.neighbour()
    listed = (await caller.operated("GET", "/channel-accounts?account=neighbour"))["data"]
    answers = []
    for channel_account in (listed[0]["id"], "cha_none", "tpl_demo"):
        body = {
            "name": "borrowed",
            "channels": [{"channelType": "sms", "channelAccountId": channel_account}],
        }
        reply = await caller.operate("POST", "/pin-templates", body)
        answers.append(apart_from_the_request(reply))

        assert ["channels[0].channelAccountId"] == reply.wrong
    assert answers[0] == answers[1] == answers[2]


async def test_the_id_of_another_kind_of_thing_is_unknown(caller: Caller) -> None:
    """A PIN's id opens no template, a template's no account, and so on."""
    pin_id = await caller.created()

    for status, code, reply in (
        (404, "pin_not_found", await caller.verify("tpl_demo", "123456")),
        (404, "pin_not_found", await caller.resend("tpl_demo")),
        (404, "template_not_found", await caller.under(pin_id).create()),
        (404, "template_not_found", await caller.operate("GET", f"/pin-templates/{pin_id}")),
        (404, "api_key_not_found", await caller.operate("DELETE", f"/api-keys/{pin_id}")),
        (
            404,
            "account_not_found",
            await caller.operate("POST", "/api-keys", {"account": "tpl_demo", "name": "x"}),
        ),
        (404, "account_not_found", await caller.operate("GET", f"/api-keys?account={pin_id}")),
    ):
        assert (status, code) == reply.refusal
