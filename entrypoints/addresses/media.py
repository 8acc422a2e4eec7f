"""The addresses of hosted media (C-25)."""

from __future__ import annotations

from collections.abc import Callable

MEDIA_PATH = "/media/{id}"
# Returns the address of a medium by its id.
AddressOf = Callable[[str], str]


def hosted_under(base: str | None) -> AddressOf:
    """Return a function to a medium's address under `base`, or to its path without a `base`."""
    return lambda media_id: (base or "") + MEDIA_PATH.format(id=media_id)
