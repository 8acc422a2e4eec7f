"""The page for a person: whole, and harmless in a browser (C-74)."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

from watchword.entrypoints.cli.output.person_page import person_page

HOSTILE = "<script>alert('tea')</script><img src=x onerror=alert(1)>\"&'"
RECORD: dict[str, Any] = {
    "personId": HOSTILE,
    "pins": [{"pinId": "pin_1", "referenceId": HOSTILE, "channels": [{"channel": HOSTILE}]}],
    "messages": [{"messageId": "msg_1"}, {"messageId": "msg_2", "sender": HOSTILE}],
    "consents": [],
    "testDestinations": [],
    "ratings": [],
    "deliveries": [],
    "events": [{"type": "PinIssued", HOSTILE: 1}],
}


class Read(HTMLParser):
    """Notes the tags, attributes and texts of a page, as a browser reads them."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag."""
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        """Note a text."""
        self.texts.append(data)


def test_no_text_becomes_markup() -> None:
    """Whatever a value contains, the page has plain tables; nothing runs and nothing is loaded."""
    read = Read()
    read.feed("".join(person_page(RECORD)))

    assert {
        *("html", "head", "meta", "title", "style", "body"),
        *("h1", "h2", "p", "table", "tr", "th", "td"),
    } == read.tags
    assert {"lang", "charset", "http-equiv", "content"} == read.attributes
    assert HOSTILE in read.texts
    assert "default-src 'none'" in "".join(person_page(RECORD))


def test_every_entry_is_there() -> None:
    """Entries with different members share a table; a part without entries says so."""
    page = "".join(person_page(RECORD))

    assert all(each in page for each in ("pin_1", "msg_1", "msg_2", "PinIssued"))
    assert 4 == page.count("<p>None.</p>")


def test_what_is_inside_a_member_is_in_words() -> None:
    """A person reads lines, and no JSON; empty members are left out."""
    data = {
        "recipient": "+447700900123",
        "content": {"kind": "sms", "text": "Your tea.\nNow.", "unicode": False, "entityId": None},
        "linkCodes": [],
        "steps": [{"channel": "sms"}, {"channel": "rcs", "custRefs": {"custRef1": "pot-7"}}],
    }
    read = Read()
    read.feed("".join(person_page({**RECORD, "events": [{"type": "Told", "data": data}]})))
    (told,) = [each for each in read.texts if "Your tea." in each]

    assert [
        "recipient: +447700900123",
        "content: ",
        "  kind: sms",
        "  text: Your tea.",
        "Now.",
        "  unicode: no",
        "steps: ",
        "  channel: sms, ",
        "  channel: rcs",
        "  cust refs: ",
        "    cust ref1: pot-7",
    ] == told.split("\n")
