"""Somebody at the console without scripts: follows links, fills in forms, and keeps cookies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html.parser import HTMLParser

from aiohttp import ClientResponse, ClientSession
from attrs import define, field, frozen

from tests.entrypoints.caller import Endpoint

_NO_END = {"meta", "link", "input", "img", "br", "hr"}
_UNSEEN = {"script", "style", "template", "title"}


@frozen
class PostedForm:
    """A form of a page: what it posts to, and the names of its fields."""

    method: str
    action: str
    names: tuple[str, ...]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.headings: list[str] = []
        self.links: list[str] = []
        self.forms: list[tuple[str, str, list[str]]] = []
        self.values: dict[str, str] = {}
        self.filled: dict[str, str] = {}
        self._select = self._textarea = ""
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag not in _NO_END:
            self._open.append(tag)
        if tag == "h1":
            self.headings.append("")
        if tag == "a":
            self.links.append(given.get("href", ""))
        if tag == "form":
            self.forms.append((given.get("method", "get"), given.get("action", ""), []))
        if tag in ("input", "select", "textarea") and "name" in given:
            if self.forms:
                self.forms[-1][2].append(given["name"])
            self.values[given["name"]] = given.get("value", "")
        self._fill(tag, given)

    def _fill(self, tag: str, given: Mapping[str, str]) -> None:
        """Note what a browser would post of a field."""
        name, value = given.get("name", ""), given.get("value", "")
        if tag == "select":
            self._select = name
        elif tag == "option" and (self._select not in self.filled or "selected" in given):
            self.filled[self._select] = value
        elif tag == "textarea":
            self._textarea = name
            self.filled[name] = ""
        elif tag == "input" and name:
            box = given.get("type") in ("checkbox", "radio")
            if not box or "checked" in given:
                self.filled[name] = value

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            # A line break right behind the tag is none of the text.
            self.filled[self._textarea] = self.filled[self._textarea].removeprefix("\n")
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self._open[-1:] == ["textarea"]:
            self.filled[self._textarea] += data
        if _UNSEEN.isdisjoint(self._open) and (text := " ".join(data.split())):
            self.words.append(text)
            if "h1" in self._open:
                self.headings[-1] = f"{self.headings[-1]} {text}".strip()


@frozen
class Shown:
    """A page as it came."""

    status: int
    url: str
    headers: Mapping[str, str]
    html: str = field(repr=False)

    @property
    def text(self) -> str:
        """What a person reads, in one line."""
        return " ".join(self._read.words)

    @property
    def heading(self) -> str:
        """The page's only first heading."""
        (heading,) = self._read.headings
        return heading

    @property
    def links(self) -> Sequence[str]:
        """Where links lead."""
        return self._read.links

    @property
    def forms(self) -> Sequence[PostedForm]:
        """The forms."""
        return [PostedForm(method, to, tuple(names)) for method, to, names in self._read.forms]

    @property
    def values(self) -> Mapping[str, str]:
        """The values of the fields, by their names."""
        return self._read.values

    @property
    def filled(self) -> Mapping[str, str]:
        """What a browser posts of the fields if nobody changes them."""
        return self._read.filled

    @property
    def _read(self) -> _Reader:
        reader = _Reader()
        reader.feed(self.html)
        return reader


@define
class Visitor:
    """A browser of one visitor; `base` is the path of the console."""

    session: ClientSession
    endpoint: Endpoint
    base: str = "/console"
    csrf: str = ""

    async def sign_in(self, token: str) -> Shown:
        """Sign in with a token, from the form of the log-in."""
        login = await self.get("/login")
        self.csrf = login.values["csrf"]
        return await self.post("/login", {"token": token, "next": ""})

    async def get(self, path: str, *, headers: Mapping[str, str] | None = None) -> Shown:
        """Look at a page, and follow where it leads."""
        url = self.endpoint.make_url(f"{self.base}{path}")
        async with self.session.get(url, headers=headers) as response:
            return await self._shown(response)

    async def post(
        self,
        path: str,
        fields: Mapping[str, str] | Sequence[tuple[str, str]] = (),
        *,
        headers: Mapping[str, str] | None = None,
    ) -> Shown:
        """Post a form with the text that proves its page, and follow where it leads."""
        pairs = [*(fields.items() if isinstance(fields, Mapping) else fields)]
        if self.csrf:
            pairs.append(("csrf", self.csrf))
        url = self.endpoint.make_url(f"{self.base}{path}")
        async with self.session.post(url, data=pairs or {"": ""}, headers=headers) as response:
            return await self._shown(response)

    async def _shown(self, response: ClientResponse) -> Shown:
        html = await response.text()
        shown = Shown(response.status, str(response.url.relative()), response.headers, html)
        self.csrf = shown.values.get("csrf", self.csrf)
        return shown
