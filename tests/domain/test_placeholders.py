"""Placeholders are filled in one literal pass (C-17a)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watchword.domain.placeholders import fill, positions, static_length

PIN = "{{pin}}"
# Pieces that invite mistakes: braces, regex syntax, and near placeholders.
fragments = st.sampled_from(
    [
        "{{1}}",
        "{{2}}",
        "{{31}}",
        PIN,
        "{{0}}",
        "{{01}}",
        "{{x}}",
        "{",
        "}",
        "\\1",
        "\\g<0>",
        "$1",
        " ",
    ]
)
tricky = st.lists(fragments | st.text(max_size=5), max_size=6).map("".join)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("No position at all.", set()),
        ("Hello {{1}}, table {{2}}: {{pin}}", {"1", "2"}),
        ("{{1}} and {{1}} again", {"1"}),
        ("{{999}}", {"999"}),
        ("{{0}} {{01}} {{1000}} {{-1}} {{one}} {{ 1 }} {1}", set()),
        ("{{{1}}}", {"1"}),
    ],
)
def test_positions_are_whole_numbers_from_1(text: str, asked: set[str]) -> None:
    """`{{1}}`, `{{2}}`, … are positions, up to three digits; anything else is text."""
    assert asked == positions(text, PIN)


def test_the_pin_placeholder_takes_no_position() -> None:
    """The code's own placeholder is no position, even if it looks like one."""
    assert {"2"} == positions("{{1}} {{2}}", "{{1}}")
    assert "4711 blue" == fill("{{1}} {{2}}", "{{1}}", "4711", {"1": "red", "2": "blue"})


@pytest.mark.parametrize("placeholder", ["1", "{1}", "1}}", "{", "{{"])
def test_whoever_asks_for_positions_cuts_the_text_like_whoever_fills_it(placeholder: str) -> None:
    """Listing positions and filling them read a placeholder inside another alike."""
    text = "a 1 {{1}} {{{2}}} b"
    asked = positions(text, placeholder)

    assert fill(text, placeholder, "4711", dict.fromkeys(asked, "-"))


def test_every_place_is_filled() -> None:
    """The code and each parameter go wherever they are asked for."""
    filled = fill("{{1}}: {{pin}}, {{pin}} {{2}}{{1}}", PIN, "4711", {"1": "Asha", "2": "!"})

    assert "Asha: 4711, 4711 !Asha" == filled


@pytest.mark.parametrize("value", ["{{pin}}", "{{2}}", "{{1}}", "\\1", "\\g<0>", "$1"])
def test_what_is_filled_in_is_never_scanned_again(value: str) -> None:
    """A parameter that looks like a placeholder stays as it is: no code leaks through it."""
    assert f"{value} 4711 tea" == fill("{{1}} {{pin}} {{2}}", PIN, "4711", {"1": value, "2": "tea"})


@pytest.mark.parametrize("placeholder", ["[code]", "(.*)", "$PIN$", "a|b", "."])
def test_a_placeholder_of_one_s_own_is_taken_literally(placeholder: str) -> None:
    """Templates choose their token; no character in it has a meaning."""
    assert "4711 xyz Asha" == fill(
        f"{placeholder} xyz {{{{1}}}}", placeholder, "4711", {"1": "Asha"}
    )


@given(tricky, st.dictionaries(st.sampled_from(["1", "2", "31"]), tricky, min_size=3))
def test_text_between_placeholders_and_values_survive(text: str, params: dict[str, str]) -> None:
    """Filling is cutting the text at its placeholders and laying the values in between."""
    expected, rest = "", text
    while rest:
        for token, value in ((PIN, "4711"), *((f"{{{{{key}}}}}", params[key]) for key in params)):
            if rest.startswith(token):
                expected, rest = expected + value, rest[len(token) :]
                break
        else:
            expected, rest = expected + rest[0], rest[1:]

    assert expected == fill(text, PIN, "4711", params)


@given(tricky)
def test_the_positions_of_a_text_are_all_it_needs(text: str) -> None:
    """With a value for each of its positions, a text can be filled, and has none left."""
    values = dict.fromkeys(positions(text, PIN), "-")

    filled = fill(text, PIN, "-", values)

    assert values or text.replace(PIN, "-") == filled


@pytest.mark.parametrize(
    ("text", "static"),
    [("", 0), ("tea", 3), ("Hi [name], [n_1][2]", 5), ("[]", 2), ("[a b]", 5), ("[[a]]", 2)],
)
def test_static_text_is_what_stands_outside_names(text: str, static: int) -> None:
    """Letters, digits and underscores in brackets are a name; other brackets are text (D-81)."""
    assert static == static_length(text)
