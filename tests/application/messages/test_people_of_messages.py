"""Messages go by people: found or met in one read, whatever the spelling of their numbers (C-28, C-73)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.application.house import House, build_house
from tests.application.post_office import RECIPIENT, fallback, falls_back, message, send
from tests.vaults import new_vault
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.application.journal import Journal
from watchword.application.messages.looking_up.reading_histories import HistorySearch
from watchword.application.messages.looking_up.searching_messages import MessageSearch
from watchword.application.paging import Paging
from watchword.application.people.people import People, new_people_of
from watchword.application.ports.channels import InboundMessage
from watchword.application.ports.event_store import EventStore
from watchword.application.remembered_people import RememberedPeople
from watchword.domain.channel import Channel
from watchword.domain.consent import OptList
from watchword.domain.errors import ValidationFailedError

SPELLINGS = (RECIPIENT, "0044 7700 900123", "(44) 7700-900123")
OTHER = "+447700900999"
BLANKS = st.sampled_from(["", " ", "-", ".", "  "])


@pytest.fixture
async def house(store: EventStore) -> House:
    """Return a house on each of the stores."""
    return await build_house(inside=store)


async def people_of(house: House, *kinds: str) -> list[Any]:
    """Return the person of each event of these kinds, in the order of the log."""
    log = await house.store.read_log(0, 1000)
    return [each.event.person_id for each in log if each.type in kinds]  # type: ignore[attr-defined]  # these kinds have one


async def whatsapp_of(house: House) -> str:
    """Return the channel account that hears of people on WhatsApp."""
    accounts = (await house.service.channel_accounts.list(house.by.account_id, Paging())).data
    return next(each.id for each in accounts if each.channel_type == Channel.WHATSAPP)


async def write_in(house: House, sender: str) -> str:
    """Let a person write to the account; return the message's id."""
    inbound = InboundMessage(sender=sender, recipient="+15550100", text="Is it ready?")
    return await house.service.receiving_messages.receive(await whatsapp_of(house), inbound)


async def test_all_that_is_stored_of_a_number_names_one_person(house: House) -> None:
    """Messages in both directions, runs with their steps, opt lists and ratings, in any spelling."""
    await falls_back(house)
    await send(house, *(message(recipient=each) for each in SPELLINGS), fallback=fallback())
    await write_in(house, SPELLINGS[1])
    await house.service.opt_lists.put(house.by, OptList.IN, SPELLINGS)
    await house.service.legacy_ratings.rate(
        house.by, chat_id="chat-7", phone=SPELLINGS[2], rating="5"
    )
    named = await people_of(
        house,
        "MessageSubmitted",
        "FallbackArmed",
        "MessageReceived",
        "RecipientOptedIn",
        "ChatRated",
    )
    runs = [
        each.event for each in await house.store.read_log(0, 1000) if each.type == "FallbackArmed"
    ]
    steps = [each.person_id for run in runs for each in run.steps]  # type: ignore[attr-defined]  # these events have steps

    assert 3 + 3 + 1 + 1 + 1 == len(named)
    assert 1 == len({*named, *steps})


async def test_lists_and_searches_find_a_person_by_any_spelling(house: House) -> None:
    """And nobody else."""
    await send(house, message(), message(recipient=OTHER))
    received = await write_in(house, SPELLINGS[1])
    account = house.by.account_id
    for spelling in SPELLINGS:
        search = MessageSearch(account_id=account, recipient=spelling)
        found = (await house.service.searching_messages.search(search, Paging())).data
        history = await house.service.reading_histories.history(
            account, HistorySearch(recipient=spelling)
        )

        assert {received} | {each.message_id for each in found} == {
            each.message_id for each in history
        }
        assert 2 == len(found)


async def test_a_stranger_has_no_messages(house: House) -> None:
    """A number that was never written to is found nowhere, and is not met by a search."""
    await send(house, message())
    search = MessageSearch(account_id=house.by.account_id, recipient=OTHER)

    assert 0 == (await house.service.searching_messages.search(search, Paging())).total
    assert await house.service.people.find(house.by.account_id, OTHER) is None


async def test_the_accounts_own_number_finds_what_was_written_to_it(house: House) -> None:
    """It is no person's, so its canonical form is in the list (C-59)."""
    received = await write_in(house, RECIPIENT)
    history = await house.service.reading_histories.history(
        house.by.account_id, HistorySearch(recipient="1 555 0100")
    )

    assert [received] == [each.message_id for each in history]


@pytest.mark.parametrize("search", [{"recipient": RECIPIENT}, {"reference": "r"}, {"tag2": "t"}])
async def test_a_search_by_something_personal_wants_an_account(search: dict[str, str]) -> None:
    """The store knows people, references and tags by account alone (C-100)."""
    house = await build_house()
    with pytest.raises(ValidationFailedError, match="account"):
        await house.service.searching_messages.search(MessageSearch(**search), Paging())  # type: ignore[arg-type]  # texts by name


async def test_a_send_finds_its_recipients_in_one_read() -> None:
    """Known and new ones alike; the append that takes the call in meets the new ones."""
    store = CountingStore(vault=new_vault())
    house = await build_house(inside=store)
    await send(house, *(message(recipient=f"+44770{n:07}") for n in range(100)))
    house.service.journal.remembered = RememberedPeople()  # as after a restart
    reads = store.reads
    sent = await send(house, *(message(recipient=f"+44770{n:07}") for n in range(50, 150)))

    assert 1 == store.reads - reads
    assert all(each.accepted for each in sent)
    assert 150 == len(set(await people_of(house, "MessageSubmitted")))


async def test_a_call_whose_recipient_was_met_meanwhile_is_planned_again() -> None:
    """Two calls to a new number have one person, whichever is written first."""
    house = await build_house()

    async def meanwhile() -> None:
        house.store.meanwhile = None
        await write_in(house, RECIPIENT)
        house.service.journal.remembered = RememberedPeople()  # another node met the person

    house.store.meanwhile = meanwhile
    (sent,) = await send(house, message())

    assert sent.accepted
    assert 1 == len(set(await people_of(house, "MessageSubmitted", "MessageReceived")))


@given(st.lists(BLANKS, min_size=12, max_size=12), st.sampled_from(["+", "00", ""]), st.booleans())
async def test_spellings_are_one_person_and_accounts_are_two(
    blanks: list[str], ahead: str, elsewhere: bool
) -> None:
    """A person is an account and a canonical number (C-28)."""
    digits = RECIPIENT.removeprefix("+")
    spelt = ahead + "".join(f"{digit}{blank}" for digit, blank in zip(digits, blanks, strict=True))
    people = People(Journal(MemoryEventStore(vault=new_vault())), new_vault())
    met = await people.find_or_create("acc_orchid", [RECIPIENT, spelt])
    people._journal.remembered.learn(new_people_of(met.values()))
    again = await people.find_or_create("acc_fern" if elsewhere else "acc_orchid", [spelt])

    assert met[RECIPIENT] is met[spelt]
    assert elsewhere is (met[spelt].person_id != again[spelt].person_id)


class CountingStore(MemoryEventStore):
    """Counts how often it was asked for people."""

    reads = 0

    async def people(self, hmacs: Any) -> Any:
        """Return people."""
        self.reads += 1
        return await super().people(hmacs)
