"""Previews of PIN templates."""

from typing import Any

import pytest

from watchword.domain.pin_template.pin_type import PinType
from watchword.entrypoints.console.previews.pin_templates import entry_preview, example_code
from watchword.entrypoints.console.previews.shown import Button, Run, Style

META: dict[str, Any] = {
    "category": "AUTHENTICATION",
    "components": [{"type": "BODY", "text": "{{1}} is for {{2}}."}],
}


@pytest.mark.parametrize("pin_type", list(PinType))
@pytest.mark.parametrize("length", [4, 6, 10])
def test_an_example_is_a_code_of_its_type(pin_type: PinType, length: int) -> None:
    """An example has the length and the characters that the template sets, and is always the same."""
    code = example_code(pin_type, length)
    assert len(code) == length
    assert set(code) <= set(pin_type.alphabet)
    assert code == example_code(pin_type, length)


def test_an_sms_is_filled_in() -> None:
    """The code and the defaults stand in the text; a position without a default is a blank."""
    entry = {
        "channelType": "sms",
        "contentText": "{{pin}} for {{1}}, {{2}}",
        "paramDefaults": {"1": "Tea"},
        "unicode": True,
    }
    preview = entry_preview(entry, "482913")
    assert preview.bubbles[0].text == (Run("482913 for Tea, "), Run("{{2}}", Style.BLANK))
    assert preview.length is not None
    assert preview.length.encoding == "UCS-2"


def test_an_entry_without_texts_has_the_defaults() -> None:
    """An e-mail without a text and a subject shows those that the template gets."""
    preview = entry_preview({"channelType": "email", "pinPlaceholder": "<code>"}, "4829")
    assert preview.subject == (Run("Your verification code"),)
    assert preview.bubbles[0].text == (Run("Your verification code is 4829."),)


def test_whatsapp_shows_the_providers_template_if_the_store_has_it() -> None:
    """The code stands in the body at the first position that no default has."""
    entry = {"channelType": "whatsapp", "paramDefaults": {"2": "Tea"}, "providerTemplateRef": "t"}
    preview = entry_preview(entry, "4829", provider_template=META)
    assert preview.bubbles[0].text == (Run("4829 is for Tea."),)
    assert not preview.note


def test_whatsapp_names_a_template_that_the_store_does_not_have() -> None:
    """Without the template, the preview has the entry's own text, its button, and the template's name."""
    entry = {"channelType": "whatsapp", "providerTemplateRef": "login", "copyCodeButtonIndex": 0}
    preview = entry_preview(entry, "4829")
    assert preview.bubbles[0].text == (Run("4829"),)
    assert preview.bubbles[0].buttons == (Button("Copy code", "Copies the code"),)
    assert preview.note == "The provider fills the code into its own template login."


@pytest.mark.parametrize(
    "draft",
    [
        {},
        {"channelType": "whatsapp", "paramDefaults": {"x": "y", "1": 2}},
        {"channelType": "sms", "contentText": 4, "paramDefaults": []},
        {"channelType": "email", "pinPlaceholder": 4, "subjectText": None},
    ],
)
def test_a_draft_may_be_anything(draft: dict[str, Any]) -> None:
    """What a draft lacks, or has in a wrong type, is replaced by its default."""
    assert entry_preview(draft, "4829").bubbles
