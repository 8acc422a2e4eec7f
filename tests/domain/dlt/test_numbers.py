"""The numbers that need DLT ids (SPEC 2.6, C-30)."""

import pytest
from hypothesis import given

from tests.strategies import destinations
from watchword.domain.dlt.numbers import needs_dlt_ids


@pytest.mark.parametrize(
    "recipient",
    [
        "+919812345610",
        "919812345610",
        "0091 98123 45610",
        "+91 98123-45610",
        " (+91) 98123 45610",
        "+91560000",
    ],
)
def test_indian_numbers_do(recipient: str) -> None:
    """+91, and 91 with ten digits, in every spelling that a provider would understand."""
    assert needs_dlt_ids(recipient)


@pytest.mark.parametrize(
    "recipient",
    [
        "9812345610",
        "919812345",
        "9198123456101",
        "+4915112345678",
        "+1 917 555 0100",
        "asha",
        "",
        "+919812345610;",
    ],
)
def test_others_do_not(recipient: str) -> None:
    """Ten digits alone, and 91 with more or fewer, may be any country's; other texts are no number."""
    assert not needs_dlt_ids(recipient)


@given(destinations)
def test_it_is_told_for_any_text(recipient: str) -> None:
    """Every text has an answer, and blanks around it do not change the answer."""
    assert needs_dlt_ids(recipient) == needs_dlt_ids(f" {recipient} ")
