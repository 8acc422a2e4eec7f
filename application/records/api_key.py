"""The record of an API key."""

from __future__ import annotations

from datetime import datetime

from ...domain.accounts.api_key import ApiKey, api_key_decider, key_hash_subject, redecide
from ...domain.value import value
from .read_model import FoundBy, ReadModel, Row
from .record import Record


@value(kw_only=True)
class ApiKeyRow(Row):
    """An API key in the list of keys, without the key and its hash."""

    id: str
    account_id: str
    name: str
    prefix: str
    scopes: tuple[str, ...]
    template_auto_match: bool
    expires_at: datetime | None
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None


def api_key_row(stream: str, key: ApiKey) -> ApiKeyRow:
    """Return the row of an API key."""
    return ApiKeyRow(
        id=stream,
        account_id=key.account_id,
        name=key.name,
        prefix=key.prefix,
        scopes=tuple(str(scope) for scope in key.scopes),
        template_auto_match=key.template_auto_match,
        expires_at=key.expires_at,
        created_at=key.created_at,
        last_used_at=key.last_used_at,
        revoked_at=key.revoked_at,
    )


def _holds(key: ApiKey) -> frozenset[str]:
    return frozenset({key_hash_subject(key.key_hash)} if key.revoked_at is None else ())


API_KEY = Record(
    decider=api_key_decider,
    prefix="key",
    state=ApiKey,
    redecide=redecide,
    read_model=ReadModel(
        row=ApiKeyRow,
        name="api_keys",
        found_by=(FoundBy("api_keys_by_account", ("account_id", "created_at")),),
        changing=("last_used_at", "revoked_at"),
    ),
    project=api_key_row,
    holds=_holds,
)
