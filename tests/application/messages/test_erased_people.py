"""After an erasure: what goes on without the person, what ends, and what still blocks (C-74)."""

from __future__ import annotations

import pytest

from tests.application.callbacks.conftest import Notified, endpoint
from tests.application.house import House, build_house
from tests.application.post_office import (
    RECIPIENT,
    WAIT,
    fallback,
    falls_back,
    message,
    receive,
    send,
    session,
    work,
)
from tests.application.receipts import DELIVERED, report, take_receipts
from tests.application.stored_templates import keep_whatsapp
from tests.fakes.providers import RevokingProvider
from watchword.application.messages.looking_up.reading_histories import HistorySearch
from watchword.application.messages.looking_up.searching_messages import MessageSearch
from watchword.application.paging import Paging
from watchword.application.ports.event_store import EventStore
from watchword.domain.channel import Channel
from watchword.domain.consent import OptList, consent_decider
from watchword.domain.event import ERASED, MASK
from watchword.domain.fallback_run import RevokeOutcome
from watchword.domain.message import MessageStatus, WhatsappTemplateContent, message_decider
from watchword.domain.person import PERSON_ERASED

GREETING = WhatsappTemplateContent(name="greeting", language="en")
GREET = message(GREETING, Channel.WHATSAPP, path="wa[0]", content_path="wa[0].template.components")
OTHER = "+447700900999"


async def erase(house: House, number: str = RECIPIENT) -> str:
    """Take a person's key, as the first append of an erasure does; return the person's id."""
    person_id = await house.service.people.find(house.by.account_id, number)
    assert person_id is not None
    await house.service.journal.write(house.by, house.clock.now(), erasing=(person_id,))
    return person_id


async def forget(house: House, person_id: str) -> None:
    """Have this node forget the person, as it does when it hears of the erasure."""
    house.service.journal.forget_person(person_id)


async def people_of(house: House, kind: str) -> list[str]:
    """Return the person of each event of a kind."""
    log = await house.store.read_log(0, 1000)
    return [each.event.person_id for each in log if each.type == kind]  # type: ignore[attr-defined]  # it has one


@pytest.mark.parametrize("forgotten", [True, False])
async def test_a_send_to_an_erased_number_is_to_a_new_person(
    store: EventStore, forgotten: bool
) -> None:
    """Also on a node that still remembers the erased one: the store refuses, and it is planned again."""
    house = await build_house(inside=store)
    await send(house, message())
    gone = await erase(house)
    if forgotten:
        await forget(house, gone)
    (sent,) = await send(house, message())
    first, second = await people_of(house, "MessageSubmitted")

    assert sent.accepted
    assert gone == first
    assert first != second


async def test_a_message_of_an_erased_number_is_from_a_new_person(store: EventStore) -> None:
    """Whoever writes in again is met again."""
    house = await build_house(inside=store)
    await receive(house)
    gone = await erase(house)
    await forget(house, gone)
    await receive(house)

    assert 2 == len(set(await people_of(house, "MessageReceived")))


@pytest.mark.parametrize("revoking", [True, False])
@pytest.mark.parametrize("forgotten", [True, False])
async def test_a_waiting_fallback_ends_as_rejected(
    store: EventStore, revoking: bool, forgotten: bool
) -> None:
    """Nothing is sent to an erased person, whatever the node still has in memory."""
    provider = RevokingProvider(RevokeOutcome.REVOKED) if revoking else None
    house = await build_house(provider, inside=store)
    await falls_back(house)
    (sent,) = await send(house, message(), fallback=fallback())
    gone = await erase(house)
    if forgotten:
        await forget(house, gone)
    house.clock.move(WAIT)
    await work(house)
    story = await house.store.read_stream(str(sent.run_id))

    assert 1 == len(house.provider.messages)
    assert ["FallbackArmed", "FallbackRejected"] == [story[0].type, story[-1].type]
    assert PERSON_ERASED == story[-1].event.error_code  # type: ignore[attr-defined]  # it has one


@pytest.mark.parametrize("recipient", [ERASED, MASK])
async def test_a_recipient_that_reads_like_an_erased_one_is_no_number(
    store: EventStore, recipient: str
) -> None:
    """A caller may write so; its run ends like that of any other text, and is not put off for ever."""
    house = await build_house(inside=store)
    await falls_back(house)
    (sent,) = await send(house, message(recipient=recipient), fallback=fallback())
    await work(house)
    story = await house.store.read_stream(str(sent.run_id))

    assert "invalid_recipient" == story[-1].event.error_code  # type: ignore[attr-defined]  # it has one


async def test_a_receipt_of_an_erased_persons_message_is_recorded(store: EventStore) -> None:
    """Outcomes and times stay, without what is personal."""
    house = await build_house(inside=store)
    (sent,) = await send(house, message())
    gone = await erase(house)
    await forget(house, gone)
    (message_sent,) = house.provider.messages
    told = report(DELIVERED, "scripted-1")
    await take_receipts(house, message_sent, told)
    loaded = await house.service.journal.load(message_decider, sent.message_id)

    assert MessageStatus.DELIVERED is loaded.state.status
    assert (gone, ERASED) == (loaded.state.person_id, loaded.state.recipient)


async def test_an_erasure_closes_the_session(store: EventStore) -> None:
    """The person who wrote is gone, so a session message to the number is refused."""
    house = await build_house(inside=store)
    await receive(house)
    await forget(house, await erase(house))
    (sent,) = await send(house, session())

    assert "session_expired" == sent.error_code


@pytest.mark.parametrize("spelling", [RECIPIENT, "0044 7700 900123"])
async def test_an_opt_out_outlives_its_person(store: EventStore, spelling: str) -> None:
    """The entry stays, and still blocks a send to it (D-337)."""
    house = await build_house(inside=store)
    await keep_whatsapp(house)
    await house.service.opt_lists.put(house.by, OptList.OUT, [RECIPIENT])
    await forget(house, await erase(house))
    (sent,) = await send(
        house,
        message(
            GREETING,
            Channel.WHATSAPP,
            recipient=spelling,
            path="wa[0]",
            content_path="wa[0].template.components",
        ),
    )

    assert "recipient_opted_out" == sent.error_code


async def test_a_number_that_opts_out_again_is_not_kept_again(store: EventStore) -> None:
    """It is on the list, so nothing is recorded, and nobody is met."""
    house = await build_house(inside=store)
    await house.service.opt_lists.put(house.by, OptList.OUT, [RECIPIENT])
    await forget(house, await erase(house))
    again = await house.service.opt_lists.put(house.by, OptList.OUT, [RECIPIENT])

    assert (0, 1) == (again.changed, again.unchanged)
    assert await house.service.people.find(house.by.account_id, RECIPIENT) is None


@pytest.mark.parametrize("forgotten", [True, False])
async def test_a_number_that_opts_in_again_is_a_new_persons(
    store: EventStore, forgotten: bool
) -> None:
    """The same entry of the lists, which names the new person from then on."""
    house = await build_house(inside=store)
    await house.service.opt_lists.put(house.by, OptList.OUT, [RECIPIENT])
    gone = await erase(house)
    if forgotten:
        await forget(house, gone)
    await house.service.opt_lists.put(house.by, OptList.IN, [RECIPIENT])
    (listed,) = await house.service.opt_lists.listed(house.by.account_id, OptList.IN)
    consent = await house.service.journal.load(consent_decider, listed.id)

    assert RECIPIENT == listed.recipient
    assert consent.state.person_id not in ("", gone)


async def test_an_erased_entry_can_be_taken_off(store: EventStore) -> None:
    """Nothing is sealed for that, so nobody has to be there."""
    house = await build_house(inside=store)
    await house.service.opt_lists.put(house.by, OptList.OUT, [RECIPIENT])
    await forget(house, await erase(house))
    taken = await house.service.opt_lists.take_off(house.by, OptList.OUT, [RECIPIENT])

    assert 1 == taken.changed


async def test_searches_find_nothing_of_an_erased_person(store: EventStore) -> None:
    """The messages stay, and no number leads to them."""
    house = await build_house(inside=store)
    await send(house, message())
    await forget(house, await erase(house))
    account = house.by.account_id
    search = MessageSearch(account_id=account, recipient=RECIPIENT)
    histories = house.service.reading_histories

    assert 0 == (await house.service.searching_messages.search(search, Paging())).total
    assert [] == [*await histories.history(account, HistorySearch(recipient=RECIPIENT))]
    assert 1 == len(await histories.history(account, HistorySearch()))


async def test_nothing_is_called_back_about_an_erased_person(store: EventStore) -> None:
    """Events that no callback was made of get none; those of others do (D-338)."""
    house = await build_house(inside=store)
    notified = Notified(house, await endpoint(house))
    _, other = await send(house, message(), message(recipient=OTHER))
    await forget(house, await erase(house))
    await notified.work()

    assert [other.message_id] == [each["data"]["messageId"] for each in notified.bodies]
