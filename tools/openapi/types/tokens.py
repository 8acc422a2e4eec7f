"""The types of operators' tokens."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypedDict

from tools.openapi.limits import limits_of
from tools.openapi.schemas import Joined, narrowed
from watchword.application.operators.views import OperatorTokenView
from watchword.domain.accounts.token_role import TokenRole
from watchword.domain.naming import a_name
from watchword.entrypoints.wire.operator_tokens import NewToken, Whoami


class MadeToken(TypedDict):
    """A new token."""

    token: str


_TOKEN = narrowed(OperatorTokenView, role=TokenRole)

NAMED: Mapping[str, Any] = {
    "TokenRole": TokenRole,
    "NewToken": narrowed(NewToken, name=limits_of(a_name, {"type": "string"})),
    "TokenRecord": _TOKEN,
    "NewTokenRecord": Joined(_TOKEN, MadeToken),
    "Whoami": narrowed(Whoami, expiresAt=datetime),
}
