"""
Tests for channel providers: the contract suite, servers that fail on request, and fakes (C-72).

Install the extra `testing`. Importing `watchword` does not load this module.
"""

from __future__ import annotations

import pytest

# The asserts of the suite then say what they compared, as those of tests do. It must come first.
pytest.register_assert_rewrite(f"{__package__}.entrypoints.testing")

from .entrypoints.testing import (  # noqa: E402  after the call above
    CODE,
    ChannelProviderContract,
    ContractHooks,
    Cuts,
    FakeContext,
    FaultyHttp,
    FaultyTcp,
    HttpAnswer,
    HttpProviderContract,
    HttpRequest,
    SignedReportsContract,
    StillClock,
    a_message,
    cuts,
)

__all__ = [
    "CODE",
    "ChannelProviderContract",
    "ContractHooks",
    "Cuts",
    "FakeContext",
    "FaultyHttp",
    "FaultyTcp",
    "HttpAnswer",
    "HttpProviderContract",
    "HttpRequest",
    "SignedReportsContract",
    "StillClock",
    "a_message",
    "cuts",
]
