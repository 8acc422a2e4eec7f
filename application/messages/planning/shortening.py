"""Find and replace the addresses in a content that are to be shortened (C-29)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

import attrs

from ....domain.message import (
    Content,
    ProviderContent,
    RcsTemplateContent,
    SmsContent,
    WhatsappSessionContent,
    WhatsappTemplateContent,
)

Short = Callable[[str], str]

# An address that continues is another address, and so is a longer one that contains it.
# The punctuation at the end of a sentence is no part of it.
_BEGINNING = re.compile(r"(?<![A-Za-z0-9=/&?%])(?i:https?)://")
_END = re.compile(r"(?![A-Za-z0-9/#%&=+@$]|[.,:;!?(_~-]+[A-Za-z0-9/])")
# The members of Meta's objects that people read or tap. `link` is a medium, which only the provider fetches.
_READ = ("text", "body", "caption", "url")


class Shortening:
    """Replaces addresses in the texts that people read, including templates' parameters (D-78)."""

    def __init__(self, urls: Collection[str]) -> None:
        # A regular expression of a hundred long addresses takes half a second, and `re` would cache it.
        self._longest_first = tuple(sorted(urls, key=len, reverse=True))

    def applied(self, content: Content, short: Short) -> Content:
        """
        Return a content in which `short` replaces each of the addresses.

        A content for a third-party adapter stays as it is (C-52).
        """
        return rewritten(content, lambda text: self._text(text, short))

    def _text(self, text: str, short: Short) -> str:
        parts, done = [], 0
        for beginning in _BEGINNING.finditer(text):
            at = beginning.start()
            if at < done or not text.startswith(self._longest_first, at):
                continue
            url = self._url_at(text, at)
            if url is not None:
                parts += [text[done:at], short(url)]
                done = at + len(url)
        return "".join((*parts, text[done:]))

    def _url_at(self, text: str, at: int) -> str | None:
        return next(
            (
                url
                for url in self._longest_first
                if text.startswith(url, at) and _END.match(text, at + len(url))
            ),
            None,
        )


def rewritten(content: Content, text: Callable[[str], str]) -> Content:
    """Return a content with `text` applied to each of its texts that people read or tap (D-78)."""
    match content:
        case SmsContent():
            return attrs.evolve(content, text=text(content.text))
        case RcsTemplateContent(params=params):
            return attrs.evolve(content, params={name: text(each) for name, each in params.items()})
        case WhatsappTemplateContent(components=components):
            return attrs.evolve(content, components=tuple(_walked(components, "", text)))
        case WhatsappSessionContent(body=body):
            return attrs.evolve(content, body=_walked(body, "", text))
        case ProviderContent():
            return content


def _walked(value: Any, name: str, text: Callable[[str], str]) -> Any:
    if isinstance(value, Mapping):
        return {inner: _walked(each, inner, text) for inner, each in value.items()}
    if isinstance(value, list | tuple):
        return [_walked(each, name, text) for each in value]
    if isinstance(value, str) and name in _READ:
        return text(value)
    return value
