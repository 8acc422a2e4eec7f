"""Who did something, in words."""

from __future__ import annotations

import pytest

from watchword.entrypoints.console.stories.actors import actor_words

NAMES = {"key_1": "shop", "cha_1": "main SMS"}


@pytest.mark.parametrize(
    ("actor", "words"),
    [
        ("admin", "the admin token"),
        ("worker", "the worker"),
        ("embedded", "the embedding program"),
        ("public", "somebody in public"),
        ("key_1", "API key shop"),
        ("key_2", "API key key_2"),
        ("cha_1", "channel account main SMS"),
        ("tok_1", "token tok_1"),
        ("anything", "anything"),
    ],
)
def test_an_actor_in_words(actor: str, words: str) -> None:
    """By the name that operators gave it, else by what it is and its id."""
    assert words == actor_words(actor, NAMES)
