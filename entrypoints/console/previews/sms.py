"""The preview of an SMS, with its segments counted."""

from __future__ import annotations

from ....domain.sms.length import length_of
from .shown import Bubble, Preview, numbered_blanks, plain


def sms_preview(
    text: str, *, unicode: bool = False, sender: str = "", template: bool = False
) -> Preview:
    """Return the preview of a text; in that of a `template`, positions without a value are blanks."""
    shown = numbered_blanks(text) if template else plain(text)
    return Preview(
        channel="sms",
        sender=sender,
        bubbles=(Bubble(text=shown),),
        length=length_of(text, unicode=unicode),
    )
