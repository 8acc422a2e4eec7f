"""The record of a token of the legacy platform."""

from __future__ import annotations

from datetime import datetime

from attrs import field

from ...domain.value import value
from .read_model import FoundBy, ReadModel, Row


@value(kw_only=True)
class LegacyTokenRow(Row):
    """
    A token of the legacy platform. No event records it, so no replay restores it (D-97).

    `generation` is the user's when the token was issued. `expires_at` is one hour after its last use;
    None for a token that never expires.
    """

    token_hash: str = field(repr=False)
    user_id: str
    generation: int
    created_at: datetime
    expires_at: datetime | None


LEGACY_TOKENS = ReadModel(
    row=LegacyTokenRow,
    name="legacy_tokens",
    # Logins find a token by its key; this index is for dropping old ones.
    found_by=(FoundBy("legacy_tokens_by_end", ("expires_at",)),),
    changing=("expires_at",),
)
