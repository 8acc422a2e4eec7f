"""PDUs of the SMSC of tests, written and read by aiosmpplib."""

from __future__ import annotations

import struct
from enum import IntEnum
from typing import Self

from aiosmpplib import protocol
from attrs import frozen

# The bit that tells a response from a request.
RESPONSE_BIT = 0x8000_0000
INVALID_COMMAND_LENGTH, INVALID_COMMAND_ID, THROTTLED = 0x02, 0x03, 0x58
_HEADER = struct.Struct("!IIII")


class Command(IntEnum):
    """The command ids that the SMSC knows."""

    GENERIC_NACK = 0x8000_0000
    BIND_RECEIVER = 0x0000_0001
    BIND_TRANSMITTER = 0x0000_0002
    SUBMIT_SM = 0x0000_0004
    DELIVER_SM = 0x0000_0005
    DELIVER_SM_RESP = 0x8000_0005
    UNBIND = 0x0000_0006
    BIND_TRANSCEIVER = 0x0000_0009
    ENQUIRE_LINK = 0x0000_0015


BINDS = {
    Command.BIND_RECEIVER: protocol.BindReceiver,
    Command.BIND_TRANSMITTER: protocol.BindTransmitter,
    Command.BIND_TRANSCEIVER: protocol.BindTransceiver,
}
_RESPONSES = {
    Command.BIND_RECEIVER: protocol.BindReceiverResp,
    Command.BIND_TRANSMITTER: protocol.BindTransmitterResp,
    Command.BIND_TRANSCEIVER: protocol.BindTransceiverResp,
    Command.SUBMIT_SM: protocol.SubmitSmResp,
    Command.ENQUIRE_LINK: protocol.EnquireLinkResp,
    Command.UNBIND: protocol.UnbindResp,
}


@frozen
class Header:
    """The first 16 octets of a PDU."""

    length: int
    command: int
    status: int
    sequence: int

    @classmethod
    def of(cls, raw: bytes) -> Self:
        """Read it."""
        return cls(*_HEADER.unpack_from(raw))

    @staticmethod
    def with_sequence(raw: bytes, sequence: int) -> bytes:
        """Return a PDU with another sequence number."""
        return raw[:12] + sequence.to_bytes(4, "big") + raw[16:]


@frozen
class Bind:
    """A bind, as aiosmpplib reads it."""

    command: Command
    sequence: int
    system_id: str
    password: str
    system_type: str
    interface_version: int
    address_range: str

    @classmethod
    def of(cls, raw: bytes) -> Self:
        """Read it."""
        header = Header.of(raw)
        command = Command(header.command)
        read = BINDS[command].from_pdu(raw, protocol.SmppMessage.parse_header(raw))
        assert isinstance(read, protocol.BindTransceiver)
        return cls(
            command,
            header.sequence,
            read.system_id,
            read.password,
            read.system_type,
            read.interface_version,
            read.address_range,
        )

    @property
    def hears(self) -> bool:
        """Whether this bind gets deliver_sm."""
        return self.command is not Command.BIND_TRANSMITTER

    @property
    def sends(self) -> bool:
        """Whether this bind may submit."""
        return self.command is not Command.BIND_RECEIVER


def response(command: int, sequence: int, status: int = 0, text: str = "") -> bytes:
    """Return the response to a request: `text` is the SMSC's name, or the message id."""
    made = _RESPONSES[Command(command)](sequence_num=sequence)
    if isinstance(made, protocol.BindTransceiverResp):
        made.system_id = text
    if isinstance(made, protocol.SubmitSmResp):
        made.message_id = text
    return _with_status(made.pdu(), status)


def nack(sequence: int, status: int) -> bytes:
    """Return a generic_nack."""
    return _with_status(protocol.GenericNack(sequence_num=sequence).pdu(), status)


def request(command: int, sequence: int) -> bytes:
    """Return a request without a body: enquire_link or unbind."""
    kinds = {Command.ENQUIRE_LINK: protocol.EnquireLink, Command.UNBIND: protocol.Unbind}
    made: bytes = kinds[Command(command)](sequence_num=sequence).pdu()
    return made


def _with_status(raw: bytes, status: int) -> bytes:
    # aiosmpplib knows the listed statuses alone, and an SMSC may answer with any.
    return raw[:8] + status.to_bytes(4, "big") + raw[12:]
