"""The contract suite of channel providers, for tests of adapters; public as `watchword.testing` (C-72)."""

from .channel_provider_contract import MESSAGE, ChannelProviderContract, SignedReportsContract

__all__ = ["MESSAGE", "ChannelProviderContract", "SignedReportsContract"]
