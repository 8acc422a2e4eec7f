"""The version of this release."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def release() -> str:
    """Return the installed version; `unknown` in a checkout that is not installed."""
    try:
        return version("watchword")
    except PackageNotFoundError:
        # Run from a checkout, with its folder on the path.
        return "unknown"
