"""The routes, one file per area: parse, call the use case, present. Here are their tables, put together."""

from __future__ import annotations

from ..route import OperatorToken, Route
from .callbacks import CALLBACK_ROUTES
from .channel_accounts import CHANNEL_ACCOUNT_ROUTES
from .channel_tests import CHANNEL_TEST_ROUTES
from .docs import DOCS_ROUTES, OPENAPI_ROUTES
from .events import EVENT_ROUTES
from .evidence import EVIDENCE_ROUTES
from .guard import GUARD_ROUTES
from .guard_replays import GUARD_REPLAY_ROUTES
from .guard_subjects import GUARD_SUBJECT_ROUTES
from .health import HEALTH_ROUTES
from .legacy import LEGACY_ROUTES
from .legacy_users import LEGACY_USER_ROUTES
from .log_heads import LOG_HEAD_ROUTES
from .log_statistics import LOG_STATISTICS_ROUTES
from .management import MANAGEMENT_ROUTES
from .media import MEDIA_ROUTES
from .message_history import MESSAGE_HISTORY_ROUTES
from .message_reports import MESSAGE_REPORT_ROUTES
from .message_templates import MESSAGE_TEMPLATE_ROUTES
from .messages import MESSAGE_ROUTES
from .opt_lists import OPT_LIST_ROUTES
from .people import PEOPLE_ROUTES
from .pin_templates import PIN_TEMPLATE_ROUTES
from .pins import PIN_ROUTES
from .provider_webhooks import PROVIDER_WEBHOOK_ROUTES
from .rebuilds import REBUILD_ROUTES
from .sandbox import sandbox_routes
from .short_links import SHORT_LINK_ROUTES
from .statistics import STATISTICS_ROUTES
from .template_reviews import TEMPLATE_REVIEW_ROUTES
from .test_destinations import TEST_DESTINATION_ROUTES
from .tokens import TOKEN_ROUTES
from .verifications import VERIFICATION_ROUTES

__all__ = [
    "CALLER_ROUTES",
    "HEALTH_ROUTES",
    "LEGACY_ROUTES",
    "OPENAPI_ROUTES",
    "OPERATOR_ROUTES",
    "SANDBOX_OPERATOR_ROUTES",
    "SANDBOX_ROUTES",
]

_ROUTES: tuple[Route, ...] = (
    *HEALTH_ROUTES,
    *DOCS_ROUTES,
    *OPENAPI_ROUTES,
    *PIN_ROUTES,
    *MESSAGE_ROUTES,
    *MESSAGE_HISTORY_ROUTES,
    *MESSAGE_REPORT_ROUTES,
    *SHORT_LINK_ROUTES,
    *OPT_LIST_ROUTES,
    *MESSAGE_TEMPLATE_ROUTES,
    *MEDIA_ROUTES,
    *PROVIDER_WEBHOOK_ROUTES,
    *MANAGEMENT_ROUTES,
    *TOKEN_ROUTES,
    *CHANNEL_ACCOUNT_ROUTES,
    *CHANNEL_TEST_ROUTES,
    *PIN_TEMPLATE_ROUTES,
    *CALLBACK_ROUTES,
    *TEMPLATE_REVIEW_ROUTES,
    *LEGACY_USER_ROUTES,
    *VERIFICATION_ROUTES,
    *PEOPLE_ROUTES,
    *GUARD_SUBJECT_ROUTES,
    *GUARD_REPLAY_ROUTES,
    *STATISTICS_ROUTES,
    *GUARD_ROUTES,
    *TEST_DESTINATION_ROUTES,
    *EVENT_ROUTES,
    *LOG_STATISTICS_ROUTES,
    *REBUILD_ROUTES,
    *EVIDENCE_ROUTES,
    *LOG_HEAD_ROUTES,
)
OPERATOR_ROUTES = tuple(each for each in _ROUTES if isinstance(each.needs, OperatorToken))
CALLER_ROUTES = tuple(each for each in _ROUTES if each not in OPERATOR_ROUTES)
# They stand under /admin/v1 like the rest of C-35 to C-39, and at the short path (D-8).
SANDBOX_ROUTES: tuple[Route, ...] = sandbox_routes("/sandbox")
SANDBOX_OPERATOR_ROUTES: tuple[Route, ...] = sandbox_routes("/admin/v1/sandbox")
