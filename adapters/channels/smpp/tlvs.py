"""Optional parameters of SMPP 3.4: a tag, a length and a value each (section 5.3)."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from enum import IntEnum

from .pdus import PduError

_HEAD = struct.Struct(">HH")
# Bodies have a dozen. A PDU has room for 16,000 empty ones, which take a megabyte when they are read.
MOST_TLVS = 100


class Tag(IntEnum):
    """The optional parameters that we write or read."""

    RECEIPTED_MESSAGE_ID = 0x001E
    SAR_MSG_REF_NUM = 0x020C
    SAR_TOTAL_SEGMENTS = 0x020E
    SAR_SEGMENT_SEQNUM = 0x020F
    SC_INTERFACE_VERSION = 0x0210
    NETWORK_ERROR_CODE = 0x0423
    MESSAGE_PAYLOAD = 0x0424
    MESSAGE_STATE = 0x0427


def encoded_tlvs(tlvs: Mapping[int, bytes]) -> bytes:
    """Return optional parameters in their order; raises `PduError` for a tag or value too long for one."""
    try:
        return b"".join(_HEAD.pack(tag, len(value)) + value for tag, value in tlvs.items())
    except struct.error:
        raise PduError("an optional parameter does not fit into its field") from None


def decoded_tlvs(data: bytes) -> Mapping[int, bytes]:
    """
    Return the optional parameters at the end of a body; of a repeated one, the first counts.

    Raises `PduError` for a length that goes beyond the body, for octets that are no parameter, and for too
    many of them.
    """
    found: dict[int, bytes] = {}
    at = 0
    while at < len(data):
        if len(found) == MOST_TLVS:
            raise PduError(f"a body has more than {MOST_TLVS} optional parameters")
        if at + _HEAD.size > len(data):
            raise PduError("a body ends within the head of an optional parameter")
        tag, length = _HEAD.unpack_from(data, at)
        at += _HEAD.size
        if at + length > len(data):
            raise PduError("an optional parameter is longer than its body")
        found.setdefault(tag, data[at : at + length])
        at += length
    return found
