"""Helpers that write a message with several parts as plain text."""

from __future__ import annotations


def lines(*parts: str | None) -> str:
    """Return the given parts, each on its own line."""
    return "\n".join(part for part in parts if part)


def button(label: str, does: str | None = None) -> str:
    """Return a button's label, with the link, number or code behind it."""
    return f"[{label}] {does}" if does else f"[{label}]"
