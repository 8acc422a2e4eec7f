"""Prepares calls: path, headers and body from a call and its values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar
from urllib.parse import quote, urlencode

from msgspec import Struct, json

from .calls import Again, Call
from .data.media import Upload
from .data.wire import members

AnswerT = TypeVar("AnswerT")
# A file of a form: the name of its field, and the file.
Files = Sequence[tuple[str, Upload]]

_VISIBLE = re.compile(r"[!-~]{1,255}")
_JSON = {"Content-Type": "application/json"}


class Prepared(Struct, Generic[AnswerT], frozen=True):
    """A call that is ready to be made, once or again."""

    call: Call[AnswerT]
    path: str
    headers: Mapping[str, str]
    body: bytes | None = None
    form: Mapping[str, str] | None = None
    files: Files = ()

    def __repr__(self) -> str:
        return f"Prepared({self.call.name})"

    def multipart(self) -> list[tuple[str, tuple[str | None, Any, str | None]]] | None:
        """Return the parts of a form, as the connection takes them: a text is a file without a name."""
        if self.form is None:
            return None
        texts = [(name, (None, text, None)) for name, text in self.form.items()]
        return [*texts, *((name, (f.name, f.content, f.content_type)) for name, f in self.files)]


def prepare(
    call: Call[AnswerT],
    request: Struct | Mapping[str, object] | None,
    *,
    path: Mapping[str, str],
    files: Files | None,
    idempotency_key: str | None,
) -> Prepared[AnswerT]:
    """
    Prepare a call; raise `ValueError` for an empty part of the path or an invalid Idempotency-Key.

    Without an `idempotency_key`, the caller passes a new one for calls that take one.
    """
    target = call.path.format_map({name: _segment(name, each) for name, each in path.items()})
    headers = {}
    if call.again is Again.BY_KEY and idempotency_key is not None:
        if _VISIBLE.fullmatch(idempotency_key) is None:
            raise ValueError("An Idempotency-Key is 1 to 255 visible ASCII characters.")
        headers = {"Idempotency-Key": idempotency_key}
    values = members(request) if isinstance(request, Struct) else request
    if files is not None:
        form = {name: str(value) for name, value in (values or {}).items()}
        return Prepared(call, target, headers, form=form, files=files)
    if values is None:
        return Prepared(call, target, headers)
    if call.method == "GET":
        query = urlencode({name: _text(value) for name, value in values.items()})
        return Prepared(call, f"{target}?{query}" if query else target, headers)
    return Prepared(call, target, {**headers, **_JSON}, body=json.encode(values))


def _segment(name: str, value: str) -> str:
    """Quote a value for a path, so that it cannot lead to another path."""
    if not value.strip("."):
        raise ValueError(f"{name} must not be empty.")
    return quote(value, safe="")


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
