"""The named types of the document by area: the code's own, and those of answers only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tools.openapi.types import (
    audit,
    channel_accounts,
    channel_tests,
    channel_webhooks,
    evidence,
    guard,
    guard_replays,
    guard_subjects,
    legacy,
    log_statistics,
    management,
    media,
    messages,
    people,
    pins,
    rcs_templates,
    rebuilds,
    refusals,
    sandbox,
    sends,
    service,
    statistics,
    tokens,
    whatsapp_sends,
    whatsapp_templates,
)

NAMED: Mapping[str, Any] = {
    **refusals.NAMED,
    **pins.NAMED,
    **management.NAMED,
    **tokens.NAMED,
    **channel_accounts.NAMED,
    **channel_tests.NAMED,
    **channel_webhooks.NAMED,
    **guard.NAMED,
    **messages.NAMED,
    **sends.NAMED,
    **whatsapp_sends.NAMED,
    **media.NAMED,
    **rcs_templates.NAMED,
    **whatsapp_templates.NAMED,
    **people.NAMED,
    **audit.NAMED,
    **log_statistics.NAMED,
    **rebuilds.NAMED,
    **evidence.NAMED,
    **guard_replays.NAMED,
    **guard_subjects.NAMED,
    **statistics.NAMED,
    **legacy.NAMED,
    **sandbox.NAMED,
    **service.NAMED,
}
