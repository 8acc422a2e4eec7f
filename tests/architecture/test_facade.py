"""The legacy platform is a facade: its words stay in its own folders (SPEC 4 E)."""

import re
from pathlib import Path

import pytest

import watchword

ROOT = Path(watchword.__file__).parent
# Spellings of its requests, answers and callbacks, and of nothing else.
WORDS = re.compile(
    r"responseCode|senderPhone|recipientPhone|(?:journey|department)_?id|callbackUrl|templateId['\"]"
    r"|(?:header|body)Variables|Quick_Reply|Phone_Number|neverExpire|chatId"
)


@pytest.mark.parametrize("layer", ["domain", "application"])
def test_no_word_of_the_legacy_platform_is_in_the_inner_layers(layer: str) -> None:
    """No spelling and no response code."""
    found = {
        f"{path.relative_to(ROOT)}: {words[0]}"
        for path in (ROOT / layer).rglob("*.py")
        if (words := WORDS.search(path.read_text()))
    }

    assert set() == found


def test_the_words_are_those_of_the_facade() -> None:
    """They stand in it, so that the test above can fail."""
    texts = [path.read_text() for path in (ROOT / "entrypoints" / "legacy").glob("*.py")]

    assert any(map(WORDS.search, texts))
