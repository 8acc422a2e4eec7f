"""The events of accounts, keys, users and channel accounts in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....domain.accounts.account import (
    AccountCreated,
    AccountLimitsSet,
    AccountResumed,
    AccountSuspended,
)
from ....domain.accounts.api_key import ApiKeyCreated, ApiKeyRevoked, ApiKeyUsed
from ....domain.accounts.channel_account import (
    ChannelAccountCreated,
    ChannelAccountDisabled,
    ChannelAccountEnabled,
    ChannelAccountRevised,
    ChannelAccountTested,
    ChannelSecretsDropped,
)
from ....domain.accounts.console_session import (
    ConsoleSessionBegun,
    ConsoleSessionEnded,
    ConsoleSessionUsed,
)
from ....domain.accounts.fallback_configuration import FallbackConfigurationCreated
from ....domain.accounts.operator_token import (
    OperatorTokenCreated,
    OperatorTokenRevoked,
    OperatorTokenUsed,
)
from ....domain.callback_endpoint import (
    CallbackEndpointCreated,
    CallbackEndpointRemoved,
    CallbackEndpointTested,
    CallbackRedelivered,
)
from ....domain.channel import OutcomeStatus
from ....domain.dlt.template import DltTemplateRegistered, DltTemplateRemoved
from ....domain.event import Event
from ....domain.legacy.chat_rating import ChatRated
from ....domain.legacy.legacy_user import (
    LegacyTokensRevoked,
    LegacyUserCreated,
    LegacyUserRemoved,
)
from .telling import Told, bad, because, channel_words, counted, good, listed, warn


def _tested(event: ChannelAccountTested) -> Told:
    match event.status:
        case OutcomeStatus.ACCEPTED:
            return good(
                "An operator sent a test message through the channel account. It was taken."
            )
        case OutcomeStatus.REJECTED:
            return bad(
                f"A test message through the channel account was rejected{because(event.code)}."
            )
        case _:
            return warn("Nobody knows whether the provider took a test message.")


ACCOUNT_STORIES: Mapping[type[Event], Any] = {
    AccountCreated: lambda event: Told(f"The account {event.name} was created."),
    AccountSuspended: lambda _: warn("The account was suspended. Its calls are refused."),
    AccountResumed: lambda _: good("The account was resumed. Its calls are accepted again."),
    AccountLimitsSet: lambda _: Told("The limits of the account were replaced."),
    ApiKeyCreated: lambda event: Told(
        f"The API key {event.name} was created, for {listed(map(str, event.scopes))}."
    ),
    ApiKeyUsed: lambda _: Told("The API key was used."),
    ApiKeyRevoked: lambda _: warn("The API key was revoked."),
    OperatorTokenCreated: lambda event: Told(
        f"The token {event.name} was created, with the role {event.role}."
    ),
    OperatorTokenUsed: lambda _: Told("The token was used."),
    OperatorTokenRevoked: lambda _: warn("The token was revoked."),
    ConsoleSessionBegun: lambda _: Told("An operator signed in to the console."),
    ConsoleSessionUsed: lambda _: Told("The console was used."),
    ConsoleSessionEnded: lambda _: Told("The session of the console was ended."),
    ChannelAccountCreated: lambda event: Told(
        f"The channel account {event.name} was created for {channel_words(event.channel_type)},"
        f" at the provider {event.provider}."
    ),
    ChannelAccountRevised: lambda event: Told(
        f"The settings of the channel account {event.name} were replaced."
    ),
    ChannelAccountDisabled: lambda _: warn("The channel account was disabled. It sends nothing."),
    ChannelAccountEnabled: lambda _: good("The channel account was enabled. It sends again."),
    ChannelAccountTested: _tested,
    ChannelSecretsDropped: lambda _: bad(
        "The secrets of the channel account were dropped: the code key that opens them is lost."
    ),
    FallbackConfigurationCreated: lambda event: Told(
        f"The fallback configuration {event.fallback_id} was created:"
        f" {listed(map(channel_words, event.steps), last='then')}."
    ),
    CallbackEndpointCreated: lambda event: Told(
        f"A callback endpoint was created, for {counted(len(event.events), 'type')} of events."
    ),
    CallbackEndpointRemoved: lambda _: warn("The callback endpoint was removed."),
    CallbackEndpointTested: lambda event: Told(
        f"A test event was sent to the endpoint, as the delivery {event.delivery_id}."
    ),
    CallbackRedelivered: lambda event: Told(
        f"The delivery {event.delivery_id} was attempted again."
    ),
    DltTemplateRegistered: lambda event: Told(
        f"The DLT template {event.template_id} was registered."
    ),
    DltTemplateRemoved: lambda _: warn("The DLT template was removed."),
    LegacyUserCreated: lambda _: Told("A legacy user was created."),
    LegacyTokensRevoked: lambda _: warn("All tokens of the legacy user were revoked."),
    LegacyUserRemoved: lambda _: warn("The legacy user was removed, with all tokens."),
    ChatRated: lambda _: Told("An end user rated a chat."),
}
