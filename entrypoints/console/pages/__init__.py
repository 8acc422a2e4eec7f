"""The pages, one file per area. Here are their tables, put together."""

from __future__ import annotations

from ..page import Page
from .access import ACCESS_PAGES
from .callbacks import CALLBACK_PAGES
from .channel_tests import CHANNEL_TEST_PAGES
from .channels import CHANNEL_PAGES
from .evidence import EVIDENCE_PAGES
from .guard import GUARD_PAGES
from .guard_refused import GUARD_REFUSED_PAGES
from .guard_replay import GUARD_REPLAY_PAGES
from .message_templates import MESSAGE_TEMPLATE_PAGES
from .messages import MESSAGE_PAGES
from .overview import OVERVIEW_PAGES
from .phones import PHONE_PAGES
from .pin_templates import PIN_TEMPLATE_PAGES
from .template_drafts import TEMPLATE_DRAFT_PAGES
from .verifications import VERIFICATION_PAGES

PAGES: tuple[Page, ...] = (
    *OVERVIEW_PAGES,
    *VERIFICATION_PAGES,
    *MESSAGE_PAGES,
    *PIN_TEMPLATE_PAGES,
    *MESSAGE_TEMPLATE_PAGES,
    *TEMPLATE_DRAFT_PAGES,
    *GUARD_PAGES,
    *GUARD_REFUSED_PAGES,
    *GUARD_REPLAY_PAGES,
    *CHANNEL_PAGES,
    *CHANNEL_TEST_PAGES,
    *CALLBACK_PAGES,
    *ACCESS_PAGES,
    *EVIDENCE_PAGES,
)
# A sandbox's alone.
SANDBOX_PAGES: tuple[Page, ...] = PHONE_PAGES
