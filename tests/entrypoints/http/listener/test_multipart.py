"""Forms are read in any pieces, and only if they are complete (RFC 7578)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from io import BytesIO

import pytest
from aiohttp import FormData
from aiohttp.test_utils import make_mocked_request
from hypothesis import given
from hypothesis import strategies as st

from watchword.entrypoints.http.listener.multipart import MalformedFormError, _Form, boundary_of

BOUNDARY = b"tea--time"
Field = tuple[str, str | None, str | None, bytes]


async def pieces(body: bytes, size: int) -> AsyncIterator[bytes]:
    """Yield a body in pieces of a size."""
    for at in range(0, len(body), size):
        yield body[at : at + size]


async def read(body: bytes, size: int = 2**16) -> list[Field]:
    """Read a form that comes in pieces of a size."""
    form = _Form(pieces(body, size), BOUNDARY)
    await form.begin()
    found: list[Field] = []
    while (part := await form.next_part()) is not None:
        content = b"".join([chunk async for chunk in part.chunks()])
        found.append((part.name, part.filename, part.content_type, content))
    return found


def form_of(*parts: bytes, end: bytes = b"--\r\n") -> bytes:
    """Put a form together of parts with their headers."""
    return b"".join(b"--%s\r\n%s\r\n" % (BOUNDARY, each) for each in parts) + b"--%s%s" % (
        BOUNDARY,
        end,
    )


def part(disposition: bytes, content: bytes = b"tea", *headers: bytes) -> bytes:
    """Put a part together."""
    lines = b"".join(b"%s\r\n" % each for each in headers)
    return b"Content-Disposition: form-data; %s\r\n%s\r\n%s" % (disposition, lines, content)


# Texts that resemble a delimiter, and delimiters that are cut at every place.
contents = (
    st.lists(
        st.sampled_from(
            [b"\r\n--tea--tim", b"\r\n", b"--", b"\r", b"\r\n--", BOUNDARY, b"\0\xff", b"x" * 99]
        )
    )
    .map(b"".join)
    .filter(lambda each: b"\r\n--" + BOUNDARY not in b"\r\n" + each)
)


@given(st.lists(contents, max_size=4), st.integers(1, 300))
async def test_contents_come_as_they_were_sent(sent: list[bytes], size: int) -> None:
    """Any content, in any pieces."""
    body = form_of(*(part(b'name="file"; filename="a.png"', each) for each in sent))

    assert sent == [content for *_, content in await read(body, size)]


async def test_a_common_client_is_understood() -> None:
    """Forms of aiohttp's client are read."""
    form = FormData({"message_type": "otp"}, quote_fields=False)
    form.add_field("file", BytesIO(b"\r\ntea\r\n"), filename="grün.png", content_type="image/png")
    written = await form().as_bytes()
    own = written[2 : written.index(b"\r\n")]

    assert [
        ("message_type", None, "text/plain; charset=utf-8", b"otp"),
        ("file", "grün.png", "image/png", b"\r\ntea\r\n"),
    ] == await read(written.replace(own, BOUNDARY), 7)


@pytest.mark.parametrize(
    ("disposition", "name"),
    [
        (b'name="file"; filename="a b.png"', "a b.png"),
        (b"name=file; filename=a.png", "a.png"),
        ('name="file"; filename="tee grün.png"'.encode(), "tee grün.png"),
        (b'NAME="file" ; FileName="a\\"b\\\\c;d.png"', 'a"b\\c;d.png'),
        (b'name="file"; filename="C:\\tea\\a.png"', "C:\\tea\\a.png"),
        (b'name="file"; filename="a"; filename*=UTF-8\'\'gr%C3%BCn.png', "grün.png"),
        (b'name="file"; filename=""', ""),
        (b'name="file"', None),
    ],
)
async def test_file_names_are_read_as_clients_write_them(disposition: bytes, name: str) -> None:
    """Quoted, plain, in UTF-8 and percent-encoded; one that was not chosen is empty."""
    assert [name] == [filename for _, filename, *_ in await read(form_of(part(disposition)))]


WHOLE = form_of(part(b'name="file"; filename="a"'), part(b'name="url"'))


@pytest.mark.parametrize("length", range(len(WHOLE) - 2))
async def test_a_form_that_ends_early_is_malformed(length: int) -> None:
    """Wherever it does."""
    with pytest.raises(MalformedFormError):
        await read(WHOLE[:length])


@pytest.mark.parametrize(
    "body",
    [
        form_of(b"\r\ntea"),
        form_of(b"Content-Type: text/plain\r\n\r\ntea"),
        form_of(b"Content-Disposition: attachment; name=file\r\n\r\ntea"),
        form_of(part(b'filename="a"')),
        form_of(part(b'name="file"; name="url"')),
        form_of(part(b'name="file"; filename="a')),
        form_of(part(b'name="file" junk')),
        form_of(part(b'name="\xff"')),
        form_of(part(b'name="a\0b"')),
        form_of(part(b"name=\"file\"; filename*=UTF-8''%ff")),
        form_of(part(b"name=\"file\"; filename*=latin-1''%e9")),
        form_of(part(b'name="file"', b"dGVh", b"Content-Transfer-Encoding: base64")),
        form_of(part(b'name="file"', b"tea", b"Content-Disposition: form-data; name=url")),
        form_of(part(b'name="file"', b"tea", b" folded")),
        form_of(part(b'name="file"', b"tea", b"X: a\nSet-Cookie: b")),
        form_of(part(b'name="file"', b"tea", *(b"X-%d: tea" % each for each in range(20)))),
        form_of(part(b'name="file"', b"tea", b"X: " + b"x" * 2**14)),
        form_of(part(b'name="%s"' % (b"x" * 2**14))),
        form_of(part(b'name="file"'), end=b"x\r\n"),
        form_of(part(b'name="file"'), end=b"--" + b"x" * 2**14),
        b"x" * 2**14 + WHOLE,
        b"\r\n".join([b"no form at all"] * 2**10),
        b"",
    ],
)
async def test_what_two_readers_could_read_differently_is_refused(body: bytes) -> None:
    """A part without an end is refused too: only contents are unbounded."""
    for size in (1, 2**16):
        with pytest.raises(MalformedFormError):
            await read(body, size)


@pytest.mark.parametrize(
    ("content_type", "boundary"),
    [
        ("multipart/form-data; boundary=tea", b"tea"),
        ('multipart/form-data; boundary="tea time"', b"tea time"),
        ("Multipart/Form-Data; charset=utf-8; Boundary=tea", b"tea"),
        ("multipart/form-data", None),
        ("multipart/form-data; boundary=", None),
        ("multipart/form-data; boundary=" + "x" * 71, None),
        ('multipart/form-data; boundary="tea\\r\\n"', None),
        ("multipart/form-data; boundary=grün", None),
        ("multipart/form-data; boundary*=nonsense''%FF", None),
        ("multipart/mixed; boundary=tea", None),
        ("application/json", None),
    ],
)
def test_boundaries_are_plain(content_type: str, boundary: bytes | None) -> None:
    """A boundary outside RFC 2046 makes no form."""
    request = make_mocked_request("POST", "/", headers={"Content-Type": content_type})

    assert boundary == boundary_of(request)
