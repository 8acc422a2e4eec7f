"""The addresses that hosted media are fetched from (C-25)."""

from __future__ import annotations

from collections.abc import Callable

MEDIA_PATH = "/media/{id}"
# Gives the address at which a medium is hosted, by its id.
AddressOf = Callable[[str], str]


def hosted_under(base: str | None) -> AddressOf:
    """Return the addresses of media under the service's own, or their paths where that is not known."""
    return lambda media_id: (base or "") + MEDIA_PATH.format(id=media_id)
