"""
Marks that all personal values of a test contain, so that one search finds any of them in any form.

A number's mark is nine digits in the middle of it. A text's mark is a word.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

# In every number, e-mail address, provider's id and request id of the people.
DIGITS = "159840716"
# In every text about them: references, tags, values, contents, errors.
WORD = "qanaryzwx"
_MARKS = (DIGITS, WORD)
# What people put between the digits of a number, and addresses of computers between theirs.
_GAPS = b" .()/-:"
# The digests of so many numbers are searched for.
SAMPLE = 3
# The bytes of a digest that must be somewhere for it to be found.
_PART = 9
# How much of what stands around a mark a failure shows.
_AROUND = 60


def phone(number: int) -> str:
    """Return the number of a phone."""
    return f"+49{DIGITS}{number:04}"


def mailbox(number: int) -> str:
    """Return an e-mail address; masks show its domain (C-32)."""
    return f"{WORD}.{number}@tea.example"


def ip(number: int) -> str:
    """Return the IP of a phone; the guard counts its first half."""
    return f"{DIGITS[:4]}:{DIGITS[4:8]}:{DIGITS[8:]}000:{number:x}::1"


def text(kind: str, number: int) -> str:
    """Return a text of some kind."""
    return f"{kind}-{WORD}-{number}"


def marks_in(places: Mapping[str, bytes]) -> dict[str, list[str]]:
    """Name the places that contain a mark, with the forms in which they have it and what is around."""
    found = {name: [*_forms_in(place)] for name, place in places.items()}
    return {name: forms for name, forms in found.items() if forms}


def files_of(*folders: Path) -> dict[str, bytes]:
    """Read all files below folders."""
    return {
        str(path): path.read_bytes()
        for folder in folders
        for path in folder.rglob("*")
        if path.is_file()
    }


def _forms_in(place: bytes) -> Iterator[str]:
    small, joined = place.lower(), place.translate(None, _GAPS)
    for name, forms in _FORMS.items():
        read = {"spaced": joined, "base64": place, "utf-16": place, "sha-256": place}.get(
            name, small
        )
        # Many searches for bytes are faster than one for a pattern.
        at = max(map(read.find, forms))
        if at >= 0:
            yield f"{name}: {read[max(0, at - _AROUND) : at + _AROUND]!r}"


def _base64(mark: bytes) -> Iterator[bytes]:
    """Return what stands in base64 for a mark at each offset, without the letters that others share."""
    for before, shared in ((0, 0), (1, 2), (2, 3)):
        coded = base64.b64encode(b"\0" * before + mark)
        yield coded[shared : (before + len(mark)) * 8 // 6]


def _digests(number: int) -> Iterator[bytes]:
    spelled = phone(number)
    for each in (spelled, spelled[1:], f"demo:{spelled[1:]}", mailbox(number)):
        digest = hashlib.sha256(each.encode()).digest()
        yield digest[:_PART]
        yield digest.hex()[: 2 * _PART].encode()
        yield base64.b64encode(digest[:_PART])


_FORMS: Mapping[str, Sequence[bytes]] = {
    "plain": [each.encode() for each in _MARKS],
    "spaced": [DIGITS.encode()],
    "base64": [form for each in _MARKS for form in _base64(each.encode())],
    "hex": [each.encode().hex().encode() for each in _MARKS],
    "url-encoded": ["".join(f"%{byte:02x}" for byte in each.encode()).encode() for each in _MARKS],
    "utf-16": [each.encode(form) for each in _MARKS for form in ("utf-16-le", "utf-16-be")],
    # Of the first people of all.
    "sha-256": [form for number in range(1, SAMPLE + 1) for form in _digests(number)],
}
