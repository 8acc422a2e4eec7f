"""The search of messages, which is the delivery report (C-37, C-62)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from attrs import evolve

from tests.application.house import House, build_house
from tests.application.post_office import RECIPIENT, message, send
from tests.application.stored_templates import keep_rcs
from tests.fakes.providers import ScriptedProvider
from watchword.application.caller import Caller
from watchword.application.messages.looking_up import searching_messages
from watchword.application.messages.looking_up.searching_messages import MessageSearch
from watchword.application.messages.looking_up.views import ReportedMessage
from watchword.application.paging import Paging
from watchword.application.ports.channels import Accepted, InboundMessage, Message, Rejected
from watchword.domain.channel import Channel
from watchword.domain.message import (
    Direction,
    MessageStatus,
    RcsTemplateContent,
    ResourceType,
)

OTHER = "+447700900999"
RCS = RcsTemplateContent(message_type="template", template_code="tea")


async def refuse_others(sent: Message) -> Accepted | Rejected:
    """Refuse messages to the other number."""
    return Rejected("absent", "No.") if sent.destination == OTHER else Accepted(sent.reference)


async def report(house: House, **search: Any) -> Sequence[ReportedMessage]:
    """Return what a search of the house's account finds."""
    wanted = evolve(MessageSearch(account_id=house.by.account_id), **search)
    listed = await house.service.searching_messages.search(wanted, Paging())
    assert len(listed.data) == listed.total
    return listed.data


async def told_house() -> House:
    """Build a house with an SMS, one refused, one on RCS by the legacy platform, and one that came in."""
    house = await build_house(ScriptedProvider(refuse_others))
    await keep_rcs(house, "Tea.", name="tea")
    await send(house, message())
    house.clock.move(60)
    await send(house, message(recipient=OTHER, cust_refs={"custRef1": "", "custRef2": "pot-8"}))
    house.clock.move(60)
    tagged: Any = {"resource_type": ResourceType.LEGACY, "tags": {"tag1": "tea", "tag3": "spring"}}
    await send(house, message(RCS, Channel.RCS, cust_refs={}), **tagged)
    house.clock.move(60)
    accounts = (await house.service.channel_accounts.list(house.by.account_id, Paging())).data
    whatsapp = next(each.id for each in accounts if each.channel_type == Channel.WHATSAPP)
    inbound = InboundMessage(sender=RECIPIENT, recipient="+15550100", text="Yes.")
    await house.service.receiving_messages.receive(whatsapp, inbound)
    return house


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ({}, ["whatsapp", "rcs", "sms", "sms"]),
        ({"channel_type": "sms"}, ["sms", "sms"]),
        ({"channel_name": "rcs"}, ["rcs"]),
        ({"channel_name": "rcs", "channel_type": "sms"}, []),
        ({"channel_name": "nobody"}, []),
        ({"recipient": "0044 7700 900123"}, ["whatsapp", "rcs", "sms"]),
        ({"recipient": RECIPIENT, "direction": Direction.OUTBOUND}, ["rcs", "sms"]),
        ({"reference": "pot-8"}, ["sms"]),
        ({"reference": "pot"}, []),
        ({"status": MessageStatus.REJECTED}, ["sms"]),
        ({"status": MessageStatus.ACCEPTED, "channel_type": "rcs"}, ["rcs"]),
        ({"resource_type": ResourceType.API}, ["sms", "sms"]),
        ({"resource_type": ResourceType.API, "status": MessageStatus.REJECTED}, ["sms"]),
        ({"resource_type": ResourceType.API, "direction": Direction.INBOUND}, []),
        ({"resource_type": ResourceType.LEGACY}, ["rcs"]),
        ({"resource_type": ResourceType.LEGACY, "channel_type": "sms"}, []),
        ({"direction": Direction.INBOUND}, ["whatsapp"]),
        ({"direction": Direction.INBOUND, "status": MessageStatus.REJECTED}, []),
        ({"direction": Direction.OUTBOUND, "status": MessageStatus.RECEIVED}, []),
        ({"tag1": "tea"}, ["rcs"]),
        (
            {"tag1": "tea", "tag3": "spring", "resource_type": ResourceType.LEGACY},
            ["rcs"],
        ),
        ({"tag1": "tea", "tag3": "autumn"}, []),
        ({"tag2": "tea"}, []),
        ({"tag3": "spring", "resource_type": ResourceType.API}, []),
    ],
)
async def test_all_filters_hold(search: dict[str, Any], found: list[str]) -> None:
    """One by one and together; the newest first."""
    house = await told_house()

    assert found == [each.channel for each in await report(house, **search)]


async def test_a_message_is_shown_with_how_it_came_and_why_it_did_not_arrive() -> None:
    """With its channel account's name, and the error code of its end."""
    house = await told_house()
    inbound, _, refused, sent = await report(house)

    assert ("whatsapp", None) == (inbound.channel_name, inbound.resource_type)
    assert ("sms", ResourceType.API, "absent") == (
        refused.channel_name,
        refused.resource_type,
        refused.error_code,
    )
    assert ({"custRef1": "", "custRef2": "pot-8"}, {"custRef1": "pot-7"}) == (
        refused.cust_refs,
        sent.cust_refs,
    )


async def test_a_search_is_bounded_in_time() -> None:
    """`since` is included, `until` is not."""
    house = await told_house()
    _, rcs, refused, sent = [each.created_at for each in await report(house)]

    assert [rcs, refused] == [
        each.created_at for each in await report(house, since=refused, until=rcs + (rcs - refused))
    ]
    assert [sent] == [each.created_at for each in await report(house, until=refused)]


async def test_another_accounts_messages_are_not_found() -> None:
    """Only a search of all accounts finds them (C-7)."""
    house = await told_house()
    operator = Caller("", "admin", "req_setup")
    other = await house.service.accounts.create(operator, "neighbour")
    listed = await house.service.searching_messages.search(MessageSearch(), Paging(page_size=3))

    assert [] == await report(house, account_id=other.id)
    assert (4, 2, 3) == (listed.total, listed.total_pages, len(listed.data))


async def test_a_long_report_is_not_counted_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """The total stops at a number that stands for as many or more (D-79)."""
    monkeypatch.setattr(searching_messages, "COUNTED_TO", 2)
    house = await told_house()
    search = MessageSearch(account_id=house.by.account_id)
    listed = await house.service.searching_messages.search(search, Paging(page=2, page_size=3))

    assert (2, 1) == (listed.total, len(listed.data))
