"""The table of Watchword's own channel providers (C-63)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...adapters.channels.http import HttpProvider
from ...adapters.channels.rcs_business import RcsBusinessProvider
from ...adapters.channels.smpp import SmppProvider
from ...adapters.channels.smtp import SmtpProvider
from ...adapters.channels.whatsapp_cloud import WhatsappCloudProvider
from ...application.ports.channels import ChannelProvider
from ..sandbox.phones import PROVIDER as SANDBOX

# The providers of every service, in and outside the sandbox. Each service makes its own of them.
BUILT_IN: Mapping[str, Callable[[], ChannelProvider]] = {
    "http": HttpProvider,
    "rcs_business": RcsBusinessProvider,
    "smpp": SmppProvider,
    "smtp": SmtpProvider,
    "whatsapp_cloud": WhatsappCloudProvider,
}
# No provider of an embedder has one of these names (C-72).
OWN_NAMES = (SANDBOX, *BUILT_IN)
