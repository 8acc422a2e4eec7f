"""The `submit_sm` of a message, and the messages that SMPP cannot carry."""

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from aiosmpplib.protocol import SubmitSm as TheirSubmitSm
from attrs import evolve

from watchword.adapters.channels.smpp.bodies import Address, SubmitSm
from watchword.adapters.channels.smpp.settings import SmppSettings, settings_of
from watchword.adapters.channels.smpp.submitting import submits
from watchword.adapters.channels.smpp.tlvs import Tag
from watchword.application.ports.channels import Fault, Message, Rejected
from watchword.testing import a_message

# The zone is that of India, so that a time that is not put into UTC is seen.
_NOW = datetime(2026, 11, 23, 23, 30, tzinfo=timezone(timedelta(hours=5, minutes=30)))
_ENTITY, _TEMPLATE = "1101000000000000001", "1107000000000000001"
_LONG = "a" * 200


def _settings(**config: Any) -> SmppSettings:
    server = {"host": "smsc.example.com", "port": 2775, "systemId": "shop", "password": "secret"}
    return settings_of({**server, **config})


def _message(**fields: Any) -> Message:
    return a_message(**{"destination": "+447700900001", "sender": "Orchid", **fields})


def _submits(message: Message, **config: Any) -> list[SubmitSm]:
    made = submits(message, _settings(**config), 7, _NOW)
    assert not isinstance(made, Rejected)
    return list(made)


def test_a_short_message_is_one_submit_sm() -> None:
    """It has addresses, an alphabet and a text, and asks for a receipt; everything else is at rest."""
    assert [
        SubmitSm(
            source=Address(5, 0, "Orchid"),
            destination=Address(1, 1, "447700900001"),
            registered_delivery=1,
            short_message=b"Code 4711",
        )
    ] == _submits(_message(text="Code 4711"))


def test_the_receipt_of_the_first_part_stands_for_all() -> None:
    """A long message asks for one receipt, and its parts have the same addresses and reference."""
    first, second = _submits(_message(text=_LONG))

    assert (1, 0) == (first.registered_delivery, second.registered_delivery)
    assert b"\x05\x00\x03\x07\x02\x01" == first.short_message[:6]
    assert b"\x05\x00\x03\x07\x02\x02" == second.short_message[:6]
    assert (first.destination, first.source) == (second.destination, second.source)


@pytest.mark.parametrize(
    ("config", "count", "esm_class", "tags"),
    [
        ({"longMessages": "udh16"}, 2, 0x40, []),
        (
            {"longMessages": "sar"},
            2,
            0,
            [Tag.SAR_MSG_REF_NUM, Tag.SAR_TOTAL_SEGMENTS, Tag.SAR_SEGMENT_SEQNUM],
        ),
        ({"longMessages": "payload"}, 1, 0, [Tag.MESSAGE_PAYLOAD]),
        ({"encoding": "latin1"}, 2, 0x40, []),
        ({"encoding": "ucs2"}, 3, 0x40, []),
    ],
)
def test_the_config_chooses_the_form_of_long_messages(
    config: dict[str, Any], count: int, esm_class: int, tags: list[Tag]
) -> None:
    """Headers, parameters or a payload: as the SMSC wants them."""
    made = _submits(_message(text=_LONG), **config)

    assert count == len(made)
    assert {(esm_class, tuple(tags))} == {(each.esm_class, tuple(each.tlvs)) for each in made}


def test_a_message_is_no_longer_valid_after_its_time() -> None:
    """The end is in UTC, and another codec reads the same moment."""
    (made,) = _submits(_message(text="hi", ttl_seconds=90))

    assert "261123180130000+" == made.validity_period
    read = TheirSubmitSm.smpp_time_to_datetime(made.validity_period)
    assert isinstance(read, datetime)
    # It takes the two digits of the year as they are.
    assert _NOW + timedelta(seconds=90) == read.replace(year=2000 + read.year)
    assert "" == _submits(_message(text="hi"))[0].validity_period


def test_dlt_ids_are_in_every_part() -> None:
    """Operators in India check each part on its own (C-99)."""
    message = _message(text=_LONG, entity_id=_ENTITY, template_id=_TEMPLATE)

    for part in _submits(message):
        assert {0x1400: _ENTITY.encode(), 0x1401: _TEMPLATE.encode()} == part.tlvs


def test_the_config_has_other_tags_and_the_telemarketer() -> None:
    """Tags are numbers; a telemarketer goes with ids alone, and `nul` ends each of them."""
    dlt = {
        "entityTag": 0x1501,
        "templateTag": 0x1502,
        "telemarketerTag": 0x1503,
        "telemarketerId": "1602000000000000001",
        "nul": True,
    }
    (made,) = _submits(_message(text="hi", template_id=_TEMPLATE), dlt=dlt)
    (without,) = _submits(_message(text="hi"), dlt=dlt)

    assert {0x1502: b"1107000000000000001\0", 0x1503: b"1602000000000000001\0"} == made.tlvs
    assert {} == without.tlvs


def test_a_caller_who_wants_unicode_gets_it() -> None:
    """`unicode` of a send counts; false lets the text decide, so that none is lost."""
    assert [8] == [each.data_coding for each in _submits(_message(text="hi", unicode=True))]
    assert [8] == [each.data_coding for each in _submits(_message(text="\u0915", unicode=False))]
    assert [0] == [each.data_coding for each in _submits(_message(text="hi", unicode=False))]


@pytest.mark.parametrize(
    ("fields", "code", "fault"),
    [
        ({"destination": "asha@example.com"}, "smpp_destination", Fault.RECIPIENT),
        ({"sender": "A sender that is too long"}, "smpp_sender", Fault.ACCOUNT),
        ({"template_id": "1" * 31}, "smpp_dlt_id", Fault.CONTENT),
        ({"entity_id": "11 01"}, "smpp_dlt_id", Fault.CONTENT),
        ({"entity_id": ""}, "smpp_dlt_id", Fault.CONTENT),
        ({"text": "a" * (255 * 153 + 1)}, "smpp_too_long", Fault.CONTENT),
    ],
)
def test_what_smpp_cannot_carry_is_rejected(
    fields: dict[str, Any], code: str, fault: Fault
) -> None:
    """Nothing is cut or left out; the words say what to do and quote nothing of the message."""
    made = submits(_message(**{"text": "hi", **fields}), _settings(), 7, _NOW)

    assert isinstance(made, Rejected)
    assert (code, fault) == (made.code, made.fault)
    assert not any(str(each) in made.message for each in fields.values() if each)


def test_the_longest_message_has_255_parts() -> None:
    """One character less than too many is sent."""
    assert 255 == len(_submits(_message(text="a" * (255 * 153))))


def test_every_part_can_be_written() -> None:
    """The longest of all fields fit into their PDU."""
    message = _message(
        text=_LONG, entity_id="1" * 30, template_id="2" * 30, ttl_seconds=172_800, sender="1" * 20
    )
    for part in _submits(message, longMessages="udh16"):
        assert part == evolve(SubmitSm.decode(part.encode()), tlvs=part.tlvs)
