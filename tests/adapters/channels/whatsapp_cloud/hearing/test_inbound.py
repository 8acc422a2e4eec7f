"""Messages from people."""

from __future__ import annotations

from typing import Any

import pytest
from pywa.types.callback import CallbackButton, CallbackSelection
from pywa.types.message import Message as TheirMessage

from tests.adapters.channels.whatsapp_cloud.hearing.hearing import (
    THEIRS,
    hearing,
    kept,
)
from tests.adapters.channels.whatsapp_cloud.hearing.metas_posts import (
    ASHA,
    ASHA_ID,
    OWN_NUMBER,
    OWN_PHONE,
    WRITTEN,
    contact,
    inbound,
    messages,
    whole,
    written,
)
from watchword.application.ports.channels import (
    Heard,
)


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
