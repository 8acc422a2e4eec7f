"""The requests that a scripted HTTP server records, and the answers that it is told to make."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl

from attrs import evolve, field, frozen


@frozen(kw_only=True)
class HttpRequest:
    """A request as it came; `header_lines` has every header, in order and as it was spelled."""

    method: str
    target: str
    header_lines: tuple[tuple[str, str], ...] = ()
    body: bytes = b""

    @property
    def path(self) -> str:
        """The target without its query, still quoted."""
        return self.target.partition("?")[0]

    @property
    def query(self) -> Mapping[str, str]:
        """The parameters of the query; of a repeated one, the last value."""
        return dict(parse_qsl(self.target.partition("?")[2], keep_blank_values=True))

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers, with names in lower case; of a repeated one, the last value."""
        return {name.lower(): value for name, value in self.header_lines}

    def json(self) -> Any:
        """Read the body as JSON."""
        return json.loads(self.body)

    def form(self) -> Mapping[str, str]:
        """Read the body as a form; of a repeated field, the last value."""
        return dict(parse_qsl(self.body.decode(), keep_blank_values=True))


@frozen(kw_only=True)
class HttpAnswer:
    """
    An answer, and the fault that it has.

    After `delay` seconds, the head and the body are written. `cut_at` closes the connection after so many
    bytes of both. `silent` writes nothing until the client leaves. `stale` closes the connection after the
    answer without announcing it, as servers do with idle connections. `length` is a wrong
    `Content-Length`.
    """

    status: int = 200
    headers: Mapping[str, str] = field(factory=dict)
    body: bytes = b""
    delay: float = 0
    cut_at: int | None = None
    silent: bool = False
    stale: bool = False
    length: int | None = None

    @classmethod
    def json(cls, value: Any, status: int = 200) -> HttpAnswer:
        """Return an answer whose body is JSON."""
        headers = {"Content-Type": "application/json"}
        return cls(status=status, headers=headers, body=json.dumps(value).encode())

    @classmethod
    def text(cls, value: str, status: int = 200) -> HttpAnswer:
        """Return an answer whose body is text."""
        headers = {"Content-Type": "text/plain; charset=utf-8"}
        return cls(status=status, headers=headers, body=value.encode())

    @classmethod
    def redirect(cls, url: str, status: int = 302) -> HttpAnswer:
        """Return an answer that sends the client to another address."""
        return cls(status=status, headers={"Location": url})

    @classmethod
    def huge(cls, size: int = 10_000_000) -> HttpAnswer:
        """Return an answer of 10 MB of JSON."""
        return cls(headers={"Content-Type": "application/json"}, body=b'"' + b"x" * size + b'"')

    @classmethod
    def silence(cls) -> HttpAnswer:
        """Return an answer that never comes."""
        return cls(silent=True)

    def but(self, **changes: Any) -> HttpAnswer:
        """Return this answer with other members."""
        return evolve(self, **changes)

    def written(self) -> bytes:
        """Return the bytes of the whole answer."""
        reason = HTTPStatus(self.status).phrase if self.status in _KNOWN else "Odd"
        length = len(self.body) if self.length is None else self.length
        lines = [f"HTTP/1.1 {self.status} {reason}", f"Content-Length: {length}"]
        lines += [f"{name}: {value}" for name, value in self.headers.items()]
        return "\r\n".join([*lines, "", ""]).encode() + self.body


_KNOWN = frozenset(HTTPStatus)
