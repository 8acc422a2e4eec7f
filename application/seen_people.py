"""A hint of whom this process has seen, in two megabytes (D-372)."""

from __future__ import annotations

_PLACES = 1 << 21
_PRINTS = 255


class SeenPeople:
    """
    Remembers that people were seen, by a print of one byte for each.

    A later person takes the place of an earlier one with the same place. One stranger in 255, at most,
    seems to have been seen. Nobody is taken out. So the answer is only a hint. Of an HMAC its hash counts,
    which a text keeps once it was looked up.
    """

    def __init__(self) -> None:
        self._prints = bytearray(_PLACES)

    def add(self, hmac: str) -> None:
        """Remember that the person with this HMAC was seen."""
        number = hash(hmac)
        self._prints[number % _PLACES] = number // _PLACES % _PRINTS + 1

    def __contains__(self, hmac: str) -> bool:
        """Return whether the person with this HMAC was probably seen."""
        number = hash(hmac)
        return self._prints[number % _PLACES] == number // _PLACES % _PRINTS + 1
