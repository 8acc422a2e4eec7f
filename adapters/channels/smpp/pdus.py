"""
PDUs of SMPP 3.4, the frames that they travel in, and the numbers of their commands.

- `Pdu(command_id, status, sequence, body)`: one PDU; `encode()`, `answer(status, body)`.
- `FrameReader().feed(data)`: the PDUs that are whole, of bytes as they arrive.
- `PduError`: bytes that are no PDU. Nothing else is ever raised for what an SMSC sends.

Bodies are in `bodies.py`, optional parameters in `tlvs.py`, statuses in `statuses.py`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from enum import IntEnum

from attrs import field, frozen

_HEADER = struct.Struct(">IIII")
_LENGTH = struct.Struct(">I")
LONGEST_PDU = 64 * 1024
RESPONSE = 0x80000000
LAST_SEQUENCE = 0x7FFFFFFF


class PduError(ValueError):
    """Bytes are no PDU, or a value does not fit into one. The text names the fault and quotes nothing."""


class Command(IntEnum):
    """The commands that we send or understand; a response has the highest bit of its request's set."""

    BIND_RECEIVER = 0x00000001
    BIND_TRANSMITTER = 0x00000002
    SUBMIT_SM = 0x00000004
    DELIVER_SM = 0x00000005
    UNBIND = 0x00000006
    BIND_TRANSCEIVER = 0x00000009
    OUTBIND = 0x0000000B
    ENQUIRE_LINK = 0x00000015
    ALERT_NOTIFICATION = 0x00000102
    DATA_SM = 0x00000103
    GENERIC_NACK = 0x80000000
    BIND_RECEIVER_RESP = 0x80000001
    BIND_TRANSMITTER_RESP = 0x80000002
    SUBMIT_SM_RESP = 0x80000004
    DELIVER_SM_RESP = 0x80000005
    UNBIND_RESP = 0x80000006
    BIND_TRANSCEIVER_RESP = 0x80000009
    ENQUIRE_LINK_RESP = 0x80000015
    DATA_SM_RESP = 0x80000103


@frozen
class Pdu:
    """One PDU. Its body may hold a code, a number or a password, so no `repr` shows it."""

    command_id: int
    status: int = 0
    sequence: int = 0
    body: bytes = field(default=b"", repr=False)

    @property
    def is_response(self) -> bool:
        """Return whether this answers a request; a `generic_nack` does."""
        return bool(self.command_id & RESPONSE)

    def answer(self, status: int = 0, body: bytes = b"") -> Pdu:
        """Return the response to this request."""
        return Pdu(self.command_id | RESPONSE, status, self.sequence, body)

    def encode(self) -> bytes:
        """Return the PDU as it goes over the wire; raises `PduError` if a number has too many bits."""
        length = _HEADER.size + len(self.body)
        try:
            return _HEADER.pack(length, self.command_id, self.status, self.sequence) + self.body
        except struct.error:
            raise PduError("a number of the header has more than 32 bits") from None


class FrameReader:
    """
    Cuts a stream of bytes into PDUs.

    It holds at most one PDU that is not whole. A length that is too short or too long is refused when
    its four octets are there, before anything of the PDU is kept; the stream has no place to go on
    from after that, so that every later call raises too.
    """

    def __init__(self, longest: int = LONGEST_PDU) -> None:
        self._longest = longest
        self._waiting = bytearray()

    def feed(self, data: bytes) -> Iterator[Pdu]:
        """
        Take bytes, and return the PDUs that are whole with them; exhaust it before the next call.

        Raises `PduError` when the length of a PDU cannot be right, after the PDUs before it.
        """
        self._waiting += data
        return self._whole()

    def _whole(self) -> Iterator[Pdu]:
        while (length := self._next_length()) is not None and length <= len(self._waiting):
            _, command_id, status, sequence = _HEADER.unpack_from(self._waiting)
            body = bytes(memoryview(self._waiting)[_HEADER.size : length])
            del self._waiting[:length]
            yield Pdu(command_id, status, sequence, body)

    def _next_length(self) -> int | None:
        if len(self._waiting) < _LENGTH.size:
            return None
        (length,) = _LENGTH.unpack_from(self._waiting)
        if not _HEADER.size <= length <= self._longest:
            raise PduError(f"a PDU has {_HEADER.size} to {self._longest} octets, not {length}")
        return int(length)
