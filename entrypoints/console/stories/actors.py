"""Actors in words."""

from __future__ import annotations

from collections.abc import Mapping

from ....application.caller import ADMIN, EMBEDDED, PUBLIC, WORKER
from ....application.records.api_key import API_KEY
from ....application.records.channel_account import CHANNEL_ACCOUNT
from ....application.records.legacy_user import LEGACY_USER
from ....application.records.operator_token import OPERATOR_TOKEN

_WITHOUT_NAMES = {
    ADMIN: "the admin token",
    WORKER: "the worker",
    EMBEDDED: "the embedding program",
    PUBLIC: "somebody in public",
}
_KINDS = {
    API_KEY.prefix: "API key",
    OPERATOR_TOKEN.prefix: "token",
    CHANNEL_ACCOUNT.prefix: "channel account",
    LEGACY_USER.prefix: "legacy user",
}


def actor_words(actor: str, names: Mapping[str, str]) -> str:
    """Return an actor as readers know it: by the name that operators gave, else by its kind and id."""
    if actor in _WITHOUT_NAMES:
        return _WITHOUT_NAMES[actor]
    kind = _KINDS.get(actor.partition("_")[0])
    name = names.get(actor)
    if kind is None:
        return actor if name is None else name
    return f"{kind} {actor if name is None else name}"
