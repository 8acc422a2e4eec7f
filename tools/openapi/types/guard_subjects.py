"""What the guard refuses now, and releases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tools.openapi.schemas import narrowed, reference
from watchword.application.guard.listing_refused_sends import RefusedSends
from watchword.application.guard.releasing_subjects import Released
from watchword.domain.guard import Rule
from watchword.entrypoints.wire.typed_requests import SubjectRelease

NAMED: Mapping[str, Any] = {
    "GuardRule": Rule,
    "RefusedSends": narrowed(RefusedSends, rule=reference("GuardRule")),
    "SubjectRelease": SubjectRelease,
    "ReleasedSubject": Released,
}
