"""Addresses under which a service is reached, as operators and embedders name them."""

from __future__ import annotations

from yarl import URL


def is_service_address(given: object) -> bool:
    """Say whether something is an http or https URL that paths can be put behind."""
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
