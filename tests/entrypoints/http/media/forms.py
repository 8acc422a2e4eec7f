"""Forms as raw bytes, with any contents."""

from __future__ import annotations

from tests.entrypoints.http.hostile.raw_client import HOST, request
from watchword.entrypoints.demo.seeding import API_KEY

FORM = b"Content-Type: multipart/form-data; boundary=tea\r\n"
JSON = b"Content-Type: application/json\r\n"
KEY = b"apikey: " + API_KEY.encode() + b"\r\n"
A3 = "/rcs/mediaupload"
FIELDS = {"senderProfileName": "TeaHouse", "message_type": "promotional"}


def file_part(
    content: bytes = b"tea",
    name: bytes = b"tea.png",
    kind: bytes = b"image/png",
    field: bytes = b"file",
) -> bytes:
    """Put the part of a file together."""
    return (
        b'--tea\r\nContent-Disposition: form-data; name="%s"; filename="%s"\r\n'
        b"Content-Type: %s\r\n\r\n%s\r\n" % (field, name, kind, content)
    )


def form(*parts: bytes, **fields: str) -> bytes:
    """Put a form together: its files, and then its fields."""
    texts = (
        f'--tea\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in fields.items()
    )
    return b"".join((*parts, *texts)) + b"--tea--\r\n"


def upload(body: bytes | None, *headers: bytes, path: str = A3, method: str = "POST") -> bytes:
    """Put an upload together, with the sandbox's key."""
    return request(path, HOST, KEY, *headers, method=method, body=body)
