"""The read models' tables: what stands in each follows from its rows, what it is found by is said here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Index, Table, column

from ....application.records.account import AccountRow
from ....application.records.api_key import ApiKeyRow
from ....application.records.callback_delivery import CallbackDeliveryRow
from ....application.records.callback_endpoint import CallbackEndpointRow
from ....application.records.channel_account import ChannelAccountRow
from ....application.records.consent import ConsentRow
from ....application.records.dlt_template import DltTemplateRow
from ....application.records.fallback_configuration import FallbackConfigurationRow
from ....application.records.fallback_run import FallbackRunRow
from ....application.records.legacy_token import LegacyTokenRow
from ....application.records.legacy_user import LegacyUserRow
from ....application.records.media import MediaRow
from ....application.records.message import MessageRow
from ....application.records.message_template import MessageTemplateRow
from ....application.records.pin import VerificationRow
from ....application.records.pin_template import PinTemplateRow
from ....application.records.read_model import Row
from ....application.records.short_link import ShortLinkRow
from ....domain.channel import Channel
from .listed_names import ListsName
from .partial_indexes import partial_index
from .row_table import RowTable, row_table
from .tables import metadata


def _index_where_present(present: str, name: str, *columns: str) -> Index:
    """Give an index of the rows alone that have something in a column."""
    return partial_index(name, column(present).is_not(None), *columns)


ROW_TABLES: Mapping[type[Row], RowTable[Any]] = {
    each.rows: each
    for each in (
        row_table(metadata, AccountRow, "accounts", changing=("suspended_at",)),
        row_table(
            metadata,
            ApiKeyRow,
            "api_keys",
            Index("api_keys_by_account", "account_id", "created_at"),
            changing=("last_used_at", "revoked_at"),
        ),
        row_table(
            metadata,
            CallbackEndpointRow,
            "callback_endpoints",
            Index("callback_endpoints_by_account", "account_id", "created_at", "id"),
            # Those that are not removed, which are asked for behind every stretch of the log.
            Index("callback_endpoints_by_end", "removed_at", "created_at", "id"),
            changing=("removed_at",),
        ),
        row_table(
            metadata,
            CallbackDeliveryRow,
            "callback_deliveries",
            Index("callback_deliveries_by_endpoint", "endpoint_id", "created_at", "id"),
            Index("callback_deliveries_by_end", "ended_at"),
            changing=(
                "queued_at",
                "status",
                "attempts",
                "last_status",
                "error",
                "next_attempt_at",
                "ended_at",
            ),
        ),
        row_table(
            metadata,
            ChannelAccountRow,
            "channel_accounts",
            Index("channel_accounts_by_account", "account_id", "channel_type", "created_at"),
        ),
        row_table(
            metadata,
            ConsentRow,
            "consents",
            Index("consents_by_list", "account_id", "channel", "opt_list", "since", "id"),
            changing=("recipient", "opt_list", "since"),
        ),
        row_table(
            metadata,
            DltTemplateRow,
            "dlt_templates",
            Index("dlt_templates_by_account", "account_id", "removed_at", "created_at"),
            changing=("removed_at",),
        ),
        row_table(
            metadata,
            FallbackConfigurationRow,
            "fallback_configurations",
            Index("fallback_configurations_by_account", "account_id", "created_at"),
        ),
        # Asked for by key alone, from the message.
        row_table(
            metadata,
            FallbackRunRow,
            "fallback_runs",
            changing=("status", "deadline", "steps", "updated_at"),
        ),
        row_table(
            metadata,
            MediaRow,
            "media",
            Index("media_by_account", "account_id", "removed_at", "created_at", "id"),
            changing=("removed_at",),
        ),
        # Asked for by key alone, from the token.
        row_table(
            metadata,
            LegacyTokenRow,
            "legacy_tokens",
            Index("legacy_tokens_by_end", "expires_at"),
            changing=("expires_at",),
        ),
        row_table(
            metadata,
            LegacyUserRow,
            "legacy_users",
            Index("legacy_users_by_account", "account_id", "removed_at", "created_at"),
            changing=("removed_at",),
        ),
        row_table(
            metadata,
            MessageRow,
            "messages",
            # The key at the end keeps rows of one time in order, so that no page is ever sorted.
            Index("messages_by_time", "account_id", "created_at", "id"),
            Index("all_messages_by_time", "created_at", "id"),
            # What stands behind the key is there to be looked at, not to be found by.
            Index(
                "messages_by_channel",
                "account_id",
                "channel",
                "created_at",
                "id",
                "channel_account_id",
            ),
            Index("messages_by_status", "account_id", "status", "created_at", "id", "channel"),
            # What few messages have, and finds few of them.
            *(
                _index_where_present(
                    each, f"messages_by_{each}", "account_id", each, "created_at", "id"
                )
                for each in ("reference", "resource_type", "tag1", "tag2", "tag3")
            ),
            _index_where_present("callback_url", "messages_called_back", "created_at", "id"),
            Index(
                "messages_by_person",
                "account_id",
                "person_canonical",
                "created_at",
                "id",
                "channel",
            ),
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
            changing=("status", "events", "updated_at"),
        ),
        row_table(
            metadata,
            MessageTemplateRow,
            "message_templates",
            Index("message_templates_by_account", "account_id", "channel", "created_at", "id"),
            Index("message_templates_by_name", "account_id", "channel", "name", "created_at", "id"),
            changing=("status", "updated_at"),
        ),
        row_table(
            metadata,
            PinTemplateRow,
            "pin_templates",
            Index("pin_templates_by_account", "account_id", "created_at"),
            changing=("name", "name_folded", "status", "status_rank", "archived_at", "updated_at"),
        ),
        # Asked for by key alone, from the code.
        row_table(
            metadata,
            ShortLinkRow,
            "short_links",
            changing=("clicks", "clicked_at", "disabled_at", "switches"),
        ),
        row_table(
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
                partial_index(
                    f"verifications_by_{each}",
                    ListsName(column("channel_names"), each),
                    "created_at",
                    "account_id",
                )
                for each in Channel
            ),
            changing=(
                "key_version",
                "status",
                "attempts_remaining",
                "expires_at",
                "updated_at",
                "superseded_by",
                "channels",
                "channel_names",
            ),
        ),
    )
}

ALL_TABLES: Sequence[Table] = metadata.sorted_tables
