"""Draws a preview as the console's pages do, and reads the page's text back."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

import watchword
from watchword.entrypoints.console.previews.shown import Preview

_HTML = Path(watchword.__file__).parent / "entrypoints" / "console" / "html"
_TEMPLATE = '{% from "previews/phone.html" import phone %}{{ phone(preview) }}'


def drawn(preview: Preview) -> str:
    """Return the HTML of a preview."""
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, loader=FileSystemLoader(_HTML)
    )
    return environment.from_string(_TEMPLATE).render(preview=preview)


class _Texts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def read(page: str) -> tuple[str, set[str]]:
    """Return the text of a page, with one blank between its pieces, and its tags."""
    reader = _Texts()
    reader.feed(page)
    return " ".join(" ".join(reader.texts).split()), reader.tags
