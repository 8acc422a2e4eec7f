"""A config is divided into what is shown and what is secret, and joined again (C-63)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watchword.application.channel_accounts.secret_settings import (
    SecretsMismatchError,
    divided,
    joined,
)
from watchword.application.ports.channels import Setting

PUBLIC_URL = Setting(name="url", secret=False)
PUBLIC_USERNAME = Setting(name="auth.basic.username", secret=False)
PUBLIC_RECEIPT = Setting(name="receipt", secret=False)
SIGNATURE_SECRET = Setting(name="receipt.signature.secret")
NAMES = st.sampled_from(["url", "auth", "basic", "username", "receipt", "signature", "secret"])
CONFIGS = st.recursive(
    st.text() | st.integers() | st.none() | st.lists(st.text()),
    lambda below: st.dictionaries(NAMES, below, max_size=4),
).flatmap(lambda below: st.dictionaries(NAMES, st.just(below), max_size=4))


@pytest.mark.parametrize(
    ("settings", "config", "shown", "secrets"),
    [
        ([], {}, {}, {}),
        ([], {"token": "tea"}, {"token": "***"}, {"token": "tea"}),
        ([], {"token": None}, {"token": "***"}, {"token": None}),
        ([], {"headers": {"X": "tea"}}, {"headers": "***"}, {"headers": {"X": "tea"}}),
        ([PUBLIC_URL], {"url": "a", "b": [1]}, {"url": "a", "b": "***"}, {"b": [1]}),
        (
            [PUBLIC_USERNAME],
            {"auth": {"basic": {"username": "ann", "password": "tea"}}},
            {"auth": {"basic": {"username": "ann", "password": "***"}}},
            {"auth": {"basic": {"password": "tea"}}},
        ),
        (
            [PUBLIC_RECEIPT, SIGNATURE_SECRET],
            {"receipt": {"idPath": "id", "signature": {"kind": "hmac", "secret": "tea"}}},
            {"receipt": {"idPath": "id", "signature": {"kind": "hmac", "secret": "***"}}},
            {"receipt": {"signature": {"secret": "tea"}}},
        ),
        (
            [PUBLIC_USERNAME],
            {"auth.basic.username": "tea"},
            {"auth.basic.username": "***"},
            {"auth.basic.username": "tea"},
        ),
    ],
    ids=[
        "nothing",
        "undeclared",
        "undeclared and null",
        "undeclared object",
        "declared",
        "declared below an undeclared one",
        "secret below a declared one",
        "a name with dots is no path",
    ],
)
def test_what_is_not_declared_as_public_is_secret(
    settings: list[Setting],
    config: Mapping[str, Any],
    shown: Mapping[str, Any],
    secrets: Mapping[str, Any],
) -> None:
    """The closest declaration decides; without one, a setting is secret (D-197)."""
    both = divided(config, settings)

    assert (shown, secrets) == (both.shown, both.secrets)
    assert config == joined(both.shown, both.secrets)


@given(CONFIGS)
def test_a_divided_config_can_be_joined(config: Mapping[str, Any]) -> None:
    """A provider gets exactly the config that its check returned, whatever the config contains."""
    both = divided(config, [PUBLIC_URL, PUBLIC_USERNAME, PUBLIC_RECEIPT, SIGNATURE_SECRET])

    assert config == joined(both.shown, both.secrets)


@pytest.mark.parametrize(
    "shown",
    [{}, {"auth": "public"}, {"auth": {"password": "public"}}, {"auth": {}}, {"auth": None}],
    ids=["no place", "a public setting", "one below", "nothing below", "nothing"],
)
def test_the_secrets_of_another_config_are_refused(shown: Mapping[str, Any]) -> None:
    """A secret is put in the place of its mask, and never over a setting that is public."""
    with pytest.raises(SecretsMismatchError):
        joined(shown, {"auth": {"password": "tea"}})


def test_a_mask_is_no_secret() -> None:
    """A secret that was copied from an answer is named by its path, also in a list of headers."""
    config = {"url": "***", "token": "***", "headers": {"X": "***", "Y": "tea"}}
    problems = divided(config, [PUBLIC_URL]).masked()

    assert ["config.token", "config.headers.X"] == [each.field for each in problems]


def test_no_repr_shows_a_config() -> None:
    """A traceback with local variables shows no setting."""
    assert "open sesame" not in repr(divided({"url": "open sesame", "token": "open sesame"}, []))
