"""Destinations: which fits a channel, one budget for all spellings (C-89), and masked forms (C-32)."""

import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.strategies import destinations, e_mails, phone_numbers
from watchword.domain.channel import Channel
from watchword.domain.destination import (
    NOT_A_NUMBER,
    NOT_AN_ADDRESS,
    canonical,
    destination_problem,
    masked,
    number_problem,
    prefixed,
    require_reachable,
)
from watchword.domain.errors import ValidationFailedError
from watchword.domain.event import ERASED

SPELLINGS = [
    "+919812345610",
    "919812345610",
    "00919812345610",
    " +919812345610",
    "919812345610 ",
    "+91 98123 45610",
    "0091 98123 45610",
    "+91-98123-45610",
    "+91.98123.45610",
    "+91 (981) 234-5610",
    "91 9812 345 610",
    "(91) 9812345610",
    "+ 91 9812345610",
    "(+91) 98123 45610",
    # A zero before the rest of a number is dialed inside its country alone.
    "+91(0)9812345610",
    "+91 (0) 98123 45610",
    "+9109812345610",
    "+91009812345610",
    "91(0)9812345610",
    "+00919812345610",
    "0919812345610",
    "000919812345610",
    "+0919812345610",
]
NO_NUMBERS = [
    "",
    "+",
    "---",
    "123456",
    "1234567890123456",
    "+" + "0" * 12,
    "0012345",
    "++919812345610",
    "+ +919812345610",
    "+91+9812345610",
    "+919812345610;",
    "+919812345610x",
    "+919812345610x7",
    "+919812345610,7",
    "+919812345610#",
    "+919812345610\n",
    "\t+919812345610",
    "+91\u00a09812345610",
    "+91/98123/45610",
    "tel:+919812345610",
    "+919812345610\ufe0f",
    "+9198\u200b12345610",
    "+91\u201198123\u201145610",
    "\uff0b919812345610",
    "".join(chr(0xFF10 + int(digit)) for digit in "919812345610"),
    "".join(chr(0x0966 + int(digit)) for digit in "919812345610"),
    "+919812345610, +919812345611",
    "asha@tea.example",
    " " * 60 + "1234567",
]
NO_ADDRESSES = [
    "",
    "asha",
    "@tea.example",
    "asha@",
    "asha@localhost",
    "asha@tea.example.",
    "asha@.tea.example",
    "asha@tea..example",
    "asha@-tea.example",
    "asha@192.0.2.1",
    "asha@[192.0.2.1]",
    ".asha@tea.example",
    "asha.@tea.example",
    "as..ha@tea.example",
    "asha@tea.example,ben@tea.example",
    "asha@tea.example;ben@tea.example",
    "asha@ben@tea.example",
    "=?utf-8?q?asha=0d=0aBcc=3a_x=40tea.example?=@tea.example",
    "asha.=?utf-8?q?x?=@tea.example",
    "asha%tea.example@relay.example",
    "relay.example!asha@tea.example",
    "Asha <asha@tea.example>",
    "asha@tea.example (Asha)",
    "asha(home)@tea.example",
    '"asha"@tea.example',
    " asha@tea.example",
    "asha@tea.example ",
    "asha@tea.example\n",
    "asha@tea.example\r\nBcc: ben@tea.example",
    "asha@tea.example\0",
    "ash\u0131@tea.example",
    "asha@\u212aettle.example",
    "mailto:asha@tea.example",
    "+919812345610",
]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_spellings_of_one_number_share_one_form(spelling: str) -> None:
    """Blanks, dashes, dots, brackets, `+`, `00` and zeros for dialing make no new number (C-89, D-125)."""
    assert number_problem(spelling) is None
    assert "919812345610" == canonical(spelling)


def test_the_spellings_are_all_different() -> None:
    """A caller has that many ways around a limit that counts spellings."""
    assert len(SPELLINGS) == len(set(SPELLINGS))


def test_other_numbers_have_other_forms() -> None:
    """A number without its country, or with another last digit, is another one."""
    forms = {canonical(n) for n in ("+919812345610", "+919812345611", "9812345610")}

    assert 3 == len(forms)


@pytest.mark.parametrize("channel", [Channel.SMS, Channel.WHATSAPP, Channel.RCS])
@pytest.mark.parametrize("text", NO_NUMBERS)
def test_what_cannot_be_a_number_fits_no_phone(text: str, channel: Channel) -> None:
    """Anything but 7 to 15 grouped ASCII digits is refused, and not repaired (C-89)."""
    assert destination_problem(text, channel) == number_problem(text) == NOT_A_NUMBER


@pytest.mark.parametrize(
    "address", ["Asha@tea.example", "asha@TEA.Example", "ASHA@TEA.EXAMPLE", "asha@tea.example"]
)
def test_an_e_mail_address_has_no_case(address: str) -> None:
    """All of it counts in lower case: servers that distinguish cases deserve no second budget."""
    assert destination_problem(address, Channel.EMAIL) is None
    assert "asha@tea.example" == canonical(address)


@pytest.mark.parametrize(
    "address",
    [
        "a@b.cd",
        "asha.o'tea+7@mail.tea.example",
        "asha@xn--bcher-kva.example",
        "1@4.de",
        "a_b-c@9.example",
    ],
)
def test_an_e_mail_address_is_a_plain_name_at_a_domain(address: str) -> None:
    """The usual signs, tags behind a plus, and names of other scripts in their ASCII form fit (D-126)."""
    assert destination_problem(address, Channel.EMAIL) is None


@pytest.mark.parametrize("text", NO_ADDRESSES)
def test_what_is_not_one_address_fits_no_mailbox(text: str) -> None:
    """No list, name, comment, quote, route, header, blank or letter that folds into another one (D-126)."""
    assert NOT_AN_ADDRESS == destination_problem(text, Channel.EMAIL)


def test_a_destination_has_to_fit_one_of_the_channels() -> None:
    """A send whose other channels can be reached goes on; else all that would fit is named (C-89)."""
    require_reachable("+919812345610", [Channel.EMAIL, Channel.SMS])
    require_reachable("asha@tea.example", [Channel.EMAIL])
    with pytest.raises(ValidationFailedError) as refused:
        require_reachable("x", [Channel.SMS, Channel.EMAIL, Channel.WHATSAPP])

    (problem,) = refused.value.problems
    assert ("destination", f"{NOT_A_NUMBER}, or {NOT_AN_ADDRESS}") == (
        problem.field,
        problem.message,
    )


@given(
    country=st.sampled_from(["1", "7", "44", "91", "225", "420", "998"]),
    rest=st.from_regex("[1-9][0-9]{6,9}", fullmatch=True),
    ahead=st.sampled_from(
        ["", "+", "00", "0", "+00", "000", " +", "+ ", "++", "(+", "tel:", "\uff0b"]
    ),
    trunk=st.sampled_from(["", "0", "(0)", " (0) ", "00", "(00)", "\uff10"]),
    at=st.integers(0, 30),
    within=st.text(st.characters(exclude_characters=string.digits), max_size=3),
)
@example("91", "9800000100", "+", "", 30, ";")
@example("91", "9800000100", "+", "(0)", 0, "")
@example("91", "9800000100", "+", "", 30, "\ufe0f")
def test_no_decoration_of_a_number_makes_a_second_budget(
    country: str, rest: str, ahead: str, trunk: str, at: int, within: str
) -> None:
    """A decorated number is refused, or counts as the number (C-89)."""
    plain = f"+{country}{rest}"
    dressed = f"{ahead}{country}{trunk}{rest}"
    dressed = dressed[:at] + within + dressed[at:]

    assert number_problem(plain) is None
    assert number_problem(dressed) or canonical(dressed) == canonical(plain)


@given(
    local=st.from_regex(r"[a-z0-9+_-]{1,8}(\.[a-z0-9]{1,8})?", fullmatch=True),
    domain=st.from_regex(r"[a-z]([a-z0-9-]{0,8}[a-z0-9])?\.example", fullmatch=True),
    upper=st.lists(st.booleans(), min_size=40, max_size=40),
    at=st.integers(0, 40),
    within=st.text(
        st.characters(
            exclude_characters=f"{string.ascii_letters}{string.digits}#$&'*+-./=?^_`{{|}}~@"
        ),
        max_size=3,
    ),
)
def test_no_decoration_of_an_address_makes_a_second_budget(
    local: str, domain: str, upper: list[bool], at: int, within: str
) -> None:
    """In any case of its letters it is the address; with anything that no address has, it is none."""
    plain = f"{local}@{domain}"
    dressed = "".join(c.upper() if up else c for c, up in zip(plain, upper, strict=False))
    dressed = dressed[:at] + within + dressed[at:]

    assert destination_problem(plain, Channel.EMAIL) is None
    assert destination_problem(dressed, Channel.EMAIL) or canonical(dressed) == canonical(plain)


@given(destinations)
def test_no_destination_fits_a_phone_and_a_mailbox(destination: str) -> None:
    """The canonical form of a number is never that of an address."""
    assert destination_problem(destination, Channel.EMAIL) or number_problem(destination)


@pytest.mark.parametrize("opaque", ["user-7f3a", "TEAHSE", "56070", "+", "---"])
def test_anything_else_is_only_trimmed(opaque: str) -> None:
    """Unreachable destinations, and short names of accounts, are found as they are."""
    assert opaque == canonical(f" {opaque} ")


FULL_WIDTH = "".join(chr(0xFF10 + int(digit)) for digit in "919812345610")


@pytest.mark.parametrize(
    "spelling",
    [
        "whatsapp:+919812345610",
        "WhatsApp:919812345610",
        "tel:+91-98123-45610",
        "sms:00919812345610",
        "+91\u00a098123\u00a045610",
        "\u202a+91 98123 45610\u202c",
        "+91\u201198123\u201145610",
        "+9198\u200b12345610",
        "+919812345610\ufe0f",
        "+91/98123/45610",
        "\t+919812345610\n",
        f"\uff0b{FULL_WIDTH}",
        "".join(chr(0x0966 + int(digit)) for digit in "919812345610"),
    ],
)
def test_what_no_channel_delivers_to_counts_as_the_number_that_it_spells(spelling: str) -> None:
    """Providers write their scheme before a number, and people copy it; all are one person (D-365)."""
    assert NOT_A_NUMBER == number_problem(spelling)
    assert "919812345610" == canonical(spelling)


@pytest.mark.parametrize(
    "spelling",
    [
        " Asha-1@B\u00fccher.example ",
        "mailto:asha-1@b\u00fccher.example",
        "asha-1@BU\u0308CHER.example",
        "\u200basha-1@xn--bcher-kva.example\u200b",
    ],
)
def test_an_address_that_is_not_delivered_to_counts_as_the_one_that_it_spells(
    spelling: str,
) -> None:
    """Blanks around it, capitals, and an international domain name it all the same (D-365)."""
    assert NOT_AN_ADDRESS == destination_problem(spelling, Channel.EMAIL)
    assert "asha-1@xn--bcher-kva.example" == canonical(spelling)


@pytest.mark.parametrize(
    "text",
    [
        "+919812345610,7",
        "+919812345610x",
        "tel:+919812345610;ext=7",
        "telegram:919812345610",
        "+919812345610, +919812345611",
        "asha@stra\u00dfe.example",
        "asha@tea.example,ben@tea.example",
        "a@" + 70 * "\u00fc" + ".example",
        "a@..\u00fc",
        "9" * 300,
    ],
)
def test_what_may_be_somebody_else_is_nobody_but_itself(text: str) -> None:
    """Extensions, ids of other networks, two recipients, and names that two rules read in two ways."""
    assert text == canonical(f" {text} ")


@given(st.text(max_size=70))
def test_every_text_has_a_form(text: str) -> None:
    """The form of a form is itself, so that what an event says leads to its person."""
    form = canonical(text)

    assert form == canonical(form)


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
    """If the ends would reveal most of it, all of it is hidden."""
    assert "*" * len(short) == masked(short)


def test_an_erased_destination_reads_erased_in_masked_lists_too() -> None:
    """A reader learns that the person was erased, and not that something is hidden (C-74)."""
    assert ERASED == masked(ERASED)


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
    """Only the first letter of the local part remains."""
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
        (" +919812345610", "91", " +919812345610"),
        ("(91) 98123 45610", "91", "(91) 98123 45610"),
        ("919812345610", "+91", "919812345610"),
        ("919812345610", "0091", "919812345610"),
        ("9812345610", "0", "09812345610"),
        ("00442079460018", "91", "00442079460018"),
        ("00 91 98123 45610", "+91", "00 91 98123 45610"),
        ("0442079460018", "91", "910442079460018"),
    ],
)
def test_the_prefix_of_a_send_is_put_before_a_bare_number(
    recipient: str, prefix: str | None, sent: str
) -> None:
    """A recipient that starts with `+`, `00` or the digits of the prefix stays as it is (C-28, D-163)."""
    assert sent == prefixed(recipient, prefix)
