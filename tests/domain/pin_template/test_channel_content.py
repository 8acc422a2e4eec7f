"""How a template words a PIN: parameters, defaults and one literal pass (C-17a, C-64)."""

from __future__ import annotations

import pytest

from watchword.domain.channel import Channel
from watchword.domain.errors import ValidationFailedError
from watchword.domain.pin_template import RenderedPin, TemplateChannel, check_params, render


def entry(text: str, channel: Channel = Channel.SMS, **more) -> TemplateChannel:
    """Word one channel."""
    return TemplateChannel(
        id="entry-1", channel_type=channel, channel_account_id="ca", content_text=text, **more
    )


def problems_with(params: dict[str, str], *entries: TemplateChannel) -> list[str]:
    """Name the fields for which these parameters are refused."""
    with pytest.raises(ValidationFailedError) as refusal:
        check_params(entries, params)
    return [problem.field for problem in refusal.value.problems]


GREETING = entry("Hi {{1}}, table {{2}}: {{pin}}", param_defaults={"2": "seven"})
MAIL = entry("{{pin}}", Channel.EMAIL, subject_text="Tea for {{3}}: {{pin}}")
WHATSAPP = entry("", Channel.WHATSAPP, param_defaults={"1": "guest", "2": "seven"})


def test_parameters_come_before_defaults() -> None:
    """A position takes its value from templateParams, then from paramDefaults."""
    assert "Hi Asha, table seven: 4711" == render(GREETING, "4711", {"1": "Asha"}).text
    assert "Hi Asha, table 9: 4711" == render(GREETING, "4711", {"1": "Asha", "2": "9"}).text


def test_subjects_are_filled_too() -> None:
    """Positions and the code go into subjectText as into contentText."""
    assert RenderedPin(text="4711", subject="Tea for Bo: 4711", params={"3": "Bo"}) == render(
        MAIL, "4711", {"3": "Bo"}
    )


def test_a_channel_without_subject_has_none() -> None:
    """No subject, no invention of one."""
    assert render(GREETING, "4711", {"1": "Asha"}).subject is None


def test_a_whatsapp_template_gets_the_code_and_its_parameters() -> None:
    """The provider's template holds the text; it is handed the code and the positions."""
    assert RenderedPin(text="4711", params={"1": "Asha", "2": "seven"}) == render(
        WHATSAPP, "4711", {"1": "Asha"}
    )


@pytest.mark.parametrize("value", ["{{pin}}", "{{2}}", "\\1"])
def test_values_are_never_scanned_again(value: str) -> None:
    """A parameter that reads `{{pin}}` or `{{2}}` is sent just so: one pass, literal."""
    assert f"Hi {value}, table seven: 4711" == render(GREETING, "4711", {"1": value}).text


def test_defaults_are_never_scanned_again_either() -> None:
    """An operator's stored default is text as well."""
    sly = entry("{{1}} {{pin}}", param_defaults={"1": "{{pin}}"})

    assert "{{pin}} 4711" == render(sly, "4711", {}).text


def test_a_channel_is_handed_its_own_positions_alone() -> None:
    """Parameters of another channel of the send are not passed to a provider's template."""
    assert {"1": "Asha", "2": "seven"} == render(WHATSAPP, "1", {"1": "Asha", "3": "Bo"}).params


def test_parameters_that_fit_pass() -> None:
    """Every position has a value, every key a position: on one of the channels is enough."""
    check_params([GREETING], {"1": "Asha"})
    check_params([GREETING, MAIL], {"1": "Asha", "2": "9", "3": "Bo"})
    check_params([entry("{{pin}}")], {})


def test_a_position_without_a_value_is_named() -> None:
    """A position that has neither parameter nor default is refused, in order of number."""
    many = entry("{{10}} {{9}} {{1}} {{pin}}", param_defaults={"1": "x"})

    assert ["template_params.9", "template_params.10"] == problems_with({}, many)


def test_a_default_on_one_channel_is_none_on_another() -> None:
    """Each requested channel needs its own values."""
    bare = entry("{{2}} {{pin}}", Channel.EMAIL)

    assert ["template_params.1", "template_params.2"] == problems_with({}, GREETING, bare)


def test_a_key_without_a_position_is_named() -> None:
    """A key that is a position on none of the requested channels is refused."""
    assert ["template_params.7"] == problems_with({"1": "Asha", "7": "?"}, GREETING)
    assert ["template_params.3"] == problems_with({"1": "Asha", "3": "Bo"}, GREETING)


def test_whatsapp_s_positions_are_those_with_defaults() -> None:
    """The stored defaults determine the positions, since the provider's template is not readable."""
    check_params([WHATSAPP], {"1": "Asha", "2": "9"})

    assert ["template_params.3"] == problems_with({"3": "?"}, WHATSAPP)


def test_a_default_that_no_text_asks_for_makes_no_position() -> None:
    """On sms and email the texts alone determine the positions."""
    idle = entry("{{pin}}", param_defaults={"1": "unused"})

    assert ["template_params.1"] == problems_with({"1": "Asha"}, idle)


@pytest.mark.parametrize("key", ["0", "01", "one", "", "1000", "{{1}}", "1\n"])
def test_defaults_are_keyed_by_positions(key: str) -> None:
    """A paramDefaults key is a number from 1 to 999, as text."""
    with pytest.raises(ValueError, match="keys are positions"):
        entry("{{pin}}", param_defaults={key: "x"})


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"pin_placeholder": ""}, "1 to 64 characters"),
        ({"pin_placeholder": "p" * 65}, "1 to 64 characters"),
        ({"copy_code_button_index": -1}, "from 0 to 9"),
        ({"copy_code_button_index": 10}, "from 0 to 9"),
    ],
)
def test_an_entry_keeps_its_bounds(wrong: dict, said: str) -> None:
    """A placeholder has 1 to 64 characters, and a button is one of ten."""
    with pytest.raises(ValueError, match=said):
        entry("{{pin}}", **wrong)


def test_a_text_keeps_its_bounds() -> None:
    """A text has at most 10,000 characters."""
    entry("x" * 10_000)
    with pytest.raises(ValueError, match="0 to 10000 characters"):
        entry("x" * 10_001)
