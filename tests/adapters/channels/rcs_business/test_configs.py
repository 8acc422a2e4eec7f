"""Configs of the provider `rcs_business`: what is refused with its path, and what is kept (C-63, C-99)."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from tests.adapters.channels.rcs_business.google import (
    AGENT,
    EMAIL,
    KEY_ID,
    private_pem,
    service_account,
)
from watchword.adapters.channels.rcs_business import RcsBusinessProvider
from watchword.adapters.channels.rcs_business.settings import settings_of
from watchword.domain.errors import ValidationFailedError

GOOGLE = "https://oauth2.googleapis.com"


def config(**more: Any) -> dict[str, Any]:
    """Return the config of Google itself."""
    return {
        "agentId": AGENT,
        "serviceAccount": service_account(GOOGLE),
        "webhookToken": "a-client-token",
        **more,
    }


def with_key(**members: Any) -> dict[str, Any]:
    """Return a config with other members in its service account; None leaves one out."""
    account = {**service_account(GOOGLE), **members}
    return config(serviceAccount={k: v for k, v in account.items() if v is not None})


def refused(given: Mapping[str, Any]) -> list[str]:
    """Return the paths that are refused."""
    try:
        RcsBusinessProvider().check_config(given)
    except ValidationFailedError as refusal:
        return [each.field for each in refusal.problems]
    return []


def pem_of(key: Any) -> str:
    """Return a key as a text."""
    form = serialization.PrivateFormat.PKCS8
    made: bytes = key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())
    return made.decode()


@pytest.mark.parametrize(
    ("given", "paths"),
    [
        (config(), []),
        (config(region="asia"), []),
        (config(baseUrl="https://rcs.example.com:8443"), []),
        (config(baseUrl="http://127.0.0.1:9000"), []),
        (config(baseUrl="http://10.1.2.3"), []),
        (with_key(token_uri="http://localhost:1/token"), []),
        (with_key(private_key_id=None), []),
        (config(region="mars"), ["config.region"]),
        (config(region="us", baseUrl="https://rcs.example.com"), ["config.region"]),
        (config(baseUrl="http://rcs.example.com"), ["config.baseUrl"]),
        (config(baseUrl="https://rcs.example.com/v1"), ["config.baseUrl"]),
        (config(baseUrl="https://ann:pw@rcs.example.com"), ["config.baseUrl"]),
        (config(baseUrl="https://169.254.169.254"), ["config.baseUrl"]),
        (config(baseUrl="https://rcs.example.com:0"), ["config.baseUrl"]),
        (config(agentId="two words"), ["config.agentId"]),
        (config(agentId="@rbm.goog"), ["config.agentId"]),
        (config(serviceAccount="{}"), ["config.serviceAccount"]),
        (
            config(serviceAccount={}),
            [
                "config.serviceAccount.client_email",
                "config.serviceAccount.private_key",
                "config.serviceAccount.token_uri",
            ],
        ),
        (with_key(client_email=7), ["config.serviceAccount.client_email"]),
        (with_key(client_email="ann\r\nX: y"), ["config.serviceAccount.client_email"]),
        (with_key(private_key_id=["8f"]), ["config.serviceAccount.private_key_id"]),
        (with_key(token_uri="http://oauth2.example.com"), ["config.serviceAccount.token_uri"]),
        (with_key(token_uri="https://t.example.com/a b"), ["config.serviceAccount.token_uri"]),
        (with_key(token_uri="file:///etc/passwd"), ["config.serviceAccount.token_uri"]),
        (with_key(token_uri="https://[fe80::1]/token"), ["config.serviceAccount.token_uri"]),
        (with_key(private_key="no key"), ["config.serviceAccount.private_key"]),
        (
            with_key(private_key=f"{private_pem()}{'x' * 9_000}"),
            ["config.serviceAccount.private_key"],
        ),
    ],
)
def test_a_wrong_member_is_refused_with_its_path(
    given: Mapping[str, Any], paths: list[str]
) -> None:
    """Members of the service account too; http goes to this machine and private networks alone."""
    assert paths == refused(given)


@pytest.mark.parametrize(
    "key",
    [
        ec.generate_private_key(ec.SECP256R1()),
        rsa.generate_private_key(public_exponent=65_537, key_size=1_024),  # noqa: S505  it is refused
    ],
    ids=["elliptic", "short"],
)
def test_a_key_that_google_would_not_take_is_refused(key: Any) -> None:
    """Log-ins are signed by RS256, and Google's keys have 2048 bits."""
    assert ["config.serviceAccount.private_key"] == refused(with_key(private_key=pem_of(key)))


def test_a_key_whose_numbers_do_not_fit_is_refused() -> None:
    """A damaged key would sign log-ins that Google refuses."""
    pem = private_pem()
    line = pem.splitlines()[4]
    damaged = pem.replace(line, f"{line[1:]}{line[0]}")

    assert pem != damaged
    assert ["config.serviceAccount.private_key"] == refused(with_key(private_key=damaged))


def test_a_check_does_not_hold_the_event_loop() -> None:
    """A check of the primes of a key would take 40 ms, and of a long key a quarter of a second (D-290)."""
    given = config()
    provider = RcsBusinessProvider()
    provider.check_config(given)
    fastest = min(timed(provider, given) for _ in range(5))

    assert 0.02 > fastest


def timed(provider: RcsBusinessProvider, given: Mapping[str, Any]) -> float:
    """Return the seconds of a check."""
    began = time.perf_counter()
    provider.check_config(given)
    return time.perf_counter() - began


def test_of_the_key_file_what_a_log_in_needs_is_kept() -> None:
    """The rest would be sealed, and masked wherever it stands in words, such as `googleapis.com`."""
    kept = RcsBusinessProvider().check_config(config(agentId=f"{AGENT}@rbm.goog"))

    assert AGENT == kept["agentId"]
    assert {
        "client_email": EMAIL,
        "private_key": private_pem(),
        "private_key_id": KEY_ID,
        "token_uri": f"{GOOGLE}/token",
    } == kept["serviceAccount"]


@pytest.mark.parametrize(
    ("more", "address"),
    [
        ({}, "https://rcsbusinessmessaging.googleapis.com"),
        ({"region": "us"}, "https://us-rcsbusinessmessaging.googleapis.com"),
        ({"region": "europe"}, "https://europe-rcsbusinessmessaging.googleapis.com"),
        ({"region": "asia"}, "https://asia-rcsbusinessmessaging.googleapis.com"),
        ({"baseUrl": "https://rcs.example.com/"}, "https://rcs.example.com"),
    ],
)
def test_each_region_has_its_address(more: Mapping[str, Any], address: str) -> None:
    """Without one it is the global address; `baseUrl` takes the place of both."""
    assert address == settings_of(config(**more)).base_url


def test_a_change_of_the_receiver_wants_all_secrets_anew() -> None:
    """Else somebody could send our access tokens to an address of theirs (C-66)."""
    peers = {each.name for each in RcsBusinessProvider().settings if each.peer}

    assert {"region", "baseUrl"} == peers


def test_settings_show_no_secret() -> None:
    """Neither the key, nor a token, nor who logs in."""
    shown = repr(settings_of(config()))

    assert AGENT in shown
    assert [] == [each for each in ("a-client-token", "PRIVATE", EMAIL) if each in shown]
