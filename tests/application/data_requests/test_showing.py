"""What an access request shows: all that is stored of a person, and nothing of others (C-74)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from attrs import evolve

from tests.application.callbacks.conftest import Notified, endpoint
from tests.application.house import House, build_house
from tests.application.post_office import (
    READY,
    RECIPIENT,
    fallback,
    falls_back,
    message,
    receive,
    send,
)
from watchword.application.data_requests.own_parts import own_parts
from watchword.application.journal import beginning
from watchword.application.messages.planning.send_requests import LinkRequest
from watchword.application.ports.event_store import EventStore, Recorded
from watchword.domain.channel import Channel, ChannelOutcome, OutcomeStatus
from watchword.domain.consent import RecipientOptedOut
from watchword.domain.decider import Decision
from watchword.domain.event import ERASED, MASK
from watchword.domain.fallback_run import (
    FallbackArmed,
    FallbackDispatched,
    FallbackStep,
    fallback_run_decider,
)
from watchword.domain.message import SmsContent
from watchword.domain.shared_content import ContentSubmitted
from watchword.domain.short_link import link_id
from watchword.entrypoints.wire.shown_events import shown_event

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
MENU = "https://tea.example/menu"
SEE = SmsContent(type="SI", text=f"See {MENU}.")
OTHER = "+447700900999"


async def events(house: House, number: str = RECIPIENT) -> Sequence[Recorded]:
    """Return the events that are shown to a person."""
    person = await house.service.showing_people.show(house.by.account_id, number)
    return [each async for each in person.events()]


async def test_clicks_on_links_of_ones_own_are_shown(store: EventStore) -> None:
    """
    A link that several people got is nobody's; all links of a call to one person are the person's.

    So is a link in a text with a code (D-366).
    """
    house = await build_house(inside=store)
    hidden = SmsContent(type="OTP", text=f"Your code is 4711. See {MENU}.")
    for content, own in ((SEE, True), (SEE, False), (hidden, True)):
        link = LinkRequest(
            long_url=MENU, base="https://go.example", per_message=own, path="links[0]"
        )
        people = (RECIPIENT,) if own else (RECIPIENT, OTHER)
        calls = [message(content, recipient=each) for each in people]
        await send(house, *calls, links=(link,))
    link = LinkRequest(long_url=MENU, base="https://go.example", per_message=False, path="links[0]")
    await send(house, message(SEE), links=(link,))
    texts = " ".join(each.text for each in house.provider.messages)
    codes = dict.fromkeys(re.findall(r"/s/([A-Za-z0-9]{16})", texts))
    for each in codes:
        await house.service.following_short_links.follow(each, "req_click")
    mine, shared, with_code, in_one_call = (link_id(each) for each in codes)
    shown = await events(house)
    clicked = [each.stream for each in shown if each.type == "ShortLinkClicked"]

    assert {mine, with_code, in_one_call} == set(clicked)
    assert shared not in {each.stream for each in shown}
    assert len(shown) == len({each.event_id for each in shown})


async def test_a_content_of_a_call_and_its_fallback_are_shown(store: EventStore) -> None:
    """The text that a call sent to several people is in the answer to each of them."""
    house = await build_house(inside=store)
    await falls_back(house)
    await send(house, message(), message(recipient=OTHER), fallback=fallback())
    await receive(house)
    shown = await events(house)

    assert {"ContentSubmitted", "FallbackArmed", "MessageReceived", "MessageSubmitted"} <= {
        each.type for each in shown
    }
    assert [READY.text, READY.text] == [
        getattr(each.event.content, "text", None)
        for each in shown
        if isinstance(each.event, ContentSubmitted)
    ]
    assert OTHER not in told(shown)


async def test_callbacks_about_a_person_are_shown(store: EventStore) -> None:
    """Each names the event that it repeats; those about others are not there."""
    house = await build_house(inside=store)
    notified = Notified(house, await endpoint(house))
    mine, _ = await send(house, message(), message(recipient=OTHER))
    await notified.work()
    person = await house.service.showing_people.show(house.by.account_id, RECIPIENT)
    repeated = {each.event_id async for each in person.deliveries()}
    told_of = {each.event_id for each in await house.store.read_stream(mine.message_id)}

    assert repeated
    assert repeated <= told_of


async def test_what_is_of_others_in_a_fallback_is_masked(store: EventStore) -> None:
    """A step to another number, and its outcome, are that person's; the rest of the run is shown."""
    house = await build_house(inside=store)
    await send(house, message(), message(recipient=OTHER))
    mine, other = [await person_of(house, each) for each in (RECIPIENT, OTHER)]
    steps = [step(each, number) for each, number in ((mine, RECIPIENT), (other, OTHER))]
    begun = [
        FallbackArmed(
            at=house.clock.now(),
            account_id=house.by.account_id,
            person_id=mine,
            message_id="msg_primary",
            fallback_id="tea-first",
            waittime_seconds=60,
            deadline=house.clock.now(),
            steps=tuple(steps),
        ),
        *(sent(house, number) for number in (1, 2)),
    ]
    arming = beginning(fallback_run_decider, "run_tea", Decision(tuple(begun)))
    await house.service.journal.write(house.by, house.clock.now(), arming)
    shown = [each for each in await events(house) if each.stream == "run_tea"]
    armed, *ended = [each.event for each in shown]

    assert isinstance(armed, FallbackArmed)
    assert steps[0] == armed.steps[0]
    assert armed.steps[1] == evolve(
        steps[1],
        recipient=MASK,
        cust_refs={MASK: MASK},
        content=SmsContent(type="SI", text=MASK),
        link_codes=(MASK,),
    )
    assert [RECIPIENT, MASK] == [
        each.outcome.error_message for each in ended if isinstance(each, FallbackDispatched)
    ]
    assert OTHER not in told(shown)


def test_what_is_erased_of_others_reads_so() -> None:
    """Nothing is there to mask."""
    erased = RecipientOptedOut(
        at=NOON,
        account_id="acc_1",
        person_id="per_gone",
        channel=Channel.WHATSAPP,
        recipient=ERASED,
    )
    recorded = Recorded(
        position=1,
        stream="con_1",
        version=1,
        type="RecipientOptedOut",
        schema=1,
        event_id="evt_1",
        actor="key_web",
        request_id="req_1",
        event=erased,
        account="acc_1",
        person="per_gone",
    )

    assert erased == own_parts(recorded, "per_new").event


async def person_of(house: House, number: str) -> str:
    """Return the id of a person."""
    found = await house.service.people.find(house.by.account_id, number)
    assert found is not None
    return found


def step(person_id: str, number: str) -> FallbackStep:
    """Plan a step to a number."""
    return FallbackStep(
        person_id=person_id,
        channel=Channel.SMS,
        sender="TEAHSE",
        recipient=number,
        content=SmsContent(type="SI", text=f"Tea for {number}."),
        link_codes=(f"code-for-{number}",),
        cust_refs={"custRef1": number},
    )


def sent(house: House, number: int) -> FallbackDispatched:
    """Note that a step was refused by a provider, which quotes the number."""
    quoted = RECIPIENT if number == 1 else OTHER
    return FallbackDispatched(
        at=house.clock.now(),
        step=number,
        outcome=ChannelOutcome(
            channel=Channel.SMS,
            status=OutcomeStatus.REJECTED,
            error_code="provider_rejected",
            error_message=quoted,
        ),
    )


def told(shown: Sequence[Recorded]) -> str:
    """Return everything that some events say, as text."""
    return str([shown_event(each, mask=False) for each in shown])
