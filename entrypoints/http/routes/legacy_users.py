"""Who may log in to the legacy platform, for operators (C-35, D-100)."""

from __future__ import annotations

from ...wire.typed_requests import NewLegacyUser
from ..operator_handlers import ACCOUNT_AND_PAGE, acting, creating, listing
from ..route import ALL, READ, About, Route

_ALL = "/admin/v1/legacy-users"
_ONE = f"{_ALL}/{{id}}"


_create = creating(
    NewLegacyUser,
    lambda service, by, body: service.legacy_users.create(
        by, email=body.email, password=body.password
    ),
)
_list = listing(lambda service: service.legacy_users.list)
_remove = acting(lambda service: service.legacy_users.remove)
_revoke = acting(lambda service: service.legacy_users.revoke_tokens)

LEGACY_USER_ROUTES = (
    Route("POST", _ALL, _create, ALL, About.ACCOUNT),
    Route("GET", _ALL, _list, READ, About.ACCOUNT, ACCOUNT_AND_PAGE),
    Route("DELETE", _ONE, _remove, ALL, About.ACCOUNT, bodiless=True),
    Route("DELETE", f"{_ONE}/tokens", _revoke, ALL, About.ACCOUNT, bodiless=True),
)
