"""The tables beside the log, as SQLAlchemy Core knows them: read models, and what appends check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Float,
    Index,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    column,
)

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
    LegacyTokenRow,
    LegacyUserRow,
    MediaRow,
    MessageRow,
    MessageTemplateRow,
    PinTemplateRow,
    Row,
    ShortLinkRow,
    VerificationRow,
)
from ...domain.channel import Channel
from .column_types import INTEGER, TEXT
from .listed_names import Listed
from .row_table import RowTable, row_table

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


def _partial_index(name: str, condition: ColumnElement[bool], *columns: str) -> Index:
    return Index(name, *columns, sqlite_where=condition, postgresql_where=condition)


def _index_where_present(present: str, name: str, *columns: str) -> Index:
    """Give an index of the rows alone that have something in a column."""
    return _partial_index(name, column(present).is_not(None), *columns)


_accounts = row_table(metadata, AccountRow, "accounts", fixed=("name", "created_at"))
_api_keys = row_table(
    metadata,
    ApiKeyRow,
    "api_keys",
    Index("api_keys_by_account", "account_id", "created_at"),
    fixed=("account_id", "created_at"),
)
_callback_endpoints = row_table(
    metadata,
    CallbackEndpointRow,
    "callback_endpoints",
    Index("callback_endpoints_by_account", "account_id", "created_at", "id"),
    # Those that are not removed, which are asked for behind every stretch of the log.
    Index("callback_endpoints_by_end", "removed_at", "created_at", "id"),
    fixed=("account_id", "url", "events", "created_at"),
)
_callback_deliveries = row_table(
    metadata,
    CallbackDeliveryRow,
    "callback_deliveries",
    Index("callback_deliveries_by_endpoint", "endpoint_id", "created_at", "id"),
    Index("callback_deliveries_by_end", "ended_at"),
    fixed=(
        "account_id",
        "endpoint_id",
        "url",
        "type",
        "event_id",
        "event_version",
        "body",
        "created_at",
    ),
)
_channel_accounts = row_table(
    metadata,
    ChannelAccountRow,
    "channel_accounts",
    Index("channel_accounts_by_account", "account_id", "channel_type", "created_at"),
    fixed=("account_id", "created_at"),
)
_consents = row_table(
    metadata,
    ConsentRow,
    "consents",
    Index("consents_by_list", "account_id", "channel", "opt_list", "since", "id"),
    fixed=("account_id", "channel"),
)
_dlt_templates = row_table(
    metadata,
    DltTemplateRow,
    "dlt_templates",
    Index("dlt_templates_by_account", "account_id", "removed_at", "created_at"),
    fixed=("account_id", "template_id", "entity_id", "text", "created_at"),
)
_fallback_configurations = row_table(
    metadata,
    FallbackConfigurationRow,
    "fallback_configurations",
    Index("fallback_configurations_by_account", "account_id", "created_at"),
    fixed=("account_id", "fallback_id", "created_at"),
)
# Asked for by key alone, from the message.
_fallback_runs = row_table(
    metadata,
    FallbackRunRow,
    "fallback_runs",
    fixed=("account_id", "message_id", "fallback_id", "waittime_seconds", "created_at"),
)
_media = row_table(
    metadata,
    MediaRow,
    "media",
    Index("media_by_account", "account_id", "created_at", "id"),
    fixed=("account_id", "name", "content_type", "size", "sha256", "created_at"),
)
# Asked for by key alone, from the token.
_legacy_tokens = row_table(
    metadata,
    LegacyTokenRow,
    "legacy_tokens",
    Index("legacy_tokens_by_end", "expires_at"),
    fixed=("user_id", "generation", "created_at"),
)
_legacy_users = row_table(
    metadata,
    LegacyUserRow,
    "legacy_users",
    Index("legacy_users_by_account", "account_id", "removed_at", "created_at"),
    fixed=("account_id", "email", "created_at"),
)
_messages = row_table(
    metadata,
    MessageRow,
    "messages",
    # The key at the end keeps rows of one time in order, so that no page is ever sorted.
    Index("messages_by_time", "account_id", "created_at", "id"),
    Index("all_messages_by_time", "created_at", "id"),
    # What stands behind the key is there to be looked at, not to be found by.
    Index("messages_by_channel", "account_id", "channel", "created_at", "id", "channel_account_id"),
    Index("messages_by_status", "account_id", "status", "created_at", "id", "channel"),
    # What few messages have, and finds few of them.
    *(
        _index_where_present(each, f"messages_by_{each}", "account_id", each, "created_at", "id")
        for each in ("reference", "resource_type", "tag1", "tag2", "tag3")
    ),
    _index_where_present("callback_url", "messages_called_back", "created_at", "id"),
    Index("messages_by_person", "account_id", "person_canonical", "created_at", "id", "channel"),
    _index_where_present(
        "own_canonical",
        "inbound_messages_by_own",
        "account_id",
        "own_canonical",
        "created_at",
        "id",
        "channel",
    ),
    _index_where_present(
        "own_canonical",
        "inbound_messages_by_person",
        "account_id",
        "person_canonical",
        "channel",
        "created_at",
        "id",
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
        "resource_type",
        "tag1",
        "tag2",
        "tag3",
        "callback_url",
        "created_at",
    ),
)
_message_templates = row_table(
    metadata,
    MessageTemplateRow,
    "message_templates",
    Index("message_templates_by_account", "account_id", "channel", "created_at", "id"),
    Index("message_templates_by_name", "account_id", "channel", "name", "created_at", "id"),
    fixed=(
        "account_id",
        "channel",
        "sender_profile",
        "name",
        "language",
        "category",
        "created_at",
    ),
)
_pin_templates = row_table(
    metadata,
    PinTemplateRow,
    "pin_templates",
    Index("pin_templates_by_account", "account_id", "created_at"),
    fixed=("account_id", "created_at"),
)
# Asked for by key alone, from the code.
_short_links = row_table(
    metadata,
    ShortLinkRow,
    "short_links",
    fixed=("account_id", "message_id", "url", "sealed", "created_at"),
)
_verifications = row_table(
    metadata,
    VerificationRow,
    "verifications",
    Index("verifications_by_time", "created_at"),
    Index("verifications_by_account", "account_id", "created_at"),
    Index("verifications_by_status", "status", "created_at"),
    # The account stands there to be looked at, not to be found by.
    Index("verifications_by_template", "template_id", "created_at", "account_id"),
    Index("verifications_by_destination", "destination_canonical", "created_at"),
    Index("verifications_by_reference", "reference_id", "created_at"),
    Index("verifications_by_expiry", "expires_at"),
    # Of a channel that hardly any PIN has, too. The account is there as in a template's.
    *(
        _partial_index(
            f"verifications_by_{each}",
            Listed(column("channel_names"), each),
            "created_at",
            "account_id",
        )
        for each in Channel
    ),
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
        _media,
        _legacy_tokens,
        _legacy_users,
        _messages,
        _message_templates,
        _pin_templates,
        _short_links,
        _verifications,
    )
}


def row_values(row: Row) -> tuple[str, Sequence[Any]]:
    """Give the name of a row's table, and its values as they are."""
    table = ROW_TABLES[type(row)]
    return table.name, table.values(row)
