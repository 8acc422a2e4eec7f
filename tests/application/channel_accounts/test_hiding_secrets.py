"""What a provider says is kept without the secrets that it quotes (C-63)."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from watchword.application.channel_accounts.hiding_secrets import quotes_secret, without_secrets
from watchword.application.channel_accounts.secret_settings import divided
from watchword.application.ports.channels import Setting

PUBLIC = (Setting(name="url", secret=False), Setting(name="auth.basic.username", secret=False))
CONFIG: dict[str, Any] = {
    "url": "https://gateway.example",
    "auth": {"basic": {"username": "ann-of-the-tea-house", "password": "Open Sesame/7"}},
    "headers": {"Authorization": "App 3f9c-k1TTEN", "X-Tries": 990017},
    "tokens": ["gr33n-tea"],
}
BASIC = base64.b64encode(b"ann-of-the-tea-house:Open Sesame/7").decode()


def said(words: str) -> str:
    """Return a provider's words as they are kept."""
    return without_secrets(words, divided(CONFIG, PUBLIC).shown, CONFIG)


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("No balance at https://gateway.example", "No balance at https://gateway.example"),
        ("ann-of-the-tea-house has no balance", "ann-of-the-tea-house has no balance"),
        ("bad password Open Sesame/7.", "bad password ***."),
        ("bad password OPEN SESAME/7.", "bad password ***."),
        ("bad password Open%20Sesame%2F7", "bad password ***"),
        ("bad form p=Open+Sesame%2F7&to=1", "bad form p=***&to=1"),
        ("bad key 3f9c-k1tten!", "bad key ***!"),
        ("bad header App 3f9c-k1TTEN", "bad header ***"),
        ("bad counter 990017", "bad counter ***"),
        ("bad token gr33n-tea", "bad token ***"),
        (f"bad login Basic {BASIC}", "bad login Basic ***"),
        (f"bad login {BASIC.rstrip('=')}", "bad login ***"),
        ("words that end early: 3f9c-k1", "words that end early: ***"),
        ("", ""),
    ],
)
def test_a_secret_is_not_quoted(words: str, kept: str) -> None:
    """Whatever is masked in the config is masked in the words, in every usual form."""
    assert kept == said(words)


def test_public_settings_may_be_quoted() -> None:
    """A config without secrets changes no words."""
    assert "tea" == without_secrets("tea", {"url": "tea"}, {"url": "tea"})


@pytest.mark.parametrize("shown", [{}, {"auth": {}}, {"auth": "ann"}, {"auth": {"user": "ann"}}])
def test_what_an_older_config_does_not_show_is_secret(shown: dict[str, Any]) -> None:
    """The node may have opened a newer config than the one whose masks it knows."""
    assert "bad ***" == without_secrets("bad sesame", shown, {"auth": {"password": "sesame"}})
    assert "bad ***" == without_secrets("bad sesame", shown, {"auth": "sesame"})


def test_a_short_secret_does_not_hide_everything() -> None:
    """Fewer than four characters occur in ordinary words."""
    assert "bad" == without_secrets("bad", {"pin": "***"}, {"pin": "a"})


def test_a_long_secret_is_looked_for_in_a_short_text_only() -> None:
    """The end of some words is compared with no more of a secret than they have (D-236)."""
    shown, config = {"key": "***"}, {"key": "k" * 2 + "y" * 1_000_000}
    assert "cut off: ***" == without_secrets("cut off: kkyyyy", shown, config)


@pytest.mark.parametrize(
    ("own_id", "quotes"),
    [("3f9c-k1TTEN", True), ("id-gr33n-tea-7", True), ("their-990017", False), ("App-7", False)],
)
def test_an_id_may_have_a_short_word_of_a_secret(own_id: str, quotes: bool) -> None:
    """A whole secret in it makes it useless, since ids are stored and shown (D-243)."""
    assert quotes is quotes_secret(own_id, divided(CONFIG, PUBLIC).shown, CONFIG)
