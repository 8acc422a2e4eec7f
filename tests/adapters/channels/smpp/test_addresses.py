"""The addresses of messages: what the wire has of numbers, short codes and names."""

import pytest

from watchword.adapters.channels.smpp.addresses import (
    number_in,
    recipient_address,
    sender_address,
)
from watchword.adapters.channels.smpp.bodies import Address


@pytest.mark.parametrize(
    ("destination", "digits"),
    [
        ("+447700900001", "447700900001"),
        ("447700900001", "447700900001"),
        ("00447700900001", "447700900001"),
        ("+44 7700-900.001", "447700900001"),
        ("+44 (0)7700 900001", "447700900001"),
        ("+390612345678", "390612345678"),
    ],
    ids=["plus", "digits", "double zero", "decorated", "zero in brackets", "a zero of Italy"],
)
def test_a_recipient_is_the_digits_with_the_country_code(destination: str, digits: str) -> None:
    """The prefix and what people write between digits go; every digit of the number stays."""
    assert Address(1, 1, digits) == recipient_address(destination)


@pytest.mark.parametrize("destination", ["", "asha@example.com", "12345", "+1234567890123456"])
def test_what_is_no_phone_number_has_no_address(destination: str) -> None:
    """Nothing is sent to a text that no network could reach."""
    assert recipient_address(destination) is None


@pytest.mark.parametrize(
    ("sender", "address"),
    [
        (None, Address(0, 0, "")),
        ("+15005550006", Address(1, 1, "15005550006")),
        ("15005550006", Address(1, 1, "15005550006")),
        ("+1 500 555-0006", Address(1, 1, "15005550006")),
        ("0015005550006", Address(1, 1, "15005550006")),
        ("07700900001", Address(0, 1, "07700900001")),
        ("57575", Address(3, 0, "57575")),
        ("Orchid", Address(5, 0, "Orchid")),
        ("VM-ORCHID", Address(5, 0, "VM-ORCHID")),
        ("24/7 Orchid", Address(5, 0, "24/7 Orchid")),
        ("[Orchid12]", None),
        ("[Orchid1]", Address(5, 0, "[Orchid1]")),
        ("OrchidShop12", None),
        ("Orchid\u00e9", None),
        ("a\nb", None),
        ("", None),
        ("+123456789012345678901", None),
        ("+000", None),
    ],
)
def test_a_sender_has_the_type_of_its_form(sender: str | None, address: Address | None) -> None:
    """A number is international, up to eight digits are a short code, and a name has eleven septets."""
    assert address == sender_address(sender)


def test_the_config_decides_types_and_plans() -> None:
    """An operator whose SMSC wants other types has them for all addresses."""
    assert Address(0, 8, "57575") == sender_address("57575", 0, 8)
    assert Address(5, 9, "Orchid") == sender_address("Orchid", npi=9)
    assert Address(2, 1, "447700900001") == recipient_address("+447700900001", 2)


def test_an_address_of_an_smsc_is_shown_as_people_write_it() -> None:
    """An international number has a plus; a name, a short code and an unknown number have none."""
    assert "+447700900001" == number_in(Address(1, 1, "447700900001"))
    assert "447700900001" == number_in(Address(0, 1, "447700900001"))
    assert "Orchid" == number_in(Address(1, 0, "Orchid"))
