"""The tables beside the log, as SQLAlchemy Core knows them: read models, and what appends check."""

from __future__ import annotations

import operator
import typing
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Generic, TypeVar

import msgspec
from attrs import fields, frozen
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    text,
)

from ...application.ports.snapshot import KeptRow
from ...application.read_models.rows import (
    AccountRow,
    ApiKeyRow,
    CallbackDeliveryRow,
    CallbackEndpointRow,
    ChannelAccountRow,
    ConsentRow,
    DltTemplateRow,
    FallbackConfigurationRow,
    FallbackRunRow,
    MessageRow,
    PinTemplateRow,
    Row,
    ShortLinkRow,
    VerificationRow,
)

R = TypeVar("R", bound=Row)

# Everywhere compared and sorted by code points, and as wide: PostgreSQL would go by its locale.
TEXT = String().with_variant(String(collation="C"), "postgresql")
INTEGER = Integer().with_variant(BigInteger(), "postgresql")

# Rows change soon after they were put. Where their page has room for it, PostgreSQL leaves all of their
# indexes alone: without, it was two changes of a PIN in three that went into six of them.
_FILLED = 50

# Raised when a release changes a table; a store that is ahead of the code is not opened.
SCHEMA_VERSION = 1

metadata = MetaData()

uses = Table(
    "uses",
    metadata,
    Column("subject", TEXT, nullable=False),
    Column("number", INTEGER, nullable=False),
    Column("at", TEXT, nullable=False),
    PrimaryKeyConstraint("subject", "number"),
    sqlite_with_rowid=False,
)
holders = Table(
    "holders",
    metadata,
    Column("subject", TEXT, nullable=False),
    Column("holder", TEXT, nullable=False),
    PrimaryKeyConstraint("subject", "holder"),
    sqlite_with_rowid=False,
)
idempotency_keys = Table(
    "idempotency_keys",
    metadata,
    Column("scope", TEXT, primary_key=True),
    Column("fingerprint", TEXT, nullable=False),
    Column("owner", TEXT, nullable=False),
    Column("lease_until", Float, nullable=False),
    Column("taken_at", TEXT, nullable=False, index=True),
    Column("answer", LargeBinary),
)
due = Table(
    "due",
    metadata,
    Column("kind", TEXT, nullable=False),
    Column("stream", TEXT, nullable=False),
    Column("number", INTEGER, nullable=False),
    Column("at", TEXT, nullable=False),
    PrimaryKeyConstraint("kind", "stream", "number"),
    Index("due_by_time", "kind", "at", "stream", "number"),
    sqlite_with_rowid=False,
)
seal_keys = Table(
    "seal_keys",
    metadata,
    Column("name", TEXT, nullable=False),
    Column("version", INTEGER, nullable=False),
    Column("wrapped", LargeBinary, nullable=False),
    PrimaryKeyConstraint("name"),
    Index("seal_keys_by_version", "version"),
    sqlite_with_rowid=False,
)
positions = Table(
    "positions",
    metadata,
    Column("name", TEXT, nullable=False),
    Column("position", INTEGER, nullable=False),
    PrimaryKeyConstraint("name"),
    sqlite_with_rowid=False,
)
settings = Table(
    "settings",
    metadata,
    Column("name", TEXT, primary_key=True),
    Column("value", TEXT, nullable=False),
)


@lru_cache(maxsize=1024)
def time_text(at: datetime) -> str:
    """Give a time in the one stored form, which sorts as text (UTC, microseconds)."""
    return at.isoformat(timespec="microseconds")


@frozen
class RowTable(Generic[R]):
    """
    One read model's table.

    The row's first field is the key; `fixed` columns never change after the first write, so an
    update leaves them and their indexes alone. `values` are a row's in the order of the columns,
    `encode` makes them what a column can hold, and `decode` makes a row of that.
    """

    rows: type[R]
    name: str
    table: Table
    fixed: frozenset[str]
    values: Callable[[R], Sequence[Any]]
    encode: Callable[[Sequence[Any]], list[Any]]
    decode: Callable[[Sequence[Any]], R]

    @property
    def key(self) -> str:
        """The name of the key column."""
        return self.table.columns.keys()[0]

    def key_of(self, row: R) -> str:
        """Give a row's key."""
        return str(self.values(row)[0])

    def kept(self, values: Sequence[Any]) -> KeptRow[R]:
        """Give a row as it is kept, readable or not."""
        try:
            return KeptRow(str(values[0]), self.decode(values))
        except (ValueError, TypeError, msgspec.DecodeError):
            return KeptRow(str(values[0]), None)


def _row_table(rows: type[R], name: str, *indexes: Index, fixed: tuple[str, ...]) -> RowTable[R]:
    hints = typing.get_type_hints(rows)
    names = [each.name for each in fields(rows)]
    columns = [
        Column(
            each,
            _column_type(hints[each]),
            primary_key=index == 0,
            nullable=type(None) in typing.get_args(hints[each]),
        )
        for index, each in enumerate(names)
    ]
    table = Table(name, metadata, *columns, *indexes, postgresql_with={"fillfactor": _FILLED})
    encoders = [
        (index, encoder)
        for index, each in enumerate(names)
        if (encoder := _encoder(hints[each])) is not None
    ]
    decoders = [(each, _decoder(hints[each])) for each in names]

    def encode(values: Sequence[Any]) -> list[Any]:
        encoded = list(values)
        for index, encoder in encoders:
            if encoded[index] is not None:
                encoded[index] = encoder(encoded[index])
        return encoded

    def decode(values: Sequence[Any]) -> R:
        values_by_name: dict[str, Any] = {
            each: value if value is None else decoder(value)
            for (each, decoder), value in zip(decoders, values, strict=True)
        }
        return rows(**values_by_name)

    return RowTable(
        rows,
        name,
        table,
        frozenset((names[0], *fixed)),
        operator.attrgetter(*names),
        encode,
        decode,
    )


def _bare(hint: Any) -> Any:
    """Give the type in `X | None`, or the hint itself, without its parameters."""
    options = [each for each in typing.get_args(hint) if each is not type(None)]
    if type(None) in typing.get_args(hint):
        hint = options[0]
    return typing.get_origin(hint) or hint


def _column_type(hint: Any) -> Any:
    return {bool: Boolean, int: INTEGER}.get(_bare(hint), TEXT)


def _encoder(hint: Any) -> Callable[[Any], Any] | None:
    bare = _bare(hint)
    if bare is datetime:
        return time_text
    if bare in (str, int, bool):
        return None
    return lambda value: msgspec.json.encode(value).decode()


def _decoder(hint: Any) -> Callable[[Any], Any]:
    bare = _bare(hint)
    if bare is datetime:
        return datetime.fromisoformat
    if bare in (str, int, bool):
        return bare  # type: ignore[no-any-return]  # one of three classes, which mypy cannot see
    return msgspec.json.Decoder(hint).decode


_accounts = _row_table(AccountRow, "accounts", fixed=("name", "created_at"))
_api_keys = _row_table(
    ApiKeyRow,
    "api_keys",
    Index("api_keys_by_account", "account_id", "created_at"),
    fixed=("account_id", "created_at"),
)
_callback_endpoints = _row_table(
    CallbackEndpointRow,
    "callback_endpoints",
    Index("callback_endpoints_by_account", "account_id", "created_at", "id"),
    # Those that are not removed, which are asked for behind every stretch of the log.
    Index("callback_endpoints_by_end", "removed_at", "created_at", "id"),
    fixed=("account_id", "url", "events", "created_at"),
)
_callback_deliveries = _row_table(
    CallbackDeliveryRow,
    "callback_deliveries",
    Index("callback_deliveries_by_endpoint", "endpoint_id", "created_at", "id"),
    Index("callback_deliveries_by_end", "ended_at"),
    fixed=("endpoint_id", "type", "event_id", "body", "created_at"),
)
_channel_accounts = _row_table(
    ChannelAccountRow,
    "channel_accounts",
    Index("channel_accounts_by_account", "account_id", "channel_type", "created_at"),
    fixed=("account_id", "created_at"),
)
_consents = _row_table(
    ConsentRow,
    "consents",
    Index("consents_by_list", "account_id", "channel", "opt_list", "since", "id"),
    fixed=("account_id", "channel"),
)
_dlt_templates = _row_table(
    DltTemplateRow,
    "dlt_templates",
    Index("dlt_templates_by_account", "account_id", "removed_at", "created_at"),
    fixed=("account_id", "template_id", "entity_id", "text", "created_at"),
)
_fallback_configurations = _row_table(
    FallbackConfigurationRow,
    "fallback_configurations",
    Index("fallback_configurations_by_account", "account_id", "created_at"),
    fixed=("account_id", "fallback_id", "created_at"),
)
# Asked for by key alone, from the message.
_fallback_runs = _row_table(
    FallbackRunRow,
    "fallback_runs",
    fixed=("account_id", "message_id", "fallback_id", "waittime_seconds", "created_at"),
)
_messages = _row_table(
    MessageRow,
    "messages",
    # The key at the end keeps rows of one time in order, so that no page is ever sorted.
    Index("messages_by_time", "account_id", "created_at", "id"),
    Index("all_messages_by_time", "created_at", "id"),
    # What stands behind the key is there to be looked at, not to be found by.
    Index("messages_by_channel", "account_id", "channel", "created_at", "id", "channel_account_id"),
    Index("messages_by_status", "account_id", "status", "created_at", "id", "channel"),
    Index(
        "messages_by_reference",
        "account_id",
        "reference",
        "created_at",
        "id",
        sqlite_where=text("reference IS NOT NULL"),
        postgresql_where=text("reference IS NOT NULL"),
    ),
    Index("messages_by_person", "account_id", "person_canonical", "created_at", "id", "channel"),
    Index(
        "inbound_messages_by_own",
        "account_id",
        "own_canonical",
        "created_at",
        "id",
        "channel",
        sqlite_where=text("own_canonical IS NOT NULL"),
        postgresql_where=text("own_canonical IS NOT NULL"),
    ),
    Index(
        "inbound_messages_by_person",
        "account_id",
        "person_canonical",
        "channel",
        "created_at",
        "id",
        sqlite_where=text("own_canonical IS NOT NULL"),
        postgresql_where=text("own_canonical IS NOT NULL"),
    ),
    fixed=(
        "account_id",
        "direction",
        "channel",
        "channel_account_id",
        "sender",
        "recipient",
        "person_canonical",
        "own_canonical",
        "cust_refs",
        "reference",
        "campaign",
        "run_id",
        "sent_by_run",
        "created_at",
    ),
)
_pin_templates = _row_table(
    PinTemplateRow,
    "pin_templates",
    Index("pin_templates_by_account", "account_id", "created_at"),
    fixed=("account_id", "created_at"),
)
# Asked for by key alone, from the code.
_short_links = _row_table(
    ShortLinkRow,
    "short_links",
    fixed=("account_id", "message_id", "url", "sealed", "created_at"),
)
_verifications = _row_table(
    VerificationRow,
    "verifications",
    Index("verifications_by_time", "created_at"),
    Index("verifications_by_account", "account_id", "created_at"),
    Index("verifications_by_status", "status", "created_at"),
    # The account stands there to be looked at, not to be found by.
    Index("verifications_by_template", "template_id", "created_at", "account_id"),
    Index("verifications_by_destination", "destination_canonical", "created_at"),
    Index("verifications_by_reference", "reference_id", "created_at"),
    Index("verifications_by_expiry", "key_version", "expires_at"),
    fixed=(
        "account_id",
        "template_id",
        "destination",
        "destination_canonical",
        "reference_id",
        "created_at",
    ),
)

ROW_TABLES: Mapping[type[Row], RowTable[Any]] = {
    each.rows: each
    for each in (
        _accounts,
        _api_keys,
        _callback_deliveries,
        _callback_endpoints,
        _channel_accounts,
        _consents,
        _dlt_templates,
        _fallback_configurations,
        _fallback_runs,
        _messages,
        _pin_templates,
        _short_links,
        _verifications,
    )
}


def row_values(row: Row) -> tuple[str, Sequence[Any]]:
    """Give the name of a row's table, and its values as they are."""
    table = ROW_TABLES[type(row)]
    return table.name, table.values(row)
