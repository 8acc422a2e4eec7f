"""Statuses, messages and decisions on templates in Meta's posts; a part of another shape spoils none."""

from __future__ import annotations

import asyncio
import json
import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pywa.client import WhatsApp
from pywa.types.callback import CallbackButton, CallbackSelection
from pywa.types.message import Message as TheirMessage
from pywa.types.message_status import MessageStatus
from pywa.types.templates import TemplateStatusUpdate

from tests.adapters.channels.whatsapp_cloud.hearing.metas_posts import (
    ASHA,
    ASHA_ID,
    CONFIG,
    OWN_ACCOUNT,
    OWN_NUMBER,
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
    ProviderReport,
    TemplateReview,
)
from watchword.domain.errors import ValidationFailedError
from watchword.domain.receipt import Receipt, ReceiptStatus

NOW = datetime(2031, 5, 4, 12, tzinfo=UTC)
AT = datetime(2025, 6, 8, 20, 59, 43, tzinfo=UTC)
THEIRS = WhatsApp(phone_id=OWN_PHONE, token="EAAJB-orchid")


async def hearing(document: object) -> Heard:
    """Return what is heard in a signed post."""
    return await heard(CONFIG, post_of(document), NOW)


def kept(text: str = "Is it ready?", **more: Any) -> InboundMessage:
    """Return the message from Asha as it is heard."""
    facts = {"provider_message_id": "wamid.HBgM", "sender": ASHA, "recipient": OWN_NUMBER}
    return InboundMessage(**{**facts, "text": text, **more})


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("sent", ReceiptStatus.SENT),
        ("delivered", ReceiptStatus.DELIVERED),
        ("read", ReceiptStatus.READ),
        ("played", ReceiptStatus.READ),
    ],
)
async def test_a_status_is_a_receipt(word: str, expected: ReceiptStatus) -> None:
    """It has Meta's id, Meta's time and our reference; an independent library reads the same."""
    said = status(
        word=word,
        biz_opaque_callback_data="msg_orchid",
        conversation={"id": "7", "origin": {"type": "utility"}},
        pricing={"billable": True, "pricing_model": "PMP", "category": "utility"},
    )
    document: Any = statuses(said)
    theirs = MessageStatus.from_update(THEIRS, document)
    (report,) = (await hearing(document)).reports

    assert report == ProviderReport(
        provider_message_id="wamid.HBgL",
        reference="msg_orchid",
        receipt=Receipt(status=expected, reported_at=AT),
    )
    assert (theirs.id, theirs.tracker, theirs.timestamp) == ("wamid.HBgL", "msg_orchid", AT)
    assert word == theirs.status.value


async def test_a_failure_has_its_number_and_none_of_its_words() -> None:
    """The words may quote the message; the number is in the vendor's documents."""
    document: Any = statuses(status(word="failed", **failure(131026)))
    theirs = MessageStatus.from_update(THEIRS, document)
    (report,) = (await hearing(document)).reports

    assert isinstance(report, ProviderReport)
    assert (
        Receipt(status=ReceiptStatus.FAILED, error_code="131026", reported_at=AT) == report.receipt
    )
    assert theirs.error is not None
    assert 131026 == theirs.error.code


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({}, None),
        ({"errors": []}, None),
        ({"errors": [{"title": "Undeliverable"}]}, None),
        ({"errors": [{"code": "131026"}]}, "131026"),
        ({"errors": [{"code": "your code is 4711"}]}, None),
        ({"errors": [{"code": 10**30}]}, None),
    ],
    ids=["none", "empty", "words alone", "text", "sentence", "no code"],
)
async def test_a_failure_without_a_code_is_a_failure(
    more: dict[str, Any], code: str | None
) -> None:
    """What is no code is left out, and the receipt counts."""
    (report,) = (await hearing(statuses(status(word="failed", **more)))).reports

    assert isinstance(report, ProviderReport)
    assert (ReceiptStatus.FAILED, code) == (report.receipt.status, report.receipt.error_code)


@pytest.mark.parametrize(
    ("said", "at"),
    [
        ("1749416383", AT),
        (1749416383, AT),
        (None, NOW),
        ("0", NOW),
        (str(int((NOW + timedelta(hours=23)).timestamp())), NOW + timedelta(hours=23)),
        (str(int((NOW + timedelta(hours=25)).timestamp())), NOW),
    ],
    ids=["text", "number", "none", "1970", "a clock ahead", "tomorrow"],
)
async def test_a_time_that_cannot_be_right_is_that_of_the_arrival(said: Any, at: datetime) -> None:
    """A receipt is not lost to a clock that is wrong, on either side."""
    (report,) = (await hearing(statuses(status(at=said)))).reports

    assert isinstance(report, ProviderReport)
    assert at == report.receipt.reported_at


@pytest.mark.parametrize(
    "broken",
    [
        status(at="soon"),
        status(at="-1"),
        status(at="9" * 12),
        status(at="9" * 5_000),
        status(at="\u0667"),
        status(at=["1749416383"]),
        status(word="pondered"),
        status(word=["sent"]),
        status(""),
        status("wamid\n7"),
        status("w" * 257),
        {"status": "sent", "timestamp": "1749416383"},
        None,
        7,
        [],
    ],
    ids=repr,
)
async def test_a_status_of_another_shape_is_counted_and_the_others_are_read(broken: Any) -> None:
    """Meta would repeat the whole post for seven days (D-280)."""
    answer = await hearing(statuses(status("wamid.1"), broken, status("wamid.2")))

    found = [
        each.provider_message_id for each in answer.reports if isinstance(each, ProviderReport)
    ]
    assert ["wamid.1", "wamid.2"] == found
    assert 1 == answer.unreadable


@pytest.mark.parametrize("reference", ["", "r" * 257, "a\nb", None])
async def test_what_another_system_noted_is_no_reference(reference: str | None) -> None:
    """The phone may be used by others, who note what they like; Meta's id is enough."""
    (report,) = (await hearing(statuses(status(biz_opaque_callback_data=reference)))).reports

    assert isinstance(report, ProviderReport)
    assert ("wamid.HBgL", None) == (report.provider_message_id, report.reference)


@pytest.mark.parametrize(
    ("document", "text"),
    [(each, text) for _, each, text in WRITTEN],
    ids=[each[0] for each in WRITTEN],
)
async def test_a_message_is_read_as_a_person_would_read_it(document: Any, text: str) -> None:
    """Each kind of message that people can write; what is no text stands in brackets."""
    answer = await hearing(inbound(document))

    assert Heard(reports=(kept(text),)) == answer


@pytest.mark.parametrize(
    "document", [each for _, each, _ in WRITTEN], ids=[each[0] for each in WRITTEN]
)
def test_an_independent_library_reads_the_same_messages(document: Any) -> None:
    """The posts of these tests are Meta's, as far as that library knows them."""
    update: Any = inbound(document)
    match document["type"], document.get("interactive", {}).get("type"):
        case ("button", _) | (_, "button_reply"):
            read: Any = CallbackButton.from_update(THEIRS, update)
        case _, "list_reply":
            read = CallbackSelection.from_update(THEIRS, update)
        case _:
            read = TheirMessage.from_update(THEIRS, update)

    assert ("wamid.HBgM", ASHA, ASHA_ID) == (read.id, read.from_user.wa_id, read.from_user.bsuid)
    assert OWN_NUMBER == read.metadata.display_phone_number


@pytest.mark.parametrize(
    "document",
    [
        inbound(written("text", {"body": "Is it ready?"}, **{"from": None})),
        inbound(written("text", {"body": "Is it ready?"}, **{"from": ""})),
        whole(
            messages(
                contacts=[contact(shows_number=False)],
                messages=[
                    written(
                        "text", {"body": "Is it ready?"}, **{"from": None, "from_user_id": None}
                    )
                ],
            )
        ),
    ],
    ids=["in the message", "empty", "in the contact"],
)
async def test_who_shows_no_number_has_an_id(document: Any) -> None:
    """People with a name in place of the number are known by an id that is the business's own."""
    assert (kept(sender=ASHA_ID),) == (await hearing(document)).reports


async def test_of_several_contacts_none_is_taken_for_the_sender() -> None:
    """A message whose sender nobody knows is unreadable: it would open another person's session."""
    lost = written("text", {"body": "Is it ready?"}, **{"from": None, "from_user_id": None})
    people: Any
    for people in ([contact(), contact()], [], [{}], None, 7, ["x"]):
        answer = await hearing(whole(messages(contacts=people, messages=[lost])))

        assert Heard(unreadable=1) == answer


@pytest.mark.parametrize(
    "document",
    [
        written("system", {"body": "Asha changed her number", "type": "user_changed_number"}),
        written("request_welcome", None),
        written("reaction", {"message_id": "wamid.HBgA", "emoji": ""}),
        written("reaction", {"message_id": "wamid.HBgA"}),
        written("revoke", {"original_message_id": "wamid.HBgA"}),
        written("edit", {"original_message_id": "wamid.HBgA", "message": {"type": "text"}}),
        written("text", {"body": "To all"}, group_id="Y2FwaV9n"),
    ],
    ids=["notice", "welcome", "taken back", "taken back too", "deleted", "edited", "group"],
)
async def test_what_nobody_wrote_to_us_is_no_message(document: Any) -> None:
    """It opens no session, and Meta need not repeat it."""
    assert Heard() == await hearing(inbound(document))


@pytest.mark.parametrize(
    ("document", "text"),
    [
        (written("hologram", {"depth": 7}), "[hologram]"),
        (written("<b>", None), "[unsupported]"),
        (written("", None), "[unsupported]"),
        (written("interactive", {"type": "call_permission_reply"}), "[call_permission_reply]"),
        (written("interactive", {"type": "nfm_reply", "nfm_reply": {}}), "[interactive]"),
        (written("text", {"body": "a\0b\ud800"}), "a\ufffdb\ufffd"),
        (written("text", {"body": "x" * 70_000}), "x" * 65_536),
    ],
    ids=["new kind", "no kind", "empty kind", "new reply", "empty form", "unstorable", "long"],
)
async def test_any_message_has_a_text(document: Any, text: str) -> None:
    """A person who writes something new is heard, and opens a session."""
    assert (kept(text),) == (await hearing(inbound(document))).reports


async def test_half_a_character_spoils_no_other_part() -> None:
    """An escape without its other half is replaced; a written backslash and whole pairs stay."""
    texts = ["a\ud83d", "\udc4db", "\\ud83d", "\U0001f44d\ud800\\"]
    heard_in = await hearing(inbound(*(written("text", {"body": each}) for each in texts)))

    assert (
        kept("a\ufffd"),
        kept("\ufffdb"),
        kept("\\ud83d"),
        kept("\U0001f44d\ufffd\\"),
    ) == heard_in.reports


@pytest.mark.parametrize(
    "broken",
    [
        written("text", None),
        written("text", {"body": 7}),
        written("image", []),
        written("contacts", {}),
        written("location", {"latitude": "north"}),
        {"type": "text", "text": {"body": "Hi"}, "from": ASHA},
        None,
    ],
    ids=["no text", "number", "list", "object", "words", "no id", "null"],
)
async def test_a_message_of_another_shape_is_counted(broken: Any) -> None:
    """The others in the post are read."""
    answer = await hearing(inbound(broken, written("text", {"body": "Is it ready?"})))

    assert Heard(reports=(kept(),), unreadable=1) == answer


async def test_the_number_that_was_written_to_is_digits() -> None:
    """Meta shows it with blanks at times; without one, its id stands for it."""
    for shown, recipient in (
        ("+1 555-078-3881", OWN_NUMBER),
        ("", OWN_PHONE),
        ("\u0667", OWN_PHONE),
    ):
        change = messages(messages=[written("text", {"body": "Is it ready?"})])
        change["value"]["metadata"]["display_phone_number"] = shown

        assert (kept(recipient=recipient),) == (await hearing(whole(change))).reports


async def test_what_concerns_another_phone_is_addressed_to_it() -> None:
    """One address may hear for all phones of an app (C-99)."""
    document = whole(
        messages("777", statuses=[status()], messages=[written("text", {"body": "Hello"})]),
        messages(statuses=[status()]),
    )
    foreign, note, own = (await hearing(document)).reports

    assert {"phoneNumberId": "777"} == foreign.addressed_to == note.addressed_to
    assert {} == own.addressed_to


@pytest.mark.parametrize("event", ["APPROVED", "REINSTATED", "UNARCHIVED"])
async def test_an_event_approves_a_template(event: str) -> None:
    """The review names the template, its language and the WhatsApp Business account."""
    (review,) = (await hearing(whole(template_event(event)))).reports

    assert review == TemplateReview(
        name="order_ready",
        language="en_US",
        approved=True,
        addressed_to={"businessAccountId": OWN_ACCOUNT},
    )


@pytest.mark.parametrize(
    ("event", "more", "reason"),
    [
        ("REJECTED", {"reason": "ABUSIVE_CONTENT"}, "REJECTED: ABUSIVE_CONTENT."),
        (
            "REJECTED",
            {
                "reason": "INVALID_FORMAT",
                "rejection_info": {
                    "reason": "It ends in a variable.",
                    "recommendation": "Add words.",
                },
            },
            "REJECTED: INVALID_FORMAT. It ends in a variable. Add words.",
        ),
        (
            "PAUSED",
            {"other_info": {"title": "FIRST_PAUSE", "description": "Paused\nfor 3 hours."}},
            "PAUSED: Paused for 3 hours.",
        ),
        ("DISABLED", {"disable_info": {"disable_date": "1751234563"}}, "DISABLED"),
        ("ARCHIVED", {"reason": None}, "ARCHIVED"),
        ("DELETED", {"rejection_info": {}}, "DELETED"),
    ],
)
async def test_an_event_rejects_a_template_with_the_reason(
    event: str, more: dict[str, Any], reason: str
) -> None:
    """The reason is one line that begins with Meta's word."""
    (review,) = (await hearing(whole(template_event(event, **more)))).reports

    assert isinstance(review, TemplateReview)
    assert (False, reason) == (review.approved, review.reason)


@pytest.mark.parametrize(
    "event",
    ["PENDING", "FLAGGED", "IN_APPEAL", "LOCKED", "PENDING_DELETION", "LIMIT_EXCEEDED", "NEW"],
)
async def test_other_events_decide_nothing(event: str) -> None:
    """A template in an appeal is still what it was."""
    assert Heard() == await hearing(whole(template_event(event)))


def test_an_independent_library_reads_the_same_template_events() -> None:
    """The posts of these tests are Meta's, as far as that library knows them."""
    more: Any = {
        "rejection_info": {"reason": "It ends in a variable.", "recommendation": "Add words."}
    }
    document: Any = whole(template_event("REJECTED", **{"reason": "INVALID_FORMAT", **more}))
    theirs = TemplateStatusUpdate.from_update(THEIRS, document)

    assert ("order_ready", "en_US") == (theirs.template_name, theirs.template_language.value)
    assert "REJECTED" == theirs.new_status.value
    assert theirs.rejection_info is not None
    assert "Add words." == theirs.rejection_info.recommendation


async def test_a_language_is_written_as_in_templates() -> None:
    """Meta's reference shows `en-US` in events; requests have `en_US`."""
    (review,) = (await hearing(whole(template_event("APPROVED", language="en-US")))).reports

    assert isinstance(review, TemplateReview)
    assert "en_US" == review.language


async def test_the_last_decision_of_a_post_counts() -> None:
    """Two decisions on one template would be recorded side by side, in any order."""
    answer = await hearing(
        whole(
            template_event("REJECTED", reason="SCAM"),
            template_event("APPROVED", language="de"),
            template_event("APPROVED"),
        )
    )
    reviews = [each for each in answer.reports if isinstance(each, TemplateReview)]

    assert [("en_US", True), ("de", True)] == [(each.language, each.approved) for each in reviews]


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
