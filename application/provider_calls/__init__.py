"""Call channel providers, with limits on number and time, and without revealing secrets."""

from .calls import MAX_IN_FLIGHT, MOST_SENDS, ProviderCalls

__all__ = ["MAX_IN_FLIGHT", "MOST_SENDS", "ProviderCalls"]
