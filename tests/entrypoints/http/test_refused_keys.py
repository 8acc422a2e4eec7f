"""Authentication failures in the log: how many, and which key, but never the key (T20)."""

from __future__ import annotations

from typing import Any

import pytest
from aiohttp.test_utils import make_mocked_request

from tests.fakes.clocks import MachineSeconds
from watchword.adapters.randomness import SecretRandomness
from watchword.entrypoints.http.refused_keys import RefusedKeys


def noted(*authorizations: str, pause: float = 1.0) -> RefusedKeys:
    """Note requests with these headers, one after the other."""
    seconds = MachineSeconds()
    refused = RefusedKeys(seconds)
    for each in authorizations:
        refused.note(make_mocked_request("GET", "/", headers={"Authorization": each}))
        seconds.forward(pause)
    return refused


def said(caplog: pytest.LogCaptureFixture) -> list[Any]:
    """Return what was logged."""
    return [record.msg for record in caplog.records]


def test_a_key_is_known_by_its_beginning(caplog: pytest.LogCaptureFixture) -> None:
    """The nine characters that lists of keys show, of what has the whole form of a key."""
    key = SecretRandomness().new_key()
    noted(f"Bearer {key}")

    assert [{"event": "authentication_failed", "count": 1, "key_prefix": key[:9]}] == said(caplog)
    assert key[9:] not in caplog.text


def test_a_token_is_known_by_its_beginning(caplog: pytest.LogCaptureFixture) -> None:
    """The ten characters that lists of tokens show."""
    token = f"wwt_{SecretRandomness().new_token()}"
    noted(f"Bearer {token}")

    assert [token[:10]] == [line["key_prefix"] for line in said(caplog)]
    assert token[10:] not in caplog.text


@pytest.mark.parametrize(
    "text", ["", "Bearer hunter2-of-another-service", "Basic dTpw", "Bearer ww_"]
)
def test_what_is_no_key_is_not_shown(text: str, caplog: pytest.LogCaptureFixture) -> None:
    """It may be a password, or a token of another service."""
    noted(text)

    assert [{"event": "authentication_failed", "count": 1, "key_prefix": None}] == said(caplog)


def test_a_flood_is_a_line_a_second(caplog: pytest.LogCaptureFixture) -> None:
    """Each line has the number of refusals since the last."""
    noted(*["Bearer guess"] * 17, pause=0.125)

    assert [1, 8, 8] == [line["count"] for line in said(caplog)]
