"""The starter texts: whole, short, readable by phones, and chosen by language (D-526)."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

import attrs
import pytest

from watchword.domain.channel import Channel
from watchword.domain.errors import ValidationFailedError
from watchword.domain.language_tags import is_tag
from watchword.domain.pin_template import TemplateChannel, render
from watchword.domain.pin_template.policy import PinPolicy
from watchword.domain.pin_template.sms_findings import unread_by_phones
from watchword.domain.placeholders import positions, unfilled
from watchword.domain.sms.autofill import readers_of
from watchword.domain.sms.length import Encoding, length_of
from watchword.entrypoints.starters.starter_texts import (
    StarterText,
    starter_channels,
    starter_text,
    starter_texts,
)

PIN = "{{pin}}"
# Twenty characters, as most hosts have at most.
HOST = "login.teahouse.india"
HASH = "FA+9qCX9VSu"
LONGEST = "4829130756"
USUAL = "482913"
EACH = pytest.mark.parametrize("starter", starter_texts(), ids=lambda each: each.tag)
GSM_7 = {"en", "de", "fr", "it", "nl", "sv", "pl", "id"}
# The script that the letters of a text are of, by the names of its characters.
SCRIPTS = {
    **dict.fromkeys(("ru", "uk"), "CYRILLIC"),
    "ar": "ARABIC",
    "he": "HEBREW",
    "hi": "DEVANAGARI",
    "bn": "BENGALI",
    "th": "THAI",
    "ja": "CJK|HIRAGANA|KATAKANA",
    "ko": "HANGUL",
    "zh-Hans": "CJK",
    "zh-Hant": "CJK",
}


def entry(starter: StarterText, **more: Any) -> TemplateChannel:
    """Return an SMS entry with a starter text."""
    return attrs.evolve(
        TemplateChannel(id="entry", channel_type=Channel.SMS, channel_account_id="account"),
        content_text=starter.text,
        language_code=starter.tag,
        **more,
    )


def sent(starter: StarterText, code: str, **more: Any) -> str:
    """Return the text as it goes out."""
    return render(entry(starter, **more), code, {}).text


def test_there_are_twenty_languages_and_more() -> None:
    """No tag stands twice, and each is well-formed."""
    tags = [tag for each in starter_texts() for tag in (each.tag, *each.also)]

    assert 20 <= len(starter_texts())
    assert len(tags) == len({tag.lower() for tag in tags})
    assert all(map(is_tag, tags))


def test_a_second_reader_has_approved_twenty() -> None:
    """A text whose words change has had one reader, and counts again once a second one has read it."""
    approved = [each.tag for each in starter_texts() if each.reviewed_by_second_reader]

    assert 20 <= len(approved)


@EACH
def test_a_text_has_the_code_once(starter: StarterText) -> None:
    """Nothing else is filled in, and no letter or digit stands beside the code."""
    assert 1 == starter.text.count(PIN)
    assert not positions(starter.text, PIN)
    assert () == unfilled(starter.text, PIN) == unfilled(starter.subject, PIN)
    assert PIN not in starter.subject
    before, after = starter.text.split(PIN)
    assert not (before[-1:] + after[:1]).isalnum()
    # A danda looks like a digit.
    assert "\u0964" != after[:1]


@EACH
def test_a_text_is_written_cleanly(starter: StarterText) -> None:
    """One line in composed characters, without blanks around it and without marks that cannot be seen."""
    for text in (starter.text, starter.subject):
        assert text == text.strip() == unicodedata.normalize("NFC", text)
        assert "  " not in text
        assert not [each for each in text if unicodedata.category(each) in ("Cc", "Cf", "Cn", "Zl")]


@EACH
def test_a_text_is_in_its_script(starter: StarterText) -> None:
    """All letters are of the script of the language, so that no text stands under another's tag."""
    expected = re.compile(SCRIPTS.get(starter.tag, "LATIN"))
    letters = [each for each in starter.text.replace(PIN, "") + starter.subject if each.isalpha()]

    assert letters
    assert [] == [each for each in letters if not expected.match(unicodedata.name(each))]


@EACH
def test_a_text_fits_into_one_segment(starter: StarterText) -> None:
    """With the longest code, and with a usual one and either line for autofill."""
    texts = [
        sent(starter, LONGEST),
        sent(starter, USUAL, web_otp_origin=HOST),
        sent(starter, USUAL, app_hash=HASH),
    ]

    assert [1, 1, 1] == [length_of(text).segments for text in texts]
    usual = Encoding.GSM_7 if starter.tag in GSM_7 else Encoding.UCS_2
    assert usual is length_of(texts[0]).encoding


@EACH
def test_a_text_with_autofill_ends_as_phones_want(starter: StarterText) -> None:
    """Browsers find site and code, Android finds the app, and nothing is lost on the way."""
    bound, told = entry(starter, web_otp_origin=HOST), entry(starter, app_hash=HASH)

    assert sent(starter, USUAL, web_otp_origin=HOST).endswith(f"\n\n@{HOST} #{USUAL}")
    assert sent(starter, USUAL, app_hash=HASH).endswith(f"\n{HASH}")
    assert () == unread_by_phones(bound, PinPolicy()) == unread_by_phones(told, PinPolicy())
    assert readers_of(sent(starter, USUAL, web_otp_origin=HOST), USUAL).browsers
    assert readers_of(sent(starter, USUAL, app_hash=HASH), USUAL).app


@pytest.mark.parametrize("tag", ["ar", "he"])
def test_the_first_letter_sets_the_direction(tag: str) -> None:
    """Words stand before the code, which may begin with a Latin letter."""
    starter = starter_text(tag)

    assert starter is not None
    first = next(each for each in starter.text if unicodedata.bidirectional(each) in "LRAL")
    assert unicodedata.bidirectional(first) in ("R", "AL")
    assert starter.text.index(first) < starter.text.index(PIN)


@pytest.mark.parametrize(
    ("tag", "best"),
    [
        ("de", "de"),
        ("de_AT", "de"),
        ("pt-br", "pt-BR"),
        ("pt-PT", "pt-BR"),
        ("zh-TW", "zh-Hant"),
        ("zh-Hant-HK", "zh-Hant"),
        ("zh-CN", "zh-Hans"),
        ("iw-IL", "he"),
        ("tlh", None),
        ("no tag", None),
    ],
)
def test_a_text_is_found_by_look_up(tag: str, best: str | None) -> None:
    """As a PIN's locale finds an entry, and by the tags that phones send for the same language."""
    found = starter_text(tag)

    assert best == (found and found.tag)


def test_entries_keep_the_tags_that_were_asked_for() -> None:
    """So a locale of `zh-TW` finds them; further members stand in each."""
    first, second = starter_channels(
        "de_AT", "zh-TW", channel="email", literal=True, param_defaults={}
    )

    assert ["de-AT", "zh-TW"] == [first["languageCode"], second["languageCode"]]
    assert [True, True] == [first["literal"], second["literal"]]
    assert {
        *("channelType", "languageCode", "contentText", "subjectText"),
        *("literal", "paramDefaults"),
    } == set(first)
    assert "subjectText" not in starter_channels("de")[0]


def test_what_has_no_text_is_named() -> None:
    """Every wrong language, and a channel on which the provider has the text."""
    with pytest.raises(ValidationFailedError) as refused:
        starter_channels("de", "tlh", "!", channel="whatsapp")

    assert ["channel", "languages[1]", "languages[2]"] == [
        each.field for each in refused.value.problems
    ]
    with pytest.raises(ValidationFailedError) as none_named:
        starter_channels()
    assert ["languages"] == [each.field for each in none_named.value.problems]


def test_a_member_that_entries_do_not_have_is_refused() -> None:
    """A misspelt one would be left out without a word; and a language decides its own tag and text."""
    with pytest.raises(ValidationFailedError) as refused:
        starter_channels(
            "de", web_otp_orign="shop.example", language_code="fr", appHash="FA+9qCX9VSu"
        )

    assert ["webOtpOrign", "languageCode"] == [each.field for each in refused.value.problems]
    assert "webOtpOrigin" in refused.value.problems[0].message
