"""Records of the management API: their kinds, and how each stands in a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from attrs import frozen

from ....application.accounts.views import AccountView
from ....application.channel_accounts.views import ChannelAccountView

Record = Mapping[str, Any]
Column = str | Callable[[Record], Any]
OWNER = "accountId"


@frozen
class Kind:
    """
    One kind of records: its commands, the path of its routes under `/admin/v1`, and its table.

    A record that does not fit the `form` is refused. A column shows the member that it names, or what
    its function returns for the record.
    """

    group: str
    path: str
    form: type
    columns: Mapping[str, Column]


def validity(record: Record) -> str:
    """Return whether a key or a token is valid, and until or since when."""
    revoked, expires = record.get("revokedAt"), record.get("expiresAt")
    if revoked is not None:
        return f"revoked {revoked}"
    if expires is None:
        return "valid"
    over = datetime.fromisoformat(expires) <= datetime.now(UTC)
    return f"{'expired' if over else 'valid until'} {expires}"


ACCOUNTS = Kind(
    "accounts",
    "/accounts",
    AccountView,
    {"id": "id", "name": "name", "created": "createdAt", "suspended": "suspendedAt"},
)
CHANNEL_ACCOUNTS = Kind(
    "channel-accounts",
    "/channel-accounts",
    ChannelAccountView,
    {
        "id": "id",
        "account": "accountId",
        "channel": "channelType",
        "provider": "provider",
        "name": "name",
        "sender": "sender",
        "enabled": "enabled",
        "breaker": lambda record: record["health"]["breaker"],
        "created": "createdAt",
    },
)
