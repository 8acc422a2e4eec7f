"""Tests for authors of channel providers: the contract suite, faulty servers and fakes (C-72)."""

from .clocks import StillClock
from .contexts import FakeContext
from .contract.channel_provider_contract import ChannelProviderContract
from .contract.hooks import ContractHooks
from .contract.http_provider_contract import HttpProviderContract
from .contract.signed_reports_contract import SignedReportsContract
from .cuts import Cuts, cuts
from .faulty_http import FaultyHttp
from .faulty_tcp import FaultyTcp
from .http_exchanges import HttpAnswer, HttpRequest
from .messages import CODE, a_message

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
