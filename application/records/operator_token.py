"""The record of an operator's token."""

from __future__ import annotations

from datetime import datetime

from ...domain.accounts.operator_token import (
    OperatorToken,
    operator_token_decider,
    redecide,
    token_hash_subject,
)
from ...domain.value import value
from .read_model import FoundBy, ReadModel, Row
from .record import Record


@value(kw_only=True)
class OperatorTokenRow(Row):
    """A token in the list of operators' tokens, without the token and its hash."""

    id: str
    name: str
    role: str
    account_id: str | None
    clear: bool
    prefix: str
    expires_at: datetime | None
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None


def operator_token_row(stream: str, token: OperatorToken) -> OperatorTokenRow:
    """Return the row of a token."""
    return OperatorTokenRow(
        id=stream,
        name=token.name,
        role=str(token.role),
        account_id=token.account_id,
        clear=token.clear,
        prefix=token.prefix,
        expires_at=token.expires_at,
        created_at=token.created_at,
        last_used_at=token.last_used_at,
        revoked_at=token.revoked_at,
    )


def _holds(token: OperatorToken) -> frozenset[str]:
    return frozenset({token_hash_subject(token.token_hash)} if token.revoked_at is None else ())


OPERATOR_TOKEN = Record(
    decider=operator_token_decider,
    prefix="tok",
    state=OperatorToken,
    redecide=redecide,
    read_model=ReadModel(
        row=OperatorTokenRow,
        name="operator_tokens",
        found_by=(FoundBy("operator_tokens_by_account", ("account_id", "created_at")),),
        changing=("last_used_at", "revoked_at"),
    ),
    project=operator_token_row,
    holds=_holds,
)
