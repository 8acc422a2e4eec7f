"""The contract suite of channel providers, for tests of adapters; public as `watchword.testing` (C-72)."""

from .channel_provider_contract import ChannelProviderContract
from .clocks import StillClock
from .contexts import FakeContext
from .cuts import Cuts, cuts
from .faulty_http import FaultyHttp
from .faulty_tcp import FaultyTcp
from .http_exchanges import HttpAnswer, HttpRequest
from .messages import CODE, a_message
from .signed_reports_contract import SignedReportsContract

__all__ = [
    "CODE",
    "ChannelProviderContract",
    "Cuts",
    "FakeContext",
    "FaultyHttp",
    "FaultyTcp",
    "HttpAnswer",
    "HttpRequest",
    "SignedReportsContract",
    "StillClock",
    "a_message",
    "cuts",
]
