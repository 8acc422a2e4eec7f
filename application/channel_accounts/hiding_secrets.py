"""Remove a channel account's secrets from what its provider says: some quote the key that they refuse."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote, quote_plus

from ...domain.event import MASK

# Shorter texts occur in ordinary words.
SHORTEST = 4
# Shorter ones, such as `live` in a header, may begin an id.
LEAST_IN_IDS = 8
# A log-in by `Basic` is the base64 of name and password.
_CODED = re.compile(r"[A-Za-z0-9+/_-]{8,}={0,2}")


def without_secrets(text: str, shown: Mapping[str, Any], config: Mapping[str, Any]) -> str:
    """
    Return a provider's words with `***` in the place of each secret of the config.

    `shown` is the config with masks. A secret is found in any case, as a part of a URL, in base64, and
    cut off at the end of the words.
    """
    if not text:
        return text
    secrets = sorted(set(_secrets(shown, config)), key=len, reverse=True)
    if not secrets:
        return text
    text = _CODED.sub(lambda found: MASK if _holds(found[0], secrets) else found[0], text)
    forms = set(secrets)
    if "%" in text or "+" in text:
        # A quoted form differs from the plain one by these alone, and quoting a key takes a millisecond.
        forms |= {form for each in secrets for form in (quote(each, safe=""), quote_plus(each))}
    longest_first = sorted(forms, key=len, reverse=True)
    pattern = "|".join(map(re.escape, longest_first))
    text = re.sub(pattern, MASK, text, flags=re.IGNORECASE)
    return _without_a_beginning(text, longest_first)


def quotes_secret(text: str, shown: Mapping[str, Any], config: Mapping[str, Any]) -> bool:
    """Return whether an id has a secret of the config as it stands, and no short word of one."""
    return any(each in text for each in _secrets(shown, config) if len(each) >= LEAST_IN_IDS)


def _secrets(shown: object, config: object) -> Iterator[str]:
    """Yield the texts that are not shown as they are, and the words in them."""
    if isinstance(shown, Mapping) and isinstance(config, Mapping):
        for name, each in config.items():
            # A member that is not shown at all is new, and counts as secret.
            yield from _secrets(shown.get(name, MASK), each)
    elif shown != config:
        for text in _texts(config):
            yield from (each for each in (text, *text.split()) if len(each) >= SHORTEST)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, str | int) and not isinstance(value, bool):
        yield str(value)


def _holds(coded: str, secrets: list[str]) -> bool:
    bare = coded.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        plain = base64.b64decode(bare + "=" * (-len(bare) % 4))
    except binascii.Error:
        return False
    return any(each.encode() in plain for each in secrets)


def _without_a_beginning(text: str, forms: list[str]) -> str:
    """Mask the beginning of a secret where the words were cut off."""
    lowered = text.lower()
    for form in forms:
        if form.isascii() and form[:SHORTEST].lower() not in lowered:
            # The text has no beginning of it; a key has a thousand.
            continue
        # Secrets may be much longer than words.
        for length in range(min(len(form) - 1, len(text)), SHORTEST - 1, -1):
            if lowered.endswith(form[:length].lower()):
                return text[: len(text) - length] + MASK
    return text
