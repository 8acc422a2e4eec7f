"""The form of a PIN template, and the API's body that it stands for."""

from typing import Any

import attrs
import pytest

from tests.entrypoints.console.templates.filling import fields
from watchword.application.pins.template_channels import ChannelEntry
from watchword.domain.errors import FieldProblem, ValidationFailedError
from watchword.domain.pin_template.policy import PinPolicy
from watchword.entrypoints.console.forms import Form
from watchword.entrypoints.console.template_forms.fields import ENTRY_FIELDS, POLICY_FIELDS
from watchword.entrypoints.console.template_forms.pin_form import (
    body_of,
    entries_of,
    field_names,
    filled_form,
    label_of,
    languages_to_add,
    with_added_entry,
)
from watchword.entrypoints.starters.starter_texts import starter_channels, starter_texts
from watchword.entrypoints.wire.codec import unstructure

# Members that the form has in another way: the channel is a part of the form, its id stays, and one choice
# for all entries says which is the default.
_APART = ("channel_type", "id", "is_default")
RECORD: dict[str, Any] = {
    "name": "Sign in",
    **unstructure(PinPolicy()),
    "channels": [
        {
            "channelType": "email",
            "channelAccountId": "cha_1",
            "contentText": "  {{pin}} for {{1}}\n",
            "subjectText": "Code",
            "paramDefaults": {"1": "Tea\nHouse", "2": "=x"},
            "pinPlaceholder": "{{pin}}",
            "isDefault": False,
            "literal": True,
        },
        {
            "channelType": "sms",
            "channelAccountId": "cha_2",
            "contentText": "{{pin}}",
            "entityId": "1201",
            "languageCode": "pt",
            "unicode": True,
            "isDefault": True,
        },
    ],
}


def posted(**given: str) -> Form:
    """Return what a browser posts."""
    return Form({name: [text] for name, text in fields(**given).items()})


def test_every_member_of_a_template_has_a_field() -> None:
    """No limit and no member of a channel entry is missing in the form."""
    assert {each.name for each in POLICY_FIELDS} == {each.name for each in attrs.fields(PinPolicy)}
    assert {each.name for each in ENTRY_FIELDS} | {*_APART} == {
        each.name for each in attrs.fields(ChannelEntry)
    }


def test_a_form_says_what_its_record_says() -> None:
    """A form that is filled from a record and sent unchanged stands for the same template."""
    body = body_of(filled_form(RECORD)).members
    assert {name: body[name] for name in unstructure(PinPolicy())} == unstructure(PinPolicy())
    email, sms = body["channels"]
    given = RECORD["channels"][0]
    assert {name: email[name] for name in given} == given
    assert {name: sms[name] for name in RECORD["channels"][1]} == RECORD["channels"][1]


def test_channels_that_a_template_lacks_stand_below() -> None:
    """The form has a part for each channel of PINs; those without an entry are not used."""
    shown = [(each.channel, each.used, each.default) for each in entries_of(filled_form(RECORD))]
    assert shown == [
        ("email", True, False),
        ("sms", True, True),
        ("whatsapp", False, False),
    ]


def test_a_value_that_a_channel_does_not_use_keeps_its_field() -> None:
    """The DLT entity of an e-mail entry, which another client gave, can be seen and stays."""
    email, sms = RECORD["channels"]
    odd, usual, _ = entries_of(
        filled_form({**RECORD, "channels": [{**email, "entityId": "7"}, email, sms]})
    )[:3]
    assert "entityId" in [each.spelled for each in odd.fields]
    assert "entityId" not in [each.spelled for each in usual.fields]


def test_each_member_has_one_field_in_an_entry() -> None:
    """Members with a field for each channel stand once, in the words of the entry's channel."""
    for entry in entries_of(posted(wa__contentText="x", email__providerTemplateRef="y")):
        names = [each.name for each in entry.fields]
        assert len(names) == len({*names})
    assert label_of(posted(), "channels[1].providerTemplateRef") == "WhatsApp: Provider's template"
    assert label_of(posted(), "channels[0].providerTemplateRef") == "SMS: DLT template"


def test_empty_fields_of_entries_are_left_out() -> None:
    """An empty field of an entry means that there is no such member, and the usual text."""
    (sms,) = body_of(posted(sms__contentText=" ", sms__entityId="")).members["channels"]
    assert "contentText" not in sms
    assert "entityId" not in sms


@pytest.mark.parametrize(("text", "read"), [("4", 4), ("x", "x"), ("", ""), ("1.5", "1.5")])
def test_numbers_are_read_as_the_api_reads_them(text: str, read: object) -> None:
    """A whole number is one; any other text stays, so that the API says what is wrong with it."""
    assert body_of(posted(pinLength=text)).members["pinLength"] == read


def test_parameters_stand_one_a_line() -> None:
    """A line begins with its position, further lines belong to it, and a line without one is no position."""
    text = "1 = Tea\nHouse=\n2=b"
    (sms,) = body_of(posted(sms__paramDefaults=text)).members["channels"]
    assert sms["paramDefaults"] == {"1": "Tea\nHouse=", "2": "b"}
    (sms,) = body_of(posted(sms__paramDefaults="name=Tea")).members["channels"]
    assert sms["paramDefaults"] == {"name": "Tea"}


def test_problems_stand_at_the_parts_of_the_form() -> None:
    """Where the first part is not used, a problem of the body's first entry belongs to the second part."""
    given = fields(wa__used="true", email__used="true")
    del given["channels[0].used"]
    body = body_of(Form({name: [text] for name, text in given.items()}))
    assert [each["channelType"] for each in body.members["channels"]] == ["whatsapp", "email"]
    refusal = ValidationFailedError(
        [
            FieldProblem("channels[1].content_text", "is wrong"),
            FieldProblem("channels[7].content_text", "is wrong"),
            FieldProblem("pin_length", "is wrong"),
        ]
    )
    assert [each.path for each in body.placed(refusal).problems] == [
        "channels[2].contentText",
        "channels[7].contentText",
        "pinLength",
    ]


def test_a_form_may_be_anything() -> None:
    """Fields of a browser that made them up are left out, and what is missing is empty."""
    form = Form({"channels[x].channelType": ["sms"], "channels[9999].channelType": ["sms"]})
    assert entries_of(form) == []
    assert body_of(form).members["channels"] == []
    assert "channels" in field_names(form)


def adding(channel: str, language: str, **given: str) -> Form:
    """Return the form after its author asked for a further entry."""
    return with_added_entry(posted(addChannel=channel, addLanguage=language, **given))


def test_a_language_is_added_with_our_text() -> None:
    """A further part has the text, and what the first entry of its channel shares with it (D-530)."""
    form = adding("sms", "de", sms__channelAccountId="cha_1", sms__webOtpOrigin="tea.example")
    first, second = body_of(form).members["channels"]
    german = starter_channels("de")[0]

    assert "languageCode" not in first
    assert {**german, "channelAccountId": "cha_1", "webOtpOrigin": "tea.example"} == {
        name: second[name] for name in (*german, "channelAccountId", "webOtpOrigin")
    }
    assert [("sms", True, False), ("sms", False, True)] == [
        (each.channel, each.default, each.number == 3)
        for each in entries_of(form)
        if each.channel == "sms"
    ]
    assert "SMS (de): Text" == label_of(form, "channels[3].contentText")


def test_a_part_that_is_not_used_becomes_the_entry() -> None:
    """A template without e-mail gets one by its first language, and no second part."""
    form = adding("email", "zh-Hant")
    added = body_of(form).members["channels"][1]

    assert [0, 2] == list(body_of(form).places)
    assert starter_channels("zh-Hant", channel="email")[0].items() <= added.items()


def test_another_language_has_no_text_yet() -> None:
    """Its author writes both; on WhatsApp the provider has the text."""
    other, whatsapp = adding("sms", ""), adding("whatsapp", "de")

    assert "contentText" not in body_of(other).members["channels"][1]
    added = body_of(whatsapp).members["channels"][1]
    assert ("de", False) == (added["languageCode"], "contentText" in added)
    assert form_names(adding("fax", "de")) == form_names(posted())


def form_names(form: Form) -> set[str]:
    """Return the names of the fields of channel entries."""
    return {name for name in form.names() if name.startswith("channels")}


def test_the_choice_has_every_language_of_ours() -> None:
    """And one for all others, which stands first."""
    assert ["", *(each.tag for each in starter_texts())] == [tag for tag, _ in languages_to_add()]


def test_findings_are_placed_as_problems_are() -> None:
    """A finding about the body's first entry belongs to the part of the form that it came from."""
    given = fields(email__used="true")
    del given["channels[0].used"]
    body = body_of(Form({name: [text] for name, text in given.items()}))

    assert "channels[2].contentText" == body.place("channels[0].contentText")
    assert "pinAttempts" == body.place("pinAttempts")
