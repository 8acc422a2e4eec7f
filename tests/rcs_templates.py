"""RCS templates to judge: one of each type, and generators of valid ones in the wire's spelling."""

from __future__ import annotations

import string
from datetime import UTC, datetime
from typing import Any

from attrs import frozen
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from tests.strategies import texts
from watchword.domain.rcs_template import (
    Card,
    Carousel,
    Height,
    HostedFile,
    MessageOrder,
    MessageType,
    RcsTemplate,
    RcsTemplateCreated,
    Reply,
    RichCard,
    TemplateContent,
    TemplateDefinition,
    TextMessage,
    TextMessageWithMedia,
    UploadedFile,
    Vertical,
    Width,
    rcs_template_decider,
    violations,
)

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
PICTURE = "https://cdn.example/tea.png"
CARD = Card(media_url=PICTURE, card_title="Oolong", card_description="Rolled by hand, [name].")
REPLY = Reply(display_text="Yes", postback="yes")
TEXT = TextMessage(text_message_content="Hello [name], your tea is on its way to you.")
MEDIA = TextMessageWithMedia(
    text_message_content="The new teas are here.",
    document_url="https://cdn.example/teas.pdf",
    message_order=MessageOrder.MEDIA_AT_TOP,
)
RICH_CARD = RichCard(layout=Vertical(height=Height.TALL_HEIGHT), stand_alone=CARD)
CAROUSEL = Carousel(
    height=Height.SHORT_HEIGHT, width=Width.MEDIUM_WIDTH, carousel_list=(CARD, CARD)
)


def stored(
    content: TemplateContent = TEXT,
    message_type: MessageType = MessageType.TRANSACTIONAL,
    files: tuple[HostedFile, ...] = (),
) -> RcsTemplate:
    """Return a template as it is once it was created."""
    created = RcsTemplateCreated(
        at=NOON,
        account_id="acc_tea",
        sender_profile="TEAHSE",
        name="tea",
        message_type=message_type,
        update_by="tests",
        content=content,
        files=files,
    )
    return rcs_template_decider.begin(created)


def wrong_with(
    content: TemplateContent, *files: UploadedFile, name: str = "teas", unread: tuple[str, ...] = ()
) -> list[str]:
    """Return the paths, in the wire's spelling, at which a template breaks a rule."""
    definition = TemplateDefinition(name=name, content=content)
    return [problem.path for problem in violations(definition, files, unread=unread)]


@frozen
class Submission:
    """The `data` of a valid create, and the files that come with it."""

    data: dict[str, Any]
    files: tuple[UploadedFile, ...]


def _plain(most: int) -> SearchStrategy[str]:
    """Return texts that say something, without placeholders."""
    return texts.filter(lambda text: bool(text.strip()) and "[" not in text).map(
        lambda text: text[:most].strip() or "-"
    )


def _worded(most: int) -> SearchStrategy[str]:
    """Return texts of which a placeholder is the smaller part."""
    with_name = _plain(most - 30).map(lambda text: f"{text}, dear tea drinkers, [n_1]")
    return _plain(most) | (with_name if most > 60 else _plain(most))


_words = st.text(string.ascii_letters + string.digits + "_", min_size=1, max_size=20)
_hosts = st.sampled_from(["example.com", "cdn.example:8443", "8.8.8.8", "m\u00fcnchen.example"])
_urls: SearchStrategy[str] = st.builds(
    "{}://{}/{}".format, st.sampled_from(["http", "https"]), _hosts, _words
)
_phones = st.from_regex(r"\+[1-9][0-9]{6,14}", fullmatch=True)
_moments = st.sampled_from(
    ["2031-05-04 12:00:00", "2031-05-04T12:00", "2031-05-04T12:00:00.125", "2031-05-04T12:00:00"]
)
_OF_A_KIND: dict[str, dict[str, SearchStrategy[Any]]] = {
    "reply": {},
    "dialer_action": {"phoneNumber": _phones},
    "url_action": {"url": _urls},
    "view_location_latlong": {
        "label": _plain(40),
        "latitude": st.integers(-90, 90).map(str),
        "longitude": st.floats(-180, 180).map("{:.6f}".format),
    },
    "view_location_query": {"query": _plain(40)},
    "share_location": {},
    "calendar_event": {
        "title": _plain(40),
        "description": _plain(40),
        "startTime": _moments,
        "endTime": st.just("2031-05-04 13:00:00"),
        "timeZone": st.sampled_from(["Asia/Kolkata", "UTC", "America/Argentina/Ushuaia", "EST"]),
    },
}


def _suggestions(most: int) -> SearchStrategy[list[dict[str, Any]]]:
    kinds = [
        st.fixed_dictionaries(
            {
                "suggestionType": st.just(kind),
                "displayText": _worded(25),
                "postback": _worded(120),
                **members,
            },
            optional={"application": _words} if kind == "url_action" else {},
        )
        for kind, members in _OF_A_KIND.items()
    ]
    return st.lists(st.one_of(kinds), max_size=most)


@st.composite
def _cards(draw: DrawFn, number: int) -> Submission:
    """A card whose medium is a URL or an uploaded file, a video with its thumbnail or a picture."""
    ending = draw(st.sampled_from([".png", ".pdf", ".mp4"]))
    name = f"medium{number}{ending}"
    data: dict[str, Any] = {"cardTitle": draw(_worded(200)), "cardDescription": draw(_worded(2000))}
    files = []
    if draw(st.booleans()):
        data["mediaUrl"] = draw(_urls) + draw(st.sampled_from(["", ending]))
    else:
        data[draw(st.sampled_from(["fileName", "documentFileName"]))] = name
        files.append(UploadedFile(name=name))
    if ending == ".mp4":
        thumbnail = f"thumbnail{number}.png"
        if draw(st.booleans()):
            data["thumbnailUrl"] = draw(_urls)
        else:
            data["thumbnailFileName"] = thumbnail
            files.append(UploadedFile(name=thumbnail, content_type="image/png"))
    if draw(st.booleans()):
        data["suggestions"] = draw(_suggestions(2))
    return Submission(data, tuple(files))


_common = st.fixed_dictionaries(
    {"name": _words},
    optional={
        "templateState": st.sampled_from(["Create", "Submit"]),
        "suggestions": _suggestions(2),
    },
)
_heights = st.sampled_from(["SHORT_HEIGHT", "MEDIUM_HEIGHT", "TALL_HEIGHT"])


@st.composite
def _text_messages(draw: DrawFn) -> Submission:
    data = draw(_common) | {"type": "text_message", "textMessageContent": draw(_worded(2500))}
    return Submission(data, ())


@st.composite
def _messages_with_media(draw: DrawFn) -> Submission:
    data = draw(_common) | {
        "type": "text_message_with_media",
        "textMessageContent": draw(_worded(2500)),
        "messageOrder": draw(st.sampled_from(["media_at_top", "text_message_at_top"])),
    }
    if draw(st.booleans()):
        return Submission(data | {"documentUrl": draw(_urls)}, ())
    return Submission(data | {"documentFileName": "menu.pdf"}, (UploadedFile(name="menu.pdf"),))


@st.composite
def _rich_cards(draw: DrawFn) -> Submission:
    card = draw(_cards(0))
    layout = draw(
        st.one_of(
            st.fixed_dictionaries({"orientation": st.just("VERTICAL"), "height": _heights}),
            st.fixed_dictionaries(
                {
                    "orientation": st.just("HORIZONTAL"),
                    "alignment": st.sampled_from(["LEFT", "RIGHT"]),
                }
            ),
        )
    )
    data = draw(_common) | {"type": "rich_card", "standAlone": card.data} | layout
    return Submission(data, card.files)


@st.composite
def _carousels(draw: DrawFn) -> Submission:
    cards = [draw(_cards(number)) for number in range(draw(st.integers(2, 4)))]
    data = draw(_common) | {
        "type": "carousel",
        "height": draw(_heights),
        "width": draw(st.sampled_from(["MEDIUM_WIDTH", "SMALL_WIDTH", "SHORT_WIDTH"])),
        "carouselList": [card.data for card in cards],
    }
    return Submission(data, tuple(file for card in cards for file in card.files))


submissions: SearchStrategy[Submission] = st.one_of(
    _text_messages(), _messages_with_media(), _rich_cards(), _carousels()
)
