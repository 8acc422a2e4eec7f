"""The record of a content that messages of a call share: its event, without a row (C-23)."""

from __future__ import annotations

from ...domain.shared_content import SharedContent, shared_content_decider
from .record import Record

SHARED_CONTENT = Record(decider=shared_content_decider, prefix="cnt", state=SharedContent)
