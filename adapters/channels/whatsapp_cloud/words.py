"""Meta's words about a refusal, without what they quote of a message or of a secret (D-243)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import field, frozen

from ..http_client.reading_answers import one_line
from ..quotations import without_quotations
from .graph import GraphError
from .settings import WhatsappSettings

# About a token, Meta quotes the token.
_ABOUT_TOKENS = frozenset({0, 190})
_MOST_READ = 2_000
_LEAST_HIDDEN = 3
# Words of Meta's own are no part of a message's text.
_PUBLIC = frozenset({"index", "sub_type", "type"})
_TITLE = re.compile(r"\(#[0-9]+\) *")
_KEY_LIKE = re.compile(r"[\w.~+/=|-]{6,}")


@frozen
class Said:
    """
    What an answer must not quote: the texts of a message, its recipient, and the account's secrets.

    The recipient is None for a request that is no send.
    """

    texts: tuple[str, ...] = field(repr=False)
    destination: str | None = field(repr=False)
    secrets: tuple[str, ...] = field(repr=False)


def said_in(settings: WhatsappSettings, body: Mapping[str, Any] | None = None) -> Said:
    """Return what was said in a request; `body` is None for one that is no send."""
    secrets = (settings.access_token, settings.app_secret, settings.verify_token)
    if body is None:
        return Said((), None, secrets)
    said = body[body["type"]]
    # The name and the language of a template are public.
    texts = _texts(said.get("components", ()) if body["type"] == "template" else said)
    return Said(tuple(texts), body["to"], secrets)


def explained(error: GraphError, said: Said) -> str:
    """Return Meta's explanation of an error; empty where it has none that may be shown."""
    words = error.details or error.user_message or _TITLE.sub("", error.message)
    if error.code in _ABOUT_TOKENS or not words.strip():
        return ""
    whole = words if len(words) <= _MOST_READ else words[:_MOST_READ].rpartition(" ")[0]
    shown = without_secrets(whole, said.secrets)
    if said.destination is not None:
        shown = _without_texts(shown, {*said.texts, said.destination.lstrip("+")})
        shown = without_quotations(shown, said.texts, said.destination)
    return one_line(shown).rstrip(".")


def _without_texts(shown: str, texts: Iterable[str]) -> str:
    """Replace each text that is quoted whole, the longest first."""
    lowered = shown.lower()
    quoted = [each for each in texts if len(each) >= _LEAST_HIDDEN and each.lower() in lowered]
    if not quoted:
        return shown
    any_of = "|".join(map(re.escape, sorted(quoted, key=len, reverse=True)))
    return re.sub(rf"(?<!\w)(?:{any_of})(?!\w)", "…", shown, flags=re.IGNORECASE)


def without_secrets(shown: str, secrets: tuple[str, ...]) -> str:
    """Replace the secrets, and what looks like a piece of one."""
    for secret in secrets:
        shown = shown.replace(secret, "…")

    def hidden(found: re.Match[str]) -> str:
        return "…" if any(found[0] in secret for secret in secrets) else found[0]

    return _KEY_LIKE.sub(hidden, shown)


def _texts(said: Any, name: str = "") -> Iterator[str]:
    """Yield the texts inside an object of Meta's shape."""
    if isinstance(said, str):
        if name not in _PUBLIC:
            yield said
    elif isinstance(said, Mapping):
        for inner, each in said.items():
            yield from _texts(each, inner)
    elif isinstance(said, list | tuple):
        for each in said:
            yield from _texts(each)
