"""Reads links and forms out of a page's HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html.parser import HTMLParser

from attrs import define, field

_FIELDS = {"input", "select", "textarea", "button"}


@define
class ReadForm:
    """A form: how and where it is sent, and its fields with the values that they begin with."""

    method: str
    action: str
    fields: dict[str, str] = field(factory=dict)


class Reader(HTMLParser):
    """Collects what leads on from a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.forms: list[ReadForm] = []
        self.headings = 0
        self.is_page = False
        self._form: ReadForm | None = None
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        """Collect links, forms and fields, and what htmx asks for."""
        given = {name: value or "" for name, value in attrs}
        self.headings += tag == "h1"
        self.is_page = self.is_page or tag == "html"
        self.links += [given[name] for name in ("hx-get", "sse-connect") if name in given]
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag == "form":
            self._form = ReadForm(given.get("method", "get").lower(), given.get("action", ""))
            self.forms.append(self._form)
        for name in ("hx-post", "formaction"):
            if name in given:
                self.forms.append(ReadForm("post", given[name]))
        if tag in _FIELDS and self._form is not None and "name" in given:
            self._form.fields.setdefault(given["name"], given.get("value", ""))

    def handle_endtag(self, tag: str) -> None:
        """End a form."""
        if tag == "form":
            self._form = None
