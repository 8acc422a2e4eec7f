"""Language tags: well-formed by RFC 5646, looked up by RFC 4647, section 3.4 (C-86)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watchword.domain.language_tags import MAX_LENGTH, is_tag, look_up, same_language

# The examples of RFC 5646, appendix A, and what platforms send.
WELL_FORMED = [
    "de",
    "fr",
    "ja",
    "en",
    "i-enochian",
    "i-klingon",
    "i-default",
    "zh-Hant",
    "zh-Hans",
    "sr-Cyrl",
    "sr-Latn",
    "zh-cmn-Hans-CN",
    "cmn-Hans-CN",
    "zh-yue-HK",
    "yue-HK",
    "zh-Hans-CN",
    "sr-Latn-RS",
    "sl-rozaj",
    "sl-rozaj-biske",
    "sl-nedis",
    "de-CH-1901",
    "sl-IT-nedis",
    "hy-Latn-IT-arevela",
    "de-DE",
    "en-US",
    "es-419",
    "de-CH-x-phonebk",
    "az-Arab-x-AZE-derbend",
    "x-whatever",
    "qaa-Qaaa-QM-x-southern",
    "de-Qaaa",
    "sr-Latn-QM",
    "sr-Qaaa-RS",
    "en-US-u-islamcal",
    "zh-CN-a-myext-x-private",
    "en-a-myext-b-another",
    "pt_BR",
    "zh_Hant_TW",
    "fil",
    "prs_AF",
    "en-GB-oed",
    "sgn-BE-FR",
    "zh-min-nan",
    "art-lojban",
    "ES-419",
    "de-1996-x-a",
]
MALFORMED = [
    *("", " ", "e", "123", "de_", "-de", "de--DE", "a-DE", "i", "x", "x-", "en-x", "de-a"),
    *("de-419-DE", "en US", "*", "de-*", "de-DE.UTF-8", "abcdefghi", "en-US-a", "d\u0435", "en\n"),
    "en-x-" + "-".join(["longword"] * 12),
]

# What templates have, and what callers ask for.
TAGS = [
    "de",
    "de-CH",
    "zh-Hant",
    "zh-Hant-TW",
    "sr-Latn",
    "es-419",
    "i-klingon",
    "pt_BR",
    "EN",
    None,
]
LOCALES = [
    "de",
    "de-DE",
    "de-CH",
    "de-CH-1901",
    "DE-ch-1996",
    "de-CH-x-phonebk",
    "de-Latn-CH",
    "zh",
    "zh-Hans",
    "zh-Hant",
    "zh-Hant-HK",
    "zh-Hant-TW",
    "zh-hant-tw-x-a-b",
    "zh-TW",
    "zh-Hant-u-co-pinyin",
    "sr",
    "sr-Latn-RS",
    "sr-Cyrl-RS",
    "es",
    "es-ES",
    "es-419",
    "es-419-u-ca-gregory",
    "es-MX",
    "i-klingon",
    "i-lux",
    "x-klingon",
    "pt",
    "pt-BR",
    "pt_BR",
    "pt-BR-abl1943",
    "pt-PT",
    "en",
    "en-US",
    "en_GB",
    "en-GB-oed",
    "en-a-myext-b-another",
    "en-x-whatever",
    "fr",
    "fil",
    "hi-IN",
    "zh-min-nan",
    "x-a",
]


def reference(locale: str, tags: Sequence[str | None]) -> int | None:
    """
    Look a locale up as the text of RFC 4647, section 3.4, tells it: by cutting the string.

    "The language range is progressively truncated from the end until a matching language tag is located.
    Single letter or digit subtags ... are removed as soon as they are the last subtag."
    """
    wanted = locale.replace("_", "-").upper()
    while True:
        for place, tag in enumerate(tags):
            if tag is not None and tag.replace("_", "-").upper() == wanted:
                return place
        cut = wanted.rfind("-")
        if cut < 0:
            return None
        if cut >= 2 and wanted[cut - 2] == "-":
            cut -= 2
        elif cut == 1:
            return None
        wanted = wanted[:cut]


@pytest.mark.parametrize("tag", WELL_FORMED)
def test_a_tag_of_the_standard_is_well_formed(tag: str) -> None:
    """Any case and either separator; what the registry knows does not matter."""
    assert is_tag(tag)
    assert is_tag(tag.swapcase().replace("-", "_"))


@pytest.mark.parametrize("text", MALFORMED)
def test_what_breaks_the_grammar_is_no_tag(text: str) -> None:
    """Ranges with `*`, names of character sets, subtags in a wrong place or of a wrong length."""
    assert not is_tag(text)


def test_a_tag_of_the_greatest_length_is_one() -> None:
    """The limit is far above what people use."""
    longest = "en-x-" + "-".join(["longword"] * 10) + "-abc"

    assert MAX_LENGTH >= len(longest) > 90
    assert is_tag(longest)


@pytest.mark.parametrize("locale", LOCALES)
def test_a_look_up_is_that_of_the_standard(locale: str) -> None:
    """Forty tags, each against the procedure that the RFC words, in both orders of the list."""
    assert len(LOCALES) >= 40
    assert is_tag(locale)
    assert reference(locale, TAGS) == look_up(locale, TAGS)
    assert reference(locale, TAGS[::-1]) == look_up(locale, TAGS[::-1])


SUBTAGS = st.sampled_from(["de", "DE", "x", "a", "1", "Latn", "1901", "zh"])


@given(
    st.lists(SUBTAGS, min_size=1, max_size=6).map("-".join),
    st.lists(st.none() | st.lists(SUBTAGS, min_size=1, max_size=4).map("-".join), max_size=5),
)
def test_any_look_up_is_that_of_the_standard(locale: str, tags: list[str | None]) -> None:
    """Whatever stands in the lists, single characters in any place among it."""
    assert reference(locale, tags) == look_up(locale, tags)


def test_the_example_of_the_standard() -> None:
    """`zh-Hant-CN-x-private1-private2` matches `zh-Hant-CN`, then `zh-Hant`, then `zh`."""
    locale = "zh-Hant-CN-x-private1-private2"

    assert 0 == look_up(locale, ["zh-Hant-CN", "zh-Hant", "zh"])
    assert 1 == look_up(locale, ["zh-Hant-CN-x", "zh-Hant", "zh"])
    assert 0 == look_up(locale, ["zh"])
    assert look_up(locale, ["zh-Hans", "x-private1", None]) is None


def test_spellings_of_one_language_are_the_same() -> None:
    """Case and separator do not matter, and an empty tag is none."""
    assert same_language("pt_BR", "PT-br")
    assert same_language(None, "")
    assert not same_language("pt", "pt-BR")
