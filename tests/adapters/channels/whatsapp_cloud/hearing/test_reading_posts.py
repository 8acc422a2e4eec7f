"""Whole posts: for whom they are, their bounds, and parts of another shape, which spoil no other."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.adapters.channels.whatsapp_cloud.hearing.hearing import (
    NOW,
    hearing,
)
from tests.adapters.channels.whatsapp_cloud.hearing.metas_posts import (
    ASHA_ID,
    CONFIG,
    OWN_PHONE,
    WRITTEN,
    contact,
    failure,
    inbound,
    messages,
    post_of,
    status,
    statuses,
    template_event,
    whole,
    written,
)
from watchword.adapters.channels.whatsapp_cloud.hearing.reading_posts import (
    MOST_COMMAS,
    MOST_PARTS,
    heard,
)
from watchword.application.ports.channels import (
    Heard,
    InboundMessage,
)
from watchword.domain.errors import ValidationFailedError


async def test_what_concerns_another_phone_is_addressed_to_it() -> None:
    """One address may hear for all phones of an app (C-99)."""
    document = whole(
        messages("777", statuses=[status()], messages=[written("text", {"body": "Hello"})]),
        messages(statuses=[status()]),
    )
    foreign, note, own = (await hearing(document)).reports

    assert {"phoneNumberId": "777"} == foreign.addressed_to == note.addressed_to
    assert {} == own.addressed_to


@pytest.mark.parametrize(
    "document",
    [
        {"object": "page", "entry": [{"id": "7", "messaging": []}]},
        whole({"field": "account_update", "value": {"event": "VERIFIED_ACCOUNT"}}),
        whole({"field": "messages", "value": {"metadata": {"phone_number_id": OWN_PHONE}}}),
        whole(),
        {"object": "whatsapp_business_account", "entry": []},
    ],
    ids=["a page", "another field", "nothing new", "no change", "no entry"],
)
async def test_what_is_for_others_is_answered_and_says_nothing(document: Any) -> None:
    """Meta repeats for seven days what is not answered 200."""
    assert Heard() == await hearing(document)


@pytest.mark.parametrize(
    "document",
    [
        {"object": "whatsapp_business_account", "entry": [7]},
        whole({"field": "messages"}),
        whole({"field": "messages", "value": 7}),
        whole({"field": "messages", "value": {}}),
        whole({"field": "messages", "value": {"metadata": {"phone_number_id": 7}}}),
        whole({"field": "message_template_status_update", "value": {"event": "APPROVED"}}),
        whole(template_event("APPROVED", name="a\nb")),
        whole(7),
    ],
    ids=repr,
)
async def test_a_change_of_another_shape_is_counted(document: Any) -> None:
    """Without a phone, for one, nobody knows whom a status concerns."""
    assert Heard(unreadable=1) == await hearing(document)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff",
        b"null",
        b"[]",
        b"7",
        b"{}",
        b'{"object": 7, "entry": []}',
        b"[" * 100_000,
    ],
    ids=["empty", "cut", "no text", "null", "list", "number", "object", "no object", "deep"],
)
async def test_what_is_no_post_of_metas_is_400(body: bytes) -> None:
    """It is signed, so somebody has to look at it."""
    with pytest.raises(ValidationFailedError):
        await hearing(body)


async def test_a_post_has_so_many_parts_at_most() -> None:
    """Entries, changes and their items count together; one more is 400, and nothing is recorded."""
    # The entry and the change are the other two.
    full = [status(f"wamid.{number}") for number in range(MOST_PARTS - 2)]

    assert len(full) == len((await hearing(statuses(*full))).reports)
    with pytest.raises(ValidationFailedError):
        await hearing(statuses(*full, status()))


async def test_a_large_post_lets_others_go_on() -> None:
    """No step of a full post of 4 MiB holds the loop for long."""
    fill = "x" * 250
    full = [status(f"wamid.{number}", note=fill) for number in range(MOST_PARTS - 2)]
    post = post_of(json.dumps(statuses(*full)).encode())
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    meanwhile = asyncio.create_task(others())
    try:
        answer = await heard(CONFIG, post, NOW)
    finally:
        meanwhile.cancel()

    assert MOST_PARTS - 2 == len(answer.reports)
    assert turns >= 4


async def test_the_one_contact_is_read_once_for_all_messages() -> None:
    """Read for each message, a list of 100,000 people took minutes (D-300)."""
    crowd = [{"user_id": f"IN.{number}"} for number in range(100_000)]
    shy = [
        {"id": f"wamid.{number}", "type": "text", "text": {"body": "hi"}} for number in range(5_000)
    ]
    before = time.process_time()
    of_many = await hearing(whole(messages(contacts=crowd, messages=shy)))
    spent = time.process_time() - before
    of_one = await hearing(whole(messages(contacts=[contact(False)], messages=shy[:2])))

    assert (0, 5_000) == (len(of_many.reports), of_many.unreadable)
    assert [ASHA_ID] * 2 == [
        each.sender for each in of_one.reports if isinstance(each, InboundMessage)
    ]
    assert spent < 5


async def test_a_part_that_is_too_long_to_be_metas_is_counted() -> None:
    """One of megabytes would hold the event loop; the longest text is read, escaped or not (D-300)."""
    people: list[object] = [{}] * 30_000
    longest = written("text", {"body": "\u0c95" * 65_536})
    answer = await hearing(
        whole(
            messages(
                contacts=[contact()],
                messages=[written("contacts", people), longest],
                statuses=[status(word="failed", errors=[{"code": 1}] * 10_000), status()],
            )
        )
    )

    assert 2 == answer.unreadable
    assert [65_536] == [
        len(each.text) for each in answer.reports if isinstance(each, InboundMessage)
    ]
    assert 2 == len(answer.reports)


async def test_a_post_has_so_many_members_at_most() -> None:
    """An entry of a million empty items is refused before it is read (D-300)."""
    with pytest.raises(ValidationFailedError):
        await hearing({"object": "whatsapp_business_account", "entry": [0] * (MOST_COMMAS + 1)})


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
SOUND = [
    statuses(status(word="failed", biz_opaque_callback_data="msg_1", **failure(131026))),
    *(inbound(each) for _, each, _ in WRITTEN),
    whole(template_event("REJECTED", rejection_info={"reason": "R"}, other_info={"title": "T"})),
]


def places(document: Any) -> list[tuple[Any, ...]]:
    """Return the paths of all members and items of a document."""
    found: list[tuple[Any, ...]] = [()]
    steps: Any = ()
    if isinstance(document, dict):
        steps = document.items()
    elif isinstance(document, list):
        steps = enumerate(document)
    for step, inner in steps:
        found += [(step, *rest) for rest in places(inner)]
    return found


def replaced(document: Any, place: tuple[Any, ...], value: Any) -> Any:
    """Return a document with another value at a place."""
    if not place:
        return value
    step, *rest = place
    if isinstance(document, dict):
        return {**document, step: replaced(document[step], tuple(rest), value)}
    copied = [*document]
    copied[step] = replaced(copied[step], tuple(rest), value)
    return copied


@settings(max_examples=400)
@given(st.data())
async def test_any_value_in_any_place_is_read_counted_or_refused(data: st.DataObject) -> None:
    """No shape of a post is an error of ours; what is heard can be stored."""
    sound = data.draw(st.sampled_from(SOUND))
    place = data.draw(st.sampled_from(places(sound)))
    document = replaced(sound, place, data.draw(ANYTHING))
    try:
        answer = await hearing(json.dumps(document).encode())
    except ValidationFailedError:
        return

    for each in answer.reports:
        repr(each).encode()
        if isinstance(each, InboundMessage):
            each.text.encode()


@settings(max_examples=200)
@given(st.binary(max_size=60), st.integers(min_value=0))
async def test_any_bytes_in_any_place_are_read_counted_or_refused(odd: bytes, place: int) -> None:
    """A body that was cut or spoiled is no error of ours either."""
    body = json.dumps(SOUND[place % len(SOUND)]).encode()
    cut = place % len(body)
    try:
        await hearing(body[:cut] + odd + body[cut + len(odd) :])
    except ValidationFailedError:
        return
