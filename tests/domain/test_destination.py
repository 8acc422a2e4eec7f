"""One budget for every spelling of a destination (C-28), and a masked form for logs (C-32)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import destinations, e_mails, phone_numbers
from watchword.domain.destination import canonical, masked, prefixed

SPELLINGS = [
    "+919812345610",
    "919812345610",
    "00919812345610",
    " +919812345610",
    "+919812345610\n",
    "\t919812345610 ",
    "+91 98123 45610",
    "91 98123 45610",
    "0091 98123 45610",
    "+91-98123-45610",
    "+91.98123.45610",
    "+91/98123/45610",
    "+91 (98123) 45610",
    "+91 (981) 234-5610",
    "91 9812 345 610",
    "(91) 9812345610",
    "+ 91 9812345610",
    "(+91) 98123 45610",
    "+91\u201198123\u201145610",
    "\uff0b919812345610",
    "+91\u00a098123\u00a045610",
    "+" + "".join(chr(0x0966 + int(digit)) for digit in "919812345610"),
    "".join(chr(0xFF10 + int(digit)) for digit in "919812345610"),
]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_spellings_of_one_number_share_one_form(spelling: str) -> None:
    """Blanks, dashes, dots, brackets, `+`, `00` and other scripts' digits make no new number."""
    assert "919812345610" == canonical(spelling)


def test_the_spellings_are_all_different() -> None:
    """A caller has that many ways around a limit that counts what was typed."""
    assert len(SPELLINGS) == len(set(SPELLINGS))


def test_other_numbers_have_other_forms() -> None:
    """A number without its country, or with another last digit, is another one."""
    forms = {canonical(n) for n in ("+919812345610", "+919812345611", "9812345610")}

    assert 3 == len(forms)


@pytest.mark.parametrize("spelling", ["Asha@tea.example", " Asha@TEA.Example ", "Asha@Tea.example"])
def test_an_e_mail_s_domain_has_no_case(spelling: str) -> None:
    """The domain is in lower case; white space around is no part of the address."""
    assert "Asha@tea.example" == canonical(spelling)


def test_an_e_mail_s_local_part_has_case() -> None:
    """Who is before the last @ is the mail server's to say: it stays as it is."""
    assert canonical("Asha@tea.example") != canonical("asha@tea.example")
    assert '"a@B"@tea.example' == canonical('"a@B"@TEA.example')


@pytest.mark.parametrize("opaque", ["user-7f3a", "device:9", "+", "---"])
def test_anything_else_is_only_trimmed(opaque: str) -> None:
    """A destination is what the provider expects; what is no number and no address is opaque."""
    assert opaque == canonical(f" {opaque} ")


@given(destinations)
def test_white_space_around_never_counts(destination: str) -> None:
    """No destination has a second budget behind a blank."""
    assert canonical(destination) == canonical(f" {destination}\t")


@given(phone_numbers)
def test_grouping_never_counts(number: str) -> None:
    """A number in groups of two counts as the number."""
    spaced = " ".join(number[start : start + 2] for start in range(0, len(number), 2))

    assert canonical(number) == canonical(spaced)


def test_a_masked_number_shows_country_and_end() -> None:
    """`+9198******10`: four digits ahead, two behind."""
    assert "+9198******10" == masked("+919812345610")
    assert "9198******10" == masked("919812345610")


@pytest.mark.parametrize("short", ["12345", "+12345678", "112", "", "username"])
def test_a_short_destination_shows_nothing(short: str) -> None:
    """Where the ends would give most of it away, all of it is hidden."""
    assert "*" * len(short) == masked(short)


def test_a_masked_address_shows_one_letter_and_the_domain() -> None:
    """An e-mail address keeps its first letter and its domain."""
    assert "a***@tea.example" == masked("asha@tea.example")
    assert '"****@tea.example' == masked('"a@B"@tea.example')


@given(phone_numbers)
def test_a_masked_number_never_shows_its_middle(number: str) -> None:
    """At least four digits of a number are hidden, and nothing gets longer or shorter."""
    shown = masked(number)

    assert len(number) == len(shown)
    assert 4 <= shown.count("*")


@given(e_mails)
def test_a_masked_address_never_shows_its_local_part(address: str) -> None:
    """Of the local part only the first letter remains."""
    local, _, domain = address.partition("@")

    assert f"{local[0]}{'*' * max(1, len(local) - 1)}@{domain}" == masked(address)


@pytest.mark.parametrize(
    ("recipient", "prefix", "sent"),
    [
        ("9812345610", "91", "919812345610"),
        ("919812345610", "91", "919812345610"),
        ("+4915112345678", "91", "+4915112345678"),
        ("9812345610", "+91", "+919812345610"),
        ("9812345610", None, "9812345610"),
        ("9812345610", "", "9812345610"),
    ],
)
def test_the_prefix_of_a_send_is_put_before_a_bare_number(
    recipient: str, prefix: str | None, sent: str
) -> None:
    """A recipient that starts with `+` or with the prefix stays as it is (C-28)."""
    assert sent == prefixed(recipient, prefix)


@given(st.from_regex(r"\+?[0-9]{1,20}", fullmatch=True))
def test_a_plain_number_takes_a_short_way_to_the_same_form(number: str) -> None:
    """Written in digits alone, it counts as it does with something unseen in it, which goes the long way."""
    assert canonical(number) == canonical(f"{number}\u200b")
