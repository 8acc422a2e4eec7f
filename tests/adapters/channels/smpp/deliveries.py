"""Each deliver_sm that the SMSC of tests pushes, written by smpp34."""

from __future__ import annotations

from smpp34 import DeliverSm, Tlv

PHONE, SENDER = "447911123456", "Watchword"
_RECEIPT, _UDH = 0x04, 0x40
_RECEIPTED_MESSAGE_ID, _MESSAGE_STATE, _MESSAGE_PAYLOAD = 0x001E, 0x0427, 0x0424


def receipt_text(message_id: str, state: str = "DELIVRD", error: str = "000") -> bytes:
    """Return a receipt in words."""
    dates = "submit date:2611230600 done date:2611230601"
    return f"id:{message_id} sub:001 dlvrd:001 {dates} stat:{state} err:{error} text:Your code".encode()


def receipt(message_id: str, state: str = "DELIVRD", error: str = "000") -> bytes:
    """Return a receipt in words, in the short message."""
    return deliver(receipt_text(message_id, state, error), esm_class=_RECEIPT)


def payload_receipt(message_id: str, state: str = "DELIVRD") -> bytes:
    """Return a receipt in words, in message_payload."""
    payload = Tlv(_MESSAGE_PAYLOAD, receipt_text(message_id, state))
    return deliver(b"", esm_class=_RECEIPT, tlvs=[payload])


def tlv_receipt(message_id: str, state: int = 2, esm_class: int = _RECEIPT) -> bytes:
    """Return a receipt in optional parameters alone."""
    receipted = Tlv(_RECEIPTED_MESSAGE_ID, message_id.encode() + b"\0")
    return deliver(b"", esm_class=esm_class, tlvs=[receipted, Tlv(_MESSAGE_STATE, bytes([state]))])


def inbound(text: bytes, data_coding: int = 0, phone: str = PHONE, to: str = SENDER) -> bytes:
    """Return a message of a person, in these octets."""
    return deliver(text, data_coding=data_coding, source_addr=phone, destination_addr=to)


def inbound_parts(
    *parts: bytes, data_coding: int = 0, reference: int = 1, phone: str = PHONE
) -> list[bytes]:
    """Return a long message of a person, in parts with user data headers."""
    heads = ([5, 0, 3, reference, len(parts), number + 1] for number in range(len(parts)))
    return [
        deliver(bytes(head) + part, esm_class=_UDH, data_coding=data_coding, source_addr=phone)
        for head, part in zip(heads, parts, strict=True)
    ]


def inbound_payload(text: bytes) -> bytes:
    """Return a message of a person in message_payload."""
    return deliver(b"", tlvs=[Tlv(_MESSAGE_PAYLOAD, text)])


def bomb(parameters: int) -> bytes:
    """Return a delivery with so many empty optional parameters."""
    return deliver(b"", tlvs=[Tlv(0x1400 + number, b"") for number in range(parameters)])


def deliver(
    short_message: bytes,
    *,
    esm_class: int = 0,
    data_coding: int = 0,
    source_addr: str = PHONE,
    destination_addr: str = SENDER,
    tlvs: list[Tlv] | None = None,
) -> bytes:
    """Return any deliver_sm; `Smsc.push` sets its sequence number."""
    return DeliverSm(
        source_addr,
        destination_addr,
        short_message,
        source_addr_ton=1,
        source_addr_npi=1,
        dest_addr_ton=5,
        esm_class=esm_class,
        data_coding=data_coding,
        tlvs=tlvs or [],
    ).encode()
