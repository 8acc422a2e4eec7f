"""
Tests for channel providers: the contract suite, faulty servers and fakes (C-72). Types of the fixtures.

Install the extra `testing`. Importing `watchword` does not load this module.
"""

from __future__ import annotations

from importlib.util import find_spec

if find_spec("pytest") is None:
    raise ImportError(
        "watchword.testing needs pytest. Install it with: pip install 'watchword[testing]'"
    )

import pytest

# The asserts of the suite then say what they compared, as those of tests do. It must come first.
pytest.register_assert_rewrite(
    f"{__package__}.entrypoints.testing.contract", f"{__package__}.entrypoints.testing.cuts"
)

from .entrypoints.testing.clocks import StillClock  # noqa: E402  after the call above
from .entrypoints.testing.contexts import FakeContext  # noqa: E402
from .entrypoints.testing.contract.channel_provider_contract import (  # noqa: E402
    ChannelProviderContract,
)
from .entrypoints.testing.contract.hooks import ContractHooks  # noqa: E402
from .entrypoints.testing.contract.http_provider_contract import (  # noqa: E402
    HttpProviderContract,
)
from .entrypoints.testing.contract.signed_reports_contract import (  # noqa: E402
    SignedReportsContract,
)
from .entrypoints.testing.cuts import Cuts, cuts  # noqa: E402
from .entrypoints.testing.faulty_http import FaultyHttp  # noqa: E402
from .entrypoints.testing.faulty_tcp import FaultyTcp  # noqa: E402
from .entrypoints.testing.fixtures.outbox import SandboxOutbox  # noqa: E402
from .entrypoints.testing.fixtures.sandbox_clocks import (  # noqa: E402
    AsyncSandboxClock,
    SandboxClock,
)
from .entrypoints.testing.http_exchanges import HttpAnswer, HttpRequest  # noqa: E402
from .entrypoints.testing.messages import CODE, a_message  # noqa: E402

__all__ = [
    "CODE",
    "AsyncSandboxClock",
    "ChannelProviderContract",
    "ContractHooks",
    "Cuts",
    "FakeContext",
    "FaultyHttp",
    "FaultyTcp",
    "HttpAnswer",
    "HttpProviderContract",
    "HttpRequest",
    "SandboxClock",
    "SandboxOutbox",
    "SignedReportsContract",
    "StillClock",
    "a_message",
    "cuts",
]
