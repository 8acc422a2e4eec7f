"""The mandatory fields of bodies: octets, and texts that end with a NUL (SMPP 3.4, section 3.1)."""

from __future__ import annotations

from collections.abc import Mapping

from .pdus import PduError
from .tlvs import decoded_tlvs

# What an SMSC sends may be longer than SMPP says, as some ids are; this is long enough for each of them.
_LONGEST_READ = 255
_MAX_OCTET = 0xFF


def octet(value: int) -> bytes:
    """Return a number as one octet."""
    if not 0 <= value <= _MAX_OCTET:
        raise PduError("a number does not fit into one octet")
    return bytes((value,))


def c_string(value: str, longest: int) -> bytes:
    """Return a text and its NUL, which count together up to `longest` octets."""
    try:
        written = value.encode("latin-1")
    except UnicodeEncodeError:
        raise PduError("a text has characters that no field of a PDU can have") from None
    if b"\0" in written or len(written) >= longest:
        raise PduError(f"a text of a PDU has up to {longest - 1} octets, and no NUL")
    return written + b"\0"


class Fields:
    """Reads a body from its begin to its end; raises `PduError` where it is not what it should be."""

    def __init__(self, body: bytes) -> None:
        self._body = body
        self._at = 0

    def octet(self) -> int:
        """Read a number of one octet."""
        return self.octets(1)[0]

    def octets(self, count: int) -> bytes:
        """Read so many octets."""
        end = self._at + count
        if end > len(self._body):
            raise PduError("a body ends within a field")
        self._at, taken = end, self._body[self._at : end]
        return taken

    def c_string(self) -> str:
        """Read a text up to its NUL; every octet is a character, so that an id is never changed."""
        end = self._body.find(b"\0", self._at, self._at + _LONGEST_READ)
        if end < 0:
            raise PduError("a text of a PDU has no NUL, or is too long")
        taken = self._body[self._at : end]
        self._at = end + 1
        return taken.decode("latin-1")

    def tlvs(self) -> Mapping[int, bytes]:
        """Read everything that is left as optional parameters."""
        return decoded_tlvs(self._body[self._at :])
