"""The record of a legacy user."""

from __future__ import annotations

from datetime import datetime

from ...domain.event import personal
from ...domain.legacy.legacy_user import LegacyUser, legacy_email, legacy_user_decider, redecide
from ...domain.value import value
from .read_model import FoundBy, ReadModel, Row
from .record import Record


@value(kw_only=True)
class LegacyUserRow(Row):
    """A legacy user in the list of legacy users, without the password and its hash."""

    id: str
    account_id: str
    email: str = personal()
    created_at: datetime
    removed_at: datetime | None


def legacy_user_row(stream: str, user: LegacyUser) -> LegacyUserRow:
    """Return the row of a legacy user."""
    return LegacyUserRow(
        id=stream,
        account_id=user.account_id,
        email=user.email,
        created_at=user.created_at,
        removed_at=user.removed_at,
    )


def _holds(user: LegacyUser) -> frozenset[str]:
    return frozenset({legacy_email(user.email)} if user.removed_at is None else ())


LEGACY_USER = Record(
    decider=legacy_user_decider,
    prefix="lgu",
    state=LegacyUser,
    redecide=redecide,
    read_model=ReadModel(
        row=LegacyUserRow,
        name="legacy_users",
        found_by=(FoundBy("legacy_users_by_account", ("account_id", "removed_at", "created_at")),),
        changing=("removed_at",),
    ),
    project=legacy_user_row,
    holds=_holds,
)
