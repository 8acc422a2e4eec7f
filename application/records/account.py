"""The record of an account."""

from __future__ import annotations

from datetime import datetime

from ...domain.accounts.account import Account, account_decider, account_name, redecide
from ...domain.value import value
from .read_model import ReadModel, Row
from .record import Record


@value(kw_only=True)
class AccountRow(Row):
    """An account in the list of accounts."""

    id: str
    name: str
    created_at: datetime
    suspended_at: datetime | None


def account_row(stream: str, account: Account) -> AccountRow:
    """Return the row of an account."""
    return AccountRow(
        id=stream,
        name=account.name,
        created_at=account.created_at,
        suspended_at=account.suspended_at,
    )


def _holds(account: Account) -> frozenset[str]:
    return frozenset({account_name(account.name)})


ACCOUNT = Record(
    decider=account_decider,
    prefix="acc",
    state=Account,
    redecide=redecide,
    read_model=ReadModel(row=AccountRow, name="accounts", changing=("suspended_at",)),
    project=account_row,
    holds=_holds,
    account=lambda stream, _: stream,
)
