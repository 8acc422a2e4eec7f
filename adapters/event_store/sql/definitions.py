"""Compares the definitions in a database with those of this release, for every SQL store (C-91)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ....application.ports.snapshot import Flaw


def unknown(kind: str, name: str) -> Flaw:
    """Return the flaw of a thing that this release does not create."""
    return Flaw(kind, name, "", "none", "one that the code does not make")


def missing(kind: str, name: str) -> Flaw:
    """Return the flaw of a thing that the database lacks."""
    return Flaw(kind, name, "", "there", "missing")


def differences(
    kind: str, wanted: Mapping[str, str], found: Mapping[str, str], of: str = ""
) -> Iterator[Flaw]:
    """Yield the flaws of all things of a kind by name; `of` precedes each name in a flaw."""
    for name in sorted(wanted.keys() | found.keys()):
        expected, has = wanted.get(name), found.get(name)
        if expected is None:
            yield unknown(kind, of + name)
        elif has is None:
            yield missing(kind, of + name)
        elif expected != has:
            yield Flaw(kind, of + name, "definition", expected, has)
