"""Access to the service: API keys, operators' tokens, users of the legacy platform."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from aiohttp import web

from ....application.paging import Listed
from ....domain.accounts.api_key import Scope
from ....domain.accounts.token_role import TokenRole
from ....domain.errors import DuplicateNameError, FieldProblem, ValidationFailedError
from ....domain.rate_limit import Duration
from ...http.operator_handlers import acting_for
from ...http.requests import paging_of
from ...http.route import About
from ...wire.operator_tokens import NewToken
from ...wire.structuring import structure
from ...wire.typed_requests import NewKey, NewLegacyUser
from ..forms import Form
from ..page import Page
from ..visit import Visit

_EXPIRIES = (
    ("", "never"),
    ("1d", "in a day"),
    ("7d", "in a week"),
    ("30d", "in 30 days"),
    ("90d", "in 90 days"),
    ("365d", "in a year"),
)


async def access(visit: Visit) -> web.StreamResponse:
    """Lead on to the first list."""
    return visit.redirect("/access/keys", done=visit.request.query.get("done"))


async def keys(visit: Visit) -> web.StreamResponse:
    """List API keys."""
    listed = await visit.service.api_keys.list(visit.account_id, paging_of(visit.request))
    return await _list(visit, "access/keys.html", listed)


async def new_key(visit: Visit, form: Form | None = None) -> web.StreamResponse:
    """Show the form of a new API key."""
    given = Form.of(account=visit.account, scopes=[str(each) for each in Scope])
    return _form(visit, "access/new_key.html", form or given, scopes=tuple(Scope))


async def create_key(visit: Visit) -> web.StreamResponse:
    """Create an API key, and show it once (D-494)."""
    form = visit.form
    data = {
        "account": form.optional("account"),
        "name": form.get("name"),
        "scopes": form.all("scopes"),
        "templateAutoMatch": form.checked("templateAutoMatch"),
    }
    try:
        wanted, ends = structure(data, NewKey), _ends(visit, form)
        created = await visit.service.api_keys.create(
            await acting_for(visit.service, visit.by, wanted.account),
            wanted.name,
            scopes=wanted.scopes,
            template_auto_match=wanted.template_auto_match,
            expires_at=ends,
        )
    except ValidationFailedError as refusal:
        return await new_key(visit, form.with_problems(refusal))
    return visit.show("access/key.html", status=201, record=created.record, text=created.key)


async def revoke_key(visit: Visit) -> web.StreamResponse:
    """Revoke an API key."""
    await visit.service.api_keys.revoke(visit.by, visit.request.match_info["id"])
    return visit.redirect("/access/keys", done="revoked")


async def tokens(visit: Visit) -> web.StreamResponse:
    """List operators' tokens."""
    listed = await visit.service.operator_tokens.list(visit.account_id, paging_of(visit.request))
    return await _list(visit, "access/tokens.html", listed)


async def new_token(visit: Visit, form: Form | None = None) -> web.StreamResponse:
    """Show the form of a new operator's token."""
    given = Form.of(account=visit.account, role=str(TokenRole.AUDITOR), expiresAt="90d")
    return _form(visit, "access/new_token.html", form or given, roles=tuple(TokenRole))


async def create_token(visit: Visit) -> web.StreamResponse:
    """Create an operator's token, and show it once (D-494)."""
    form, service = visit.form, visit.service
    data = {
        "account": form.optional("account"),
        "name": form.get("name"),
        "role": form.get("role"),
        "clear": form.checked("clear"),
    }
    try:
        wanted, ends = structure(data, NewToken), _ends(visit, form)
        account = wanted.account
        created = await service.operator_tokens.create(
            visit.by,
            wanted.name,
            role=wanted.role,
            account_id=account and await service.accounts.resolve(visit.by, account),
            clear=wanted.clear,
            expires_at=ends,
        )
    except ValidationFailedError as refusal:
        return await new_token(visit, form.with_problems(refusal))
    return visit.show(
        "access/token.html",
        status=201,
        record=created.record,
        text=created.token,
        names=await visit.names_of([created.record.account_id]),
    )


async def revoke_token(visit: Visit) -> web.StreamResponse:
    """Revoke an operator's token."""
    await visit.service.operator_tokens.revoke(visit.by, visit.request.match_info["id"])
    return visit.redirect("/access/tokens", done="revoked")


async def users(visit: Visit) -> web.StreamResponse:
    """List users of the legacy platform."""
    listed = await visit.service.legacy_users.list(visit.account_id, paging_of(visit.request))
    return await _list(visit, "access/users.html", listed)


async def new_user(visit: Visit, form: Form | None = None) -> web.StreamResponse:
    """Show the form of a new user of the legacy platform."""
    return _form(visit, "access/new_user.html", form or Form.of(account=visit.account))


async def create_user(visit: Visit) -> web.StreamResponse:
    """Create a user of the legacy platform."""
    form, service = visit.form, visit.service
    data = {
        "account": form.optional("account"),
        "email": form.get("email"),
        # Blanks at its ends belong to a password.
        "password": "".join(form.all("password")),
    }
    try:
        wanted = structure(data, NewLegacyUser)
        by = await acting_for(service, visit.by, wanted.account)
        await service.legacy_users.create(by, email=wanted.email, password=wanted.password)
    except ValidationFailedError as refusal:
        return await new_user(visit, form.with_problems(refusal))
    except DuplicateNameError as refusal:
        taken = ValidationFailedError([FieldProblem("email", refusal.message)])
        return await new_user(visit, form.with_problems(taken))
    return visit.redirect("/access/users", done="created")


async def log_user_out(visit: Visit) -> web.StreamResponse:
    """Revoke the tokens of a user of the legacy platform."""
    await visit.service.legacy_users.revoke_tokens(visit.by, visit.request.match_info["id"])
    return visit.redirect("/access/users", done="logged-out")


async def remove_user(visit: Visit) -> web.StreamResponse:
    """Remove a user of the legacy platform."""
    await visit.service.legacy_users.remove(visit.by, visit.request.match_info["id"])
    return visit.redirect("/access/users", done="removed")


async def _list(visit: Visit, template: str, listed: Listed[Any]) -> web.Response:
    return visit.show(
        template,
        listed=listed.showing(visit.shown),
        names=await visit.names_of(each.account_id for each in listed.data),
        now=visit.service.clock.now(),
        state=state_of,
    )


def _form(visit: Visit, template: str, form: Form, **facts: object) -> web.Response:
    return visit.show(
        template,
        status=400 if form.problems else 200,
        form=form,
        account_names=visit.account_names,
        expiries=_EXPIRIES,
        **facts,
    )


def _ends(visit: Visit, form: Form) -> datetime | None:
    """Return the time at which what the form creates ends, if it ever does."""
    given = form.optional("expiresAt")
    if given is None:
        return None
    try:
        return visit.service.clock.now() + Duration(given).span
    except ValueError as error:
        raise ValidationFailedError([FieldProblem("expires_at", str(error))]) from None


def state_of(record: dict[str, Any], now: str) -> str:
    """Return whether a key or a token, as the API shows it, is active, expired or revoked."""
    if record["revokedAt"] is not None:
        return "revoked"
    ends = record["expiresAt"]
    return "expired" if ends is not None and ends <= now else "active"


ACCESS_PAGES = (
    Page("GET", "/access", access, TokenRole.AUDITOR),
    Page("GET", "/access/keys", keys, TokenRole.AUDITOR),
    Page("GET", "/access/keys/new", new_key, TokenRole.ADMIN),
    Page("POST", "/access/keys/new", create_key, TokenRole.ADMIN),
    Page("POST", "/access/keys/{id}/revoke", revoke_key, TokenRole.ADMIN),
    Page("GET", "/access/tokens", tokens, TokenRole.AUDITOR, About.STORE),
    Page("GET", "/access/tokens/new", new_token, TokenRole.ADMIN, About.STORE),
    Page("POST", "/access/tokens/new", create_token, TokenRole.ADMIN, About.STORE),
    Page("POST", "/access/tokens/{id}/revoke", revoke_token, TokenRole.ADMIN, About.STORE),
    Page("GET", "/access/users", users, TokenRole.AUDITOR),
    Page("GET", "/access/users/new", new_user, TokenRole.ADMIN),
    Page("POST", "/access/users/new", create_user, TokenRole.ADMIN),
    Page("POST", "/access/users/{id}/log-out", log_user_out, TokenRole.ADMIN),
    Page("POST", "/access/users/{id}/remove", remove_user, TokenRole.ADMIN),
)
