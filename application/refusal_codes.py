"""The codes of providers' refusals, without what they may quote of a message (D-52)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..domain.provider_codes import PROVIDER_REJECTED

_NAME = re.compile(r"[a-z0-9_]{1,64}")


def named_code(code: str) -> str:
    """Return a code that is a plain name; any other becomes `provider_rejected`."""
    return code if _NAME.fullmatch(code) else PROVIDER_REJECTED


def plain_code(code: str, texts: Iterable[str], parts: re.Pattern[str]) -> str:
    """
    Return the code of a refusal if it is a plain name without a part of the texts.

    `parts` are those of a text that must not be repeated. Any other code becomes `provider_rejected`.
    """
    own = {part.casefold() for text in texts for part in parts.findall(text)}
    return PROVIDER_REJECTED if own.intersection(parts.findall(code)) else named_code(code)
