"""The addresses of Google's services (C-63)."""

from __future__ import annotations

_SERVICE = "rcsbusinessmessaging.googleapis.com"
# The region of an address is that of the service which answers it.
REGIONS = ("us", "europe", "asia")


def service_address(region: str | None) -> str:
    """Return the address of RCS Business Messaging, in a region if there is one."""
    return f"https://{_SERVICE}" if region is None else f"https://{region}-{_SERVICE}"
