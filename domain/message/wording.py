"""How a message with more than a text is put in words, for whoever only reads."""

from __future__ import annotations


def lines(*parts: str | None) -> str:
    """Put what there is on lines of its own."""
    return "\n".join(part for part in parts if part)


def button(label: str, does: str | None = None) -> str:
    """Return a button: what stands on it, and what it opens, dials or copies."""
    return f"[{label}] {does}" if does else f"[{label}]"
