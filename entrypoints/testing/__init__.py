"""The contract suite of channel providers, for tests of adapters; public as `watchword.testing` (C-72)."""

from .channel_provider_contract import MESSAGE, ChannelProviderContract, SignedReportsContract
from .clocks import StillClock
from .contexts import FakeContext
from .faulty_http import FaultyHttp
from .faulty_tcp import FaultyTcp
from .http_exchanges import HttpAnswer, HttpRequest
from .messages import CODE, a_message

__all__ = [
    "CODE",
    "MESSAGE",
    "ChannelProviderContract",
    "FakeContext",
    "FaultyHttp",
    "FaultyTcp",
    "HttpAnswer",
    "HttpRequest",
    "SignedReportsContract",
    "StillClock",
    "a_message",
]
