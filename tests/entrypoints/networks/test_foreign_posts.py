"""Posts out of order, repeated, forged and foreign: no status moves back, or elsewhere (C-22, C-70)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from attrs import evolve

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import Serving
from tests.entrypoints.messaging.sends import DEMO_RCS, DEMO_WA, SMS
from tests.entrypoints.networks.accounts import PUBLIC, Account, account_of
from tests.entrypoints.networks.lines import smpp_line
from tests.entrypoints.networks.posting_lines import gateway_line, graph_line, rbm_line

STORES = ("sqlite",)
LINES = (gateway_line, graph_line, rbm_line)
ENTRIES = {"sms": ("sms", SMS), "whatsapp": ("wa", DEMO_WA), "rcs": ("rcs", DEMO_RCS)}
Lines = Callable[[], AbstractAsyncContextManager[Any]]


def forged(text: str) -> str:
    """Return a signature or a token that differs in one letter, and has the same form."""
    return f"{text[:10]}{'1' if text[10:11] == '0' else '0'}{text[11:]}"


async def opened(caller: Caller, line: Any) -> Account:
    """Create a channel account at a counterpart."""
    return await account_of(caller, line.channel, line.provider, line.config, line.sender)


async def stranger(caller: Caller, line: Any) -> Account:
    """Create a channel account at the same counterpart that checks posts by another secret."""
    config = line.other_secret
    return await account_of(caller, line.channel, line.provider, config, line.sender, "theirs")


async def sent(caller: Caller, line: Any) -> str:
    """Send a message through a counterpart, and return its id."""
    array, entry = ENTRIES[line.channel]
    (told,) = (await caller.sent(**{array: [{**entry, "sender": line.sender}]}))["data"]
    assert "accepted" == told["status"], told
    return str(told["messageId"])


async def statuses_of(caller: Caller, message_id: str) -> tuple[str, list[str]]:
    """Return the status of a message, and all that it reached or repeated."""
    standing = await caller.standing(message_id)
    return standing["status"], [each["status"] for each in standing["events"]]


@pytest.mark.parametrize("line_of", LINES)
async def test_the_ladder_never_goes_back(serving: Serving, line_of: Lines) -> None:
    """Reports out of order and repeated are answered 200 and recorded; the status stays the highest."""
    async with line_of() as line, serving(public_url=PUBLIC) as caller:
        account = await opened(caller, line)
        message_id = await sent(caller, line)
        answers = [
            await account.post(*line.reported(status))
            for status in ("read", "delivered", "read", "delivered")
        ]
        status, reached = await statuses_of(caller, message_id)

        assert {200} == {*answers}
        assert "read" == status
        assert ["accepted", "read"] == reached[:2]


@pytest.mark.parametrize("line_of", LINES)
async def test_a_post_with_another_secret_moves_nothing(serving: Serving, line_of: Lines) -> None:
    """A post that is signed for one account is 401 at the address of another, and so is a forged one."""
    async with line_of() as line, serving(public_url=PUBLIC) as caller:
        account = await opened(caller, line)
        message_id = await sent(caller, line)
        theirs = await stranger(caller, line)
        body, headers = line.reported()
        # The address of the stranger, with the token of the account, if it has one.
        address, _, token = account.callback_url.partition("?")
        elsewhere = theirs.callback_url.partition("?")[0] + (f"?{token}" if token else "")
        wrong = {
            name: value if name == "Content-Type" else forged(value)
            for name, value in headers.items()
        }
        posts = [
            (evolve(theirs, callback_url=elsewhere), headers),
            (evolve(account, callback_url=address), {"Content-Type": "application/json"}),
            (evolve(account, callback_url=f"{address}?{forged(token)}"), wrong),
        ]

        assert [401] * 3 == [await each.post(body, given) for each, given in posts]
        assert ("accepted", ["accepted"]) == await statuses_of(caller, message_id)
        assert 200 == await account.post(body, headers)
        assert "delivered" == (await statuses_of(caller, message_id))[0]


async def test_a_provider_cannot_report_on_a_message_of_another(serving: Serving) -> None:
    """A gateway that names Google's id of a message is acknowledged, and moves nothing (C-34)."""
    async with (
        gateway_line() as gateway,
        rbm_line() as google,
        serving(public_url=PUBLIC) as caller,
    ):
        theirs, own = await opened(caller, gateway), await opened(caller, google)
        message_id = await sent(caller, google)
        answers = [
            await theirs.post(*gateway.reported_of(each))
            for each in (google.rbm.newest, message_id, "nobody's")
        ]

        assert [200] * 3 == answers
        assert ("accepted", ["accepted"]) == await statuses_of(caller, message_id)
        await google.report(own)
        assert "delivered" == (await statuses_of(caller, message_id))[0]


async def test_an_smsc_reports_on_messages_of_its_own_session_alone(serving: Serving) -> None:
    """Two SMSCs count their ids alike; a receipt moves the message of the session that it came over."""
    async with smpp_line() as own, smpp_line() as other, serving() as caller:
        await opened(caller, own)
        account = await account_of(caller, "sms", "smpp", other.config, "OTHER", "theirs")
        message_id = await sent(caller, own)
        (told,) = (await caller.sent(sms=[{**SMS, "sender": "OTHER"}]))["data"]
        await other.report(account)

        assert (1, 1) == (len(own.texts), len(other.texts))
        assert "delivered" == (await statuses_of(caller, told["messageId"]))[0]
        assert ("accepted", ["accepted"]) == await statuses_of(caller, message_id)
