"""
Forms with files (`multipart/form-data`, RFC 7578), read as they come and in bounded memory.

Not by aiohttp's reader: that one warns of headers in their own words and keeps every warning, obeys
parts that name a charset or coding for others, and bounds no field.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from email.message import Message
from urllib.parse import unquote

from aiohttp import web
from aiohttp.hdrs import CONTENT_DISPOSITION, CONTENT_TRANSFER_ENCODING, CONTENT_TYPE
from attrs import field, frozen

from ....domain.errors import DomainError, FieldProblem, ValidationFailedError
from .bodies import MAX_BODY, arriving, refuse_coded
from .patience import PATIENCE

MOST_PARTS = 64
# Of the headers of a part, and of what may stand before the first and behind the last one.
_MOST_AROUND = 8 * 1024
_BOUNDARY = re.compile(r"[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]")
_HEADER = re.compile(r"([!#-'*+.0-9A-Z^_`a-z|~-]+):[ \t]*([^\x00-\x08\x0a-\x1f\x7f]*)")
_PARAMETER = re.compile(r';[ \t]*([a-z*]+)=(?:"((?:[^"\\]|\\.)*)"|([^ \t;"\\]+))[ \t]*', re.I)
_AS_IT_IS = ("7bit", "8bit", "binary")


class NotAFormError(DomainError):
    """A body is no form, or not sent as it is (C-58, D-23)."""

    code = "unsupported_media_type"

    def __init__(self) -> None:
        super().__init__(
            "The body must be a form with files, sent as it is. Send Content-Type: multipart/form-data with a"
            " boundary, and no Content-Encoding."
        )


class MalformedFormError(ValidationFailedError):
    """A body is not the form that its headers announce."""

    def __init__(self, problem: str) -> None:
        super().__init__([FieldProblem("body", problem)])


def boundary_of(request: web.Request) -> bytes | None:
    """Return the boundary between the parts of a form; None for a body that is no form."""
    given = request.headers.get(CONTENT_TYPE, "")
    if request.content_type != "multipart/form-data" or not given.isascii():
        return None
    header = Message()
    header[CONTENT_TYPE] = given
    boundary = header.get_boundary("")
    return boundary.encode() if _BOUNDARY.fullmatch(boundary) else None


def form_boundary(request: web.Request) -> bytes:
    """Return the boundary of a form; raises `NotAFormError` for any other body, and for a coded one."""
    try:
        refuse_coded(request)
    except web.HTTPUnsupportedMediaType:
        raise NotAFormError from None
    boundary = boundary_of(request)
    if boundary is None:
        raise NotAFormError
    return boundary


async def form_parts(request: web.Request, boundary: bytes) -> AsyncIterator[Part]:
    """
    Yield the parts of a form, each to be read before the next; what is not read is passed over.

    Texts, and what is passed over, have at most `MAX_BODY` bytes together. Raises
    `MalformedFormError`, and what `arriving` raises.
    """
    refuse_coded(request)
    form = _Form(arriving(request, request.app[PATIENCE].file_due), boundary)
    await form.begin()
    count = 0
    while (part := await form.next_part()) is not None:
        count += 1
        if count > MOST_PARTS:
            raise MalformedFormError(f"must have at most {MOST_PARTS} parts")
        yield part
        await form.pass_over(part)


@frozen
class Part:
    """One field of a form; `filename` is None where it is no file, and empty where none was chosen."""

    name: str
    filename: str | None = field(repr=False)
    content_type: str | None
    _form: _Form = field(repr=False)

    def chunks(self) -> AsyncIterator[bytes]:
        """Yield its content as it comes."""
        return self._form.content()

    async def text(self) -> str:
        """Read a text; raises `MalformedFormError`, and `HTTPRequestEntityTooLarge`."""
        content = bytearray()
        async for chunk in self.chunks():
            self._form.spend(len(chunk))
            content += chunk
        return _decoded(bytes(content), self.name)


class _Form:
    def __init__(self, chunks: AsyncIterator[bytes], boundary: bytes) -> None:
        self._chunks = chunks
        self._delimiter = b"\r\n--" + boundary
        # The first delimiter has no line before it that would end.
        self._ahead = bytearray(b"\r\n")
        self._in_part = False
        self._left = MAX_BODY

    def spend(self, size: int) -> None:
        self._left -= size
        if self._left < 0:
            raise web.HTTPRequestEntityTooLarge(MAX_BODY, MAX_BODY - self._left)

    async def begin(self) -> None:
        await self._until(self._delimiter)

    async def next_part(self) -> Part | None:
        """Read what stands between two parts; None behind the last one."""
        while len(self._ahead) < 2:
            await self._more()
        if self._ahead.startswith(b"--"):
            await self._end()
            return None
        if (await self._until(b"\r\n")).strip(b" \t"):
            raise MalformedFormError("must have nothing behind a boundary")
        headers: dict[str, str] = {}
        while line := await self._until(b"\r\n"):
            found = _HEADER.fullmatch(_decoded(line, "a header of a part"))
            if not found or found[1].lower() in headers or len(headers) == 16:
                raise MalformedFormError("must have plain headers, each once in a part")
            headers[found[1].lower()] = found[2]
        self._in_part = True
        return _part(headers, self)

    async def content(self) -> AsyncIterator[bytes]:
        keep = len(self._delimiter) - 1
        while self._in_part:
            at = self._ahead.find(self._delimiter)
            if at >= 0:
                self._in_part = False
                chunk = self._taken(at, len(self._delimiter))
            else:
                # What may be the beginning of a delimiter waits for the rest of it.
                chunk = self._taken(max(0, len(self._ahead) - keep))
            if chunk:
                yield chunk
            if self._in_part and len(self._ahead) <= keep:
                await self._more()

    async def pass_over(self, part: Part) -> None:
        async for chunk in part.chunks():
            self.spend(len(chunk))

    async def _end(self) -> None:
        self._check(len(self._ahead))
        async for chunk in self._chunks:
            self._ahead += chunk
            self._check(len(self._ahead))

    async def _until(self, mark: bytes) -> bytes:
        """Take what stands before a mark, and the mark."""
        while (at := self._ahead.find(mark)) < 0:
            self._check(len(self._ahead))
            await self._more()
        self._check(at)
        return self._taken(at, len(mark))

    def _check(self, size: int) -> None:
        if size > _MOST_AROUND:
            raise MalformedFormError(
                f"must have at most {_MOST_AROUND:,} bytes around its parts and in a header"
            )

    def _taken(self, size: int, passed_over: int = 0) -> bytes:
        with memoryview(self._ahead) as ahead:
            taken = bytes(ahead[:size])
        del self._ahead[: size + passed_over]
        return taken

    async def _more(self) -> None:
        chunk = await anext(self._chunks, b"")
        if not chunk:
            raise MalformedFormError("must be a whole form: it ends before its last boundary")
        self._ahead += chunk


def _part(headers: Mapping[str, str], form: _Form) -> Part:
    if headers.get(CONTENT_TRANSFER_ENCODING.lower(), "binary").lower() not in _AS_IT_IS:
        raise MalformedFormError("must send each part as it is, without Content-Transfer-Encoding")
    kind, _, rest = headers.get(CONTENT_DISPOSITION.lower(), "").partition(";")
    given: dict[str, str] = {}
    at = 0
    rest = f";{rest}"
    while found := _PARAMETER.match(rest, at):
        at = found.end()
        name, quoted, plain = found.groups()
        value = plain if quoted is None else re.sub(r'\\(["\\])', r"\1", quoted)
        if given.setdefault(name.lower(), value) is not value:
            at = 0
            break
    if kind.strip().lower() != "form-data" or at != len(rest) or "name" not in given:
        raise MalformedFormError(
            'must name each part: Content-Disposition: form-data; name="…", and filename="…" of a file'
        )
    filename = given.get("filename")
    if "filename*" in given:
        charset, _, coded = given["filename*"].partition("'")
        if charset.lower() != "utf-8":
            raise MalformedFormError("must have file names in UTF-8")
        filename = _decoded(_unquoted(coded.partition("'")[2]), "a file name")
    return Part(given["name"], filename, headers.get(CONTENT_TYPE.lower()), form)


def _unquoted(coded: str) -> bytes:
    return unquote(coded, errors="surrogateescape").encode(errors="surrogateescape")


def _decoded(content: bytes, what: str) -> str:
    try:
        text = content.decode()
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise MalformedFormError(f"must be UTF-8 without NUL in {what[:100]!a}")
    return text
