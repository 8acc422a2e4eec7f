"""The records that operators manage."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypedDict

from tools.openapi.limits import limits_of
from tools.openapi.schemas import Count, Joined, answered, narrowed, or_null, reference, words
from watchword.application.accounts.managing_accounts import EffectiveLimits
from watchword.application.accounts.views import (
    AccountView,
    ApiKeyView,
    DltTemplateView,
    FallbackConfigurationView,
)
from watchword.application.callbacks.deliveries import (
    ENDPOINT_REMOVED,
    NOT_2XX,
    SECRET_UNREADABLE,
    DeliveryStatus,
)
from watchword.application.callbacks.views import (
    CallbackView,
    DeliveryRequest,
    DeliveryView,
    SentTest,
    WholeDelivery,
)
from watchword.application.legacy.views import LegacyUserView
from watchword.application.media.views import MediaView
from watchword.application.ports.web import WebFailure
from watchword.application.short_links.views import ShortLinkView
from watchword.application.test_destinations.views import TestDestinationView
from watchword.domain.accounts.account_limits import AccountLimits
from watchword.domain.accounts.api_key import Scope
from watchword.domain.accounts.fallback_configuration import few_steps
from watchword.domain.callback_endpoint import ACCOUNTS_PATTERNS, OPERATORS_PATTERNS, CallbackType
from watchword.domain.channel import MESSAGE_CHANNELS
from watchword.domain.naming import a_name
from watchword.domain.person import PERSON_ERASED
from watchword.domain.public_url import MAX_URL
from watchword.domain.retention import Retention
from watchword.entrypoints.wire.typed_requests import (
    NewAccount,
    NewCallback,
    NewDltTemplate,
    NewFallbackConfiguration,
    NewKey,
    NewLegacyUser,
    NewTestDestination,
)


class MadeKey(TypedDict):
    """A new key."""

    key: str


class CallbackBody(TypedDict):
    """The body of a callback."""

    type: CallbackType
    timestamp: datetime
    data: Mapping[str, Any]


# The failures of a callback's call. Failures of content do not apply, because the answer's body is ignored.
_CALL_FAILURES = (
    WebFailure.ADDRESS_REFUSED,
    WebFailure.NAME_UNKNOWN,
    WebFailure.CONNECTION_FAILED,
    WebFailure.TLS_FAILED,
    WebFailure.NO_ANSWER,
    WebFailure.TIMEOUT,
)
_SOME = {"minItems": 1}
_DELIVERY: Mapping[str, Any] = {
    "type": reference("CallbackType"),
    "status": DeliveryStatus,
    "error": or_null(
        words([*_CALL_FAILURES, NOT_2XX, SECRET_UNREADABLE, ENDPOINT_REMOVED, PERSON_ERASED])
    ),
}

_KEY = narrowed(ApiKeyView, scopes=tuple[Scope, ...])

NAMED: Mapping[str, Any] = {
    "NewAccount": NewAccount,
    "Account": AccountView,
    "AccountLimits": AccountLimits,
    "EffectiveAccountLimits": EffectiveLimits,
    "Retention": Retention,
    "Scope": Scope,
    "NewApiKey": narrowed(
        NewKey,
        name=limits_of(a_name, {"type": "string"}),
        scopes={"type": ["array", "null"], "items": reference("Scope"), **_SOME},
    ),
    "ApiKeyRecord": _KEY,
    "NewApiKeyRecord": Joined(_KEY, MadeKey),
    "CallbackType": CallbackType,
    "CallbackPattern": words([*ACCOUNTS_PATTERNS, *OPERATORS_PATTERNS]),
    "NewCallback": narrowed(
        NewCallback,
        url={"type": "string", "format": "uri", "maxLength": MAX_URL},
        events={"type": ["array", "null"], "items": reference("CallbackPattern"), **_SOME},
        secret={"type": ["string", "null"], "pattern": "^whsec_[A-Za-z0-9+/]+=*$"},
    ),
    "CallbackRecord": answered(
        CallbackView,
        events={"type": "array", "items": reference("CallbackPattern")},
        secret={"type": "string"},
    ),
    "DeliveryStatus": DeliveryStatus,
    "Delivery": narrowed(DeliveryView, **_DELIVERY),
    "DeliveryRequest": narrowed(DeliveryRequest, body=or_null(reference("CallbackBody"))),
    "WholeDelivery": narrowed(WholeDelivery, **_DELIVERY, request=reference("DeliveryRequest")),
    "SentTest": SentTest,
    "CallbackBody": CallbackBody,
    "FallbackChannel": words([*MESSAGE_CHANNELS[:2], "wa", *MESSAGE_CHANNELS[2:]]),
    "NewFallbackConfiguration": narrowed(
        NewFallbackConfiguration,
        steps=limits_of(
            few_steps,
            {"type": "array", "items": reference("FallbackChannel")},
        ),
    ),
    "FallbackConfiguration": FallbackConfigurationView,
    "NewDltTemplate": NewDltTemplate,
    "DltTemplate": DltTemplateView,
    "NewLegacyUser": NewLegacyUser,
    "LegacyUser": LegacyUserView,
    "NewTestDestination": NewTestDestination,
    "TestDestination": TestDestinationView,
    "ShortLink": narrowed(ShortLinkView, clicks=Count),
    "Medium": narrowed(MediaView, size=Count),
}
