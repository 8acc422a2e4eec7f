"""Which release this is."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def release() -> str:
    """Return the version that was installed; `unknown` in a checkout that was not."""
    try:
        return version("watchword")
    except PackageNotFoundError:
        # Run from a checkout, with its folder on the path.
        return "unknown"
