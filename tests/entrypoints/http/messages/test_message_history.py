"""POST /status and GET /history: the messages of a caller (C-23, C-45, C-54, C-59)."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest
from attrs import frozen

from tests.application.recorded_messages import (
    OWN_NUMBER,
    PERSON,
    SECRET_TEXT,
    RecordedMessages,
    rcs_step,
    sms_step,
)
from tests.domain.message.story import DELIVERED, FAILED, refused
from tests.entrypoints.caller import Caller, Reply
from tests.entrypoints.conftest import EVERY_STORE, Serving
from tests.fakes.providers import ScriptedProvider
from watchword.application.caller import THE_WORKER
from watchword.domain.channel import Channel
from watchword.entrypoints.demo.seeding import API_KEY
from watchword.entrypoints.wired import Wired

STORES = EVERY_STORE


@frozen
class Asking:
    """A caller of the messaging endpoints, by the key in its header."""

    caller: Caller
    key: str | None = API_KEY

    async def status(self, *message_ids: object) -> Reply:
        """Return the status of messages."""
        return await self.post({"messageIds": message_ids})

    async def post(self, body: Any = None, **options: Any) -> Reply:
        """Send a status check as it is."""
        headers = self._headers | options.pop("headers", {})
        return await self.caller.using(None).post("/status", body, headers=headers, **options)

    async def history(self, **query: object) -> Reply:
        """Ask for a page of the history; `since` is the wire's `from`."""
        if "since" in query:
            query["from"] = query.pop("since")
        path = f"/history?{urlencode(query)}"
        return await self.caller.using(None).get(path, headers=self._headers)

    async def ids(self, **query: object) -> list[str]:
        """Return the ids on a page of the history."""
        reply = await self.history(**query)
        assert 200 == reply.status, reply.body
        return [each["messageId"] for each in reply.json["data"]]

    @property
    def _headers(self) -> dict[str, str]:
        return {} if self.key is None else {"apikey": self.key}


@pytest.fixture
def asking(caller: Caller) -> Asking:
    """Return a caller with the sandbox's key."""
    return Asking(caller)


@pytest.fixture
async def recorded(service: Wired) -> RecordedMessages:
    """Return a function that appends events of the demo account's messages."""
    demo = await service.accounts.resolve(THE_WORKER, "demo")
    return RecordedMessages(service.journal, service.people, demo)


OUTBOUND = {
    "messageId": "msg_a",
    "channel": "sms",
    "sender": "TEAHSE",
    "recipient": PERSON,
    "status": "accepted",
    "direction": "outbound",
    "createdAt": "2031-05-04T12:00:00.000Z",
    "updatedAt": "2031-05-04T12:00:00.000Z",
    "custRefs": {"custRef1": "table-7"},
    "events": [],
}


class TestStatus:
    """POST /status."""

    async def test_an_entry_has_these_members(
        self, asking: Asking, recorded: RecordedMessages
    ) -> None:
        """It has those of C-23, and no others; an unknown id has its id and `unknown` alone."""
        await recorded.submitted("msg_a")
        reply = await asking.status("msg_a", "msg_none")

        assert 200 == reply.status
        assert {
            "status": "success",
            "data": [OUTBOUND, {"messageId": "msg_none", "status": "unknown"}],
        } == reply.json

    async def test_events_and_their_error_codes(
        self, asking: Asking, recorded: RecordedMessages
    ) -> None:
        """Each has status and time, and an error code if there is one."""
        await recorded.submitted("msg_a")
        await recorded.dispatched("msg_a", 0.25)
        await recorded.reported("msg_a", 5, FAILED, "unreachable")
        (found,) = (await asking.status("msg_a")).json["data"]

        assert (
            OUTBOUND
            | {
                "status": "failed",
                "updatedAt": "2031-05-04T12:00:05.000Z",
                "events": [
                    {"status": "accepted", "at": "2031-05-04T12:00:00.250Z"},
                    {
                        "status": "failed",
                        "at": "2031-05-04T12:00:04.000Z",
                        "errorCode": "unreachable",
                    },
                ],
            }
            == found
        )

    async def test_the_fallback_of_a_message(
        self, asking: Asking, recorded: RecordedMessages
    ) -> None:
        """Run, status and steps, each with its known fields (C-51)."""
        await recorded.submitted("msg_a", run_id="run_a")
        await recorded.armed("run_a", "msg_a", sms_step(), rcs_step())
        await recorded.fired("run_a", 60, 1, "msg_step")
        await recorded.dispatched("msg_step", 61, refused())
        (found,) = (await asking.status("msg_a")).json["data"]

        assert (
            OUTBOUND
            | {
                "fallback": {
                    "runId": "run_a",
                    "status": "fired",
                    "steps": [
                        {
                            "channel": "sms",
                            "messageId": "msg_step",
                            "status": "rejected",
                            "errorCode": "no_such_table",
                        },
                        {"channel": "rcs", "status": "armed"},
                    ],
                }
            }
            == found
        )

    async def test_another_accounts_message_is_unknown(
        self, asking: Asking, recorded: RecordedMessages, caller: Caller
    ) -> None:
        """It reads as an unknown id (C-7), and so does a PIN's (C-23)."""
        await recorded.submitted("msg_a")
        pin_id = await caller.created()
        neighbour = Asking(caller, (await caller.neighbour()).key)
        theirs = await neighbour.status("msg_a")

        assert [{"messageId": "msg_a", "status": "unknown"}] == theirs.json["data"]
        assert [{"messageId": pin_id, "status": "unknown"}] == (await asking.status(pin_id)).json[
            "data"
        ]
        assert [] == await neighbour.ids()

    @pytest.mark.parametrize(
        ("body", "wrong"),
        [
            ({}, ["messageIds"]),
            ({"messageIds": []}, ["messageIds"]),
            ({"messageIds": ["m"] * 101}, ["messageIds"]),
            ({"messageIds": "msg_a"}, ["messageIds"]),
            ({"messageIds": None}, ["messageIds"]),
            ({"messageIds": ["a", 1, None, "b"]}, ["messageIds[1]", "messageIds[2]"]),
            ([], ["body"]),
        ],
    )
    async def test_one_to_a_hundred_ids(self, asking: Asking, body: Any, wrong: list[str]) -> None:
        """Anything else is 400, in the messaging form, with the paths."""
        assert wrong == (await asking.post(body)).wrong

    async def test_a_hundred_ids_are_told_in_their_order(
        self, asking: Asking, recorded: RecordedMessages
    ) -> None:
        """Unknown members are ignored."""
        await recorded.submitted("msg_050")
        asked = [f"msg_{number:03}" for number in range(100)]
        data = (await asking.post({"messageIds": asked, "more": 1})).json["data"]

        assert asked == [each["messageId"] for each in data]
        assert ["msg_050"] == [each["messageId"] for each in data if each["status"] != "unknown"]

    async def test_what_is_checked_first(self, asking: Asking, caller: Caller) -> None:
        """The key, the scope, the media type, the size, the syntax (C-64), in the messaging form."""
        nobody = Asking(caller, "no-such-key")
        made = await caller.operated("POST", "/api-keys", {"name": "pins", "scopes": ["pins"]})
        text, big = {"Content-Type": "text/plain"}, b" " * (2**20 + 1)

        assert (401, "unauthorized") == (await nobody.post(data=big, headers=text)).refusal
        pins_alone = Asking(caller, made["key"])
        assert (403, "forbidden") == (await pins_alone.post(data=big, headers=text)).refusal
        assert (415, "unsupported_media_type") == (
            await asking.post(data=big, headers=text)
        ).refusal
        assert (413, "payload_too_large") == (await asking.post(data=big)).refusal
        assert ["body"] == (await asking.post(data=b"{")).wrong


class TestHistory:
    """GET /history."""

    async def test_a_page_says_what_was_asked_for(
        self, asking: Asking, recorded: RecordedMessages
    ) -> None:
        """`page_details` and the entries of the status, inbound ones too."""
        await recorded.submitted("msg_a")
        await recorded.received("msg_in", 1)
        reply = await asking.history()

        assert 200 == reply.status
        assert {
            "page_details": {"pageNo": 0, "limit": 25},
            "data": [
                {
                    "messageId": "msg_in",
                    "channel": "whatsapp",
                    "sender": PERSON,
                    "recipient": OWN_NUMBER,
                    "status": "received",
                    "direction": "inbound",
                    "createdAt": "2031-05-04T12:00:01.000Z",
                    "updatedAt": "2031-05-04T12:00:01.000Z",
                    "custRefs": {},
                    "events": [{"status": "received", "at": "2031-05-04T12:00:01.000Z"}],
                },
                OUTBOUND,
            ],
        } == reply.json

    async def test_pages(self, asking: Asking, recorded: RecordedMessages) -> None:
        """They count from 0, are echoed as asked, and never hold more than 100 (C-54, C-59)."""
        for number in range(102):
            await recorded.submitted(f"msg_{number:03}", number // 3)
        first = await asking.ids(limit=500)
        second = (await asking.history(limit=500, pageNo=1)).json
        past = (await asking.history(pageNo=10**30)).json

        assert [f"msg_{number:03}" for number in range(101, 1, -1)] == first
        assert ["msg_001", "msg_000"] == [each["messageId"] for each in second["data"]]
        assert {"pageNo": 1, "limit": 500} == second["page_details"]
        assert {"page_details": {"pageNo": 10**30, "limit": 25}, "data": []} == past
        assert first[:25] == await asking.ids()
        assert [] == await asking.ids(limit=0)

    async def test_filters(self, asking: Asking, recorded: RecordedMessages) -> None:
        """All hold together; an empty one is none; WhatsApp has two names (C-45)."""
        await recorded.submitted("msg_a", 1)
        await recorded.submitted("msg_b", 2, channel=Channel.WHATSAPP)
        await recorded.received("msg_c", 3)
        await recorded.submitted("msg_d", 4, recipient="+919812345611")

        assert ["msg_c", "msg_b", "msg_a"] == await asking.ids(recipient="+91 98123 45610")
        assert ["msg_c"] == await asking.ids(recipient="447700900123")
        assert ["msg_c", "msg_b"] == await asking.ids(channel="wa")
        assert ["msg_c", "msg_b"] == await asking.ids(channel="whatsapp", recipient=PERSON)
        assert ["msg_a"] == await asking.ids(channel="sms", recipient=PERSON)
        assert ["msg_b", "msg_a"] == await asking.ids(to="2031-05-04T12:00:03Z")
        assert ["msg_c"] == await asking.ids(since="2031-05-04 12:00:03", to="2031-05-04T12:00:04")
        assert ["msg_d"] == await asking.ids(since="2031-05-04T17:30:04+05:30")
        everything = await asking.ids(recipient="", channel="", since="", to="", pageNo="")
        assert ["msg_d", "msg_c", "msg_b", "msg_a"] == everything

    @pytest.mark.parametrize("number", ["-1", "x", "1.0", "1e2", " 1", "٣", "None"])
    @pytest.mark.parametrize("name", ["pageNo", "limit"])
    async def test_numbers_that_are_none_are_named(
        self, asking: Asking, name: str, number: str
    ) -> None:
        """Negative and unreadable ones are 400 (C-54)."""
        assert [name] == (await asking.history(**{name: number})).wrong

    async def test_everything_wrong_is_named_at_once(self, asking: Asking) -> None:
        """The answer has the messaging form and the names of the query (C-18)."""
        reply = await asking.history(
            channel="fax", since="soon", to="2031-02-30", recipient="\0", pageNo=-1, limit="all"
        )

        assert {"channel", "from", "to", "recipient", "pageNo", "limit"} == set(reply.wrong)
        assert {
            "field": "channel",
            "message": "must be one of sms, whatsapp, rcs, email",
        } in reply.error["errors"]

    async def test_a_key_is_wanted_first(self, caller: Caller) -> None:
        """Without a key it is 401, with a key for PINs 403, for any query (C-64)."""
        made = await caller.operated("POST", "/api-keys", {"name": "pins", "scopes": ["pins"]})

        assert (401, "unauthorized") == (await Asking(caller, None).history(limit=-1)).refusal
        assert (403, "forbidden") == (await Asking(caller, made["key"]).history(limit=-1)).refusal
        assert (401, "unauthorized") == (await caller.get("/history")).refusal

    async def test_texts_are_in_no_answer(self, asking: Asking, recorded: RecordedMessages) -> None:
        """Texts of sent messages, inbound ones and steps are omitted (C-23)."""
        await recorded.submitted("msg_a", run_id="run_a")
        await recorded.armed("run_a", "msg_a", sms_step())
        await recorded.reported("msg_a", 2, DELIVERED)
        await recorded.received("msg_in")
        replies = [await asking.history(), await asking.status("msg_a", "msg_in")]

        for reply in replies:
            assert 2 == len(reply.json["data"])
            assert SECRET_TEXT.encode() not in reply.body


async def test_a_third_partys_channel_can_be_asked_for(serving: Serving) -> None:
    """The name of an embedder's registered adapter is a channel too (C-52)."""
    async with serving(providers={"viber": ScriptedProvider()}) as caller:
        asking = Asking(caller)
        refused = await asking.history(channel="pigeon")

        assert [] == await asking.ids(channel="viber")
        assert ["channel"] == refused.wrong
        assert refused.error["errors"][0]["message"].endswith("email, viber")
