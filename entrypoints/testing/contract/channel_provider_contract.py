"""The contract of channel providers: every adapter runs it, and it knows the port alone (C-72)."""

from __future__ import annotations

from .hearing_promises import HearingPromises
from .revoking_promises import RevokingPromises
from .sending_promises import SendingPromises
from .settings_promises import SettingsPromises


class ChannelProviderContract(SettingsPromises, SendingPromises, RevokingPromises, HearingPromises):
    """
    The promises of every channel provider.

    An adapter's test subclasses this class as `class TestMyProvider(ChannelProviderContract):` and defines
    the hooks that it needs; `ContractHooks` describes them. A provider that signs what it posts subclasses
    `SignedReportsContract`.
    """
