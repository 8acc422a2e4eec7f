"""
Bodies of PDUs as values: `encode()` returns the octets, `decode(body)` reads them or raises `PduError`.

`Bind` and `BindResp` serve all three binds. `SubmitSm` and `DeliverSm` have the same fields. `MessageResp`
is the response to `submit_sm`, `deliver_sm` and `data_sm`. `delivery_in(pdu)` reads what an SMSC delivers by
`deliver_sm` or `data_sm`. `enquire_link`, `unbind` and `generic_nack` have no body.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from attrs import field, frozen

from .fields import Fields, c_string, octet
from .pdus import Command, Pdu, PduError
from .tlvs import encoded_tlvs

SMPP_3_4 = 0x34
# A short message has up to 254 octets (SMPP 3.4, 5.2.21).
LONGEST_SHORT_MESSAGE = 254
# Lengths of fields, their NUL included (SMPP 3.4, sections 4.1 to 4.4).
_SYSTEM_ID, _PASSWORD, _SYSTEM_TYPE, _RANGE = 16, 9, 13, 41
_SERVICE_TYPE, _ADDRESS, _TIME, _MESSAGE_ID = 6, 21, 17, 65


@frozen
class Address:
    """A number or name, its type (TON) and its numbering plan (NPI)."""

    ton: int = 0
    npi: int = 0
    value: str = field(default="", repr=False)

    def encode(self) -> bytes:
        """Return the three fields of an address."""
        return octet(self.ton) + octet(self.npi) + c_string(self.value, _ADDRESS)

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read the three fields of an address."""
        return cls(fields.octet(), fields.octet(), fields.c_string())


@frozen(kw_only=True)
class Bind:
    """The body of `bind_transmitter`, `bind_receiver` and `bind_transceiver`."""

    system_id: str
    password: str = field(repr=False)
    system_type: str = ""
    interface_version: int = SMPP_3_4
    ton: int = 0
    npi: int = 0
    address_range: str = ""

    def encode(self) -> bytes:
        """Return the body; raises `PduError` if a field is too long."""
        return b"".join(
            (
                c_string(self.system_id, _SYSTEM_ID),
                c_string(self.password, _PASSWORD),
                c_string(self.system_type, _SYSTEM_TYPE),
                octet(self.interface_version),
                octet(self.ton),
                octet(self.npi),
                c_string(self.address_range, _RANGE),
            )
        )

    @classmethod
    def decode(cls, body: bytes) -> Self:
        """Read a body."""
        fields = Fields(body)
        read = cls(
            system_id=fields.c_string(),
            password=fields.c_string(),
            system_type=fields.c_string(),
            interface_version=fields.octet(),
            ton=fields.octet(),
            npi=fields.octet(),
            address_range=fields.c_string(),
        )
        fields.tlvs()
        return read


@frozen(kw_only=True)
class BindResp:
    """The response to a bind; an SMSC that says its version does so in `Tag.SC_INTERFACE_VERSION`."""

    system_id: str = ""
    tlvs: Mapping[int, bytes] = field(factory=dict)

    def encode(self) -> bytes:
        """Return the body."""
        return c_string(self.system_id, _SYSTEM_ID) + encoded_tlvs(self.tlvs)

    @classmethod
    def decode(cls, body: bytes) -> Self:
        """Read a body; an SMSC that refuses a bind may leave it out."""
        fields = Fields(body)
        return cls(system_id=fields.c_string(), tlvs=fields.tlvs()) if body else cls()


@frozen(kw_only=True)
class _ShortMessage:
    """The fields of a message in both directions."""

    service_type: str = ""
    source: Address = field(factory=Address)
    destination: Address = field(factory=Address)
    esm_class: int = 0
    protocol_id: int = 0
    priority_flag: int = 0
    schedule_delivery_time: str = ""
    validity_period: str = ""
    registered_delivery: int = 0
    replace_if_present_flag: int = 0
    data_coding: int = 0
    sm_default_msg_id: int = 0
    short_message: bytes = field(default=b"", repr=False)
    tlvs: Mapping[int, bytes] = field(factory=dict, repr=False)

    def encode(self) -> bytes:
        """Return the body; raises `PduError` if a field is too long."""
        if len(self.short_message) > LONGEST_SHORT_MESSAGE:
            raise PduError(f"a short message has up to {LONGEST_SHORT_MESSAGE} octets")
        return b"".join(
            (
                c_string(self.service_type, _SERVICE_TYPE),
                self.source.encode(),
                self.destination.encode(),
                octet(self.esm_class),
                octet(self.protocol_id),
                octet(self.priority_flag),
                c_string(self.schedule_delivery_time, _TIME),
                c_string(self.validity_period, _TIME),
                octet(self.registered_delivery),
                octet(self.replace_if_present_flag),
                octet(self.data_coding),
                octet(self.sm_default_msg_id),
                octet(len(self.short_message)),
                self.short_message,
                encoded_tlvs(self.tlvs),
            )
        )

    @classmethod
    def decode(cls, body: bytes) -> Self:
        """Read a body."""
        fields = Fields(body)
        return cls(
            service_type=fields.c_string(),
            source=Address.read(fields),
            destination=Address.read(fields),
            esm_class=fields.octet(),
            protocol_id=fields.octet(),
            priority_flag=fields.octet(),
            schedule_delivery_time=fields.c_string(),
            validity_period=fields.c_string(),
            registered_delivery=fields.octet(),
            replace_if_present_flag=fields.octet(),
            data_coding=fields.octet(),
            sm_default_msg_id=fields.octet(),
            short_message=fields.octets(fields.octet()),
            tlvs=fields.tlvs(),
        )


@frozen(kw_only=True)
class SubmitSm(_ShortMessage):
    """A message that we submit."""


@frozen(kw_only=True)
class DeliverSm(_ShortMessage):
    """A message or a receipt that an SMSC delivers."""


@frozen(kw_only=True)
class MessageResp:
    """The response to a message: the SMSC's id of a submitted one; empty from us, and in refusals."""

    message_id: str = ""
    tlvs: Mapping[int, bytes] = field(factory=dict, repr=False)

    def encode(self) -> bytes:
        """Return the body."""
        return c_string(self.message_id, _MESSAGE_ID) + encoded_tlvs(self.tlvs)

    @classmethod
    def decode(cls, body: bytes) -> Self:
        """Read a body; an SMSC that refuses a message may leave it out."""
        fields = Fields(body)
        return cls(message_id=fields.c_string(), tlvs=fields.tlvs()) if body else cls()


def delivery_in(pdu: Pdu) -> DeliverSm:
    """Return what an SMSC delivers by `deliver_sm` or `data_sm`; raises `PduError`."""
    if pdu.command_id == Command.DELIVER_SM:
        return DeliverSm.decode(pdu.body)
    if pdu.command_id != Command.DATA_SM:
        raise PduError("this command delivers nothing")
    fields = Fields(pdu.body)
    return DeliverSm(
        service_type=fields.c_string(),
        source=Address.read(fields),
        destination=Address.read(fields),
        esm_class=fields.octet(),
        registered_delivery=fields.octet(),
        data_coding=fields.octet(),
        tlvs=fields.tlvs(),
    )
