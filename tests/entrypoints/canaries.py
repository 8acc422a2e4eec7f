"""Codes and keys that are found in any output and any encoding."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from pathlib import Path

# Every form is cut to one of these lengths; half a base64 group at its end is left out.
SHORT, LONG = 10, 20


def disguises(secret: str) -> set[bytes]:
    """Return how a secret could lie about, in small letters: plain, base64, hex, URL-encoded."""
    spelled = {secret.encode(), secret.lower().encode()}
    coded = {base64.b64encode(each[start:]) for each in spelled for start in range(3)}
    hexed = {each.hex().encode() for each in spelled}
    escaped = {"".join(f"%{byte:02x}" for byte in each).encode() for each in spelled}
    return {each.lower()[:SHORT] for each in spelled | coded} | {
        each[:LONG] for each in hexed | escaped
    }


def places_with(secrets: Iterable[str], places: Mapping[str, bytes]) -> dict[str, list[bytes]]:
    """Name the places that contain a form of a secret, with their contents."""
    forms = {form for secret in secrets for form in disguises(secret)}
    found = {name: _forms_in(place.lower(), forms) for name, place in places.items()}
    return {name: held for name, held in found.items() if held}


def contents(folder: Path) -> dict[str, bytes]:
    """Read all files of a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def _forms_in(place: bytes, forms: set[bytes]) -> list[bytes]:
    return [
        piece
        for length in (SHORT, LONG)
        for start in range(len(place))
        if (piece := place[start : start + length]) in forms
    ]
