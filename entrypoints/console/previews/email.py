"""The preview of an e-mail."""

from __future__ import annotations

from .shown import Bubble, Preview, numbered_blanks, plain


def email_preview(subject: str, text: str, *, sender: str = "", template: bool = False) -> Preview:
    """Return the preview of an e-mail; in that of a `template`, positions without a value are blanks."""
    runs = numbered_blanks if template else plain
    return Preview(
        channel="email", sender=sender, subject=runs(subject), bubbles=(Bubble(text=runs(text)),)
    )
