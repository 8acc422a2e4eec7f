"""
Call channel providers: within time and number, past breakers, and by failover (C-69).

Nothing secret leaves the call: an outcome quotes neither an adapter's exception nor a code.
"""

from .calls import MAX_IN_FLIGHT, MOST_SENDS, ProviderCalls, SendLoad
from .guards import Simulates

__all__ = [
    "MAX_IN_FLIGHT",
    "MOST_SENDS",
    "ProviderCalls",
    "SendLoad",
    "Simulates",
]
