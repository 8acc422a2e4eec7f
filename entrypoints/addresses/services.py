"""Checks the addresses of a service that operators and embedders configure."""

from __future__ import annotations

from yarl import URL


def is_service_address(given: object) -> bool:
    """Return whether a value is an http or https URL to which paths can be appended."""
    if not isinstance(given, str):
        return False
    try:
        url = URL(given)
        return bool(
            url.scheme in ("http", "https")
            and url.host
            and not url.user
            and url.port
            and not (url.query_string or url.fragment)
        )
    except ValueError:
        return False
