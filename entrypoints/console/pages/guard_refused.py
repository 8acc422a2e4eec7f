"""The sends that the guard refuses now, and the release of a subject (C-78)."""

from __future__ import annotations

from aiohttp import web
from attrs import evolve

from ....application.guard.listing_refused_sends import RefusedSearch
from ....application.guard.naming_subjects import SubjectNamed
from ....domain.accounts.token_role import TokenRole
from ....domain.errors import ValidationFailedError
from ....domain.guard import Rule, Verdict
from ...wire.searches import refused_search
from ...wire.structuring import structure
from ..forms import Form
from ..page import Page
from ..searching import asked
from ..visit import Visit
from .guard import choose, guarded

# A subject of these is listed as `release` takes it; a person is masked.
_LISTED = {Rule.COUNTRY, Rule.PREFIX, Rule.IP, Rule.ACCOUNT, Rule.CHANNELS}
_COUNTING = [str(rule) for rule in Rule if rule in _LISTED or rule is Rule.GUESSES]


async def refused(visit: Visit) -> web.Response:
    """List what is refused now, or what rules on record would have refused."""
    wanted = asked(visit, RefusedSearch, refused_search)
    form = wanted.form
    search = evolve(wanted.search or RefusedSearch(), account_id=visit.account_id)
    listed = await visit.service.refused_sends.list(search, wanted.paging)
    rows = [visit.shown(each) for each in listed.data]
    return visit.show(
        "guard/refused.html",
        status=400 if form.problems else 200,
        form=form,
        listed=listed,
        rows=rows,
        flagged=search.verdict is Verdict.FLAGGED,
        rules=[("", "every rule"), *((str(rule), str(rule)) for rule in Rule)],
        verdicts=[("", "refused"), (str(Verdict.FLAGGED), "only on record")],
        listed_rules=[str(rule) for rule in _LISTED],
        counting=_COUNTING,
        names=await visit.names_of(each["accountId"] for each in rows),
    )


async def release_form(visit: Visit) -> web.Response:
    """Ask for the subject to release, which may be a destination."""
    query = visit.request.query
    named = {name: query[name] for name in ("rule", "subject") if query.get(name)}
    return await _ask(visit, Form.of(**named))


async def release(visit: Visit) -> web.Response:
    """Begin the count of a subject anew."""
    owner = await guarded(visit)
    if owner is None:
        return choose(visit)
    form = visit.form
    given = {name: form.get(name) for name in ("rule", "subject", "destination") if form.get(name)}
    try:
        named = structure(given, SubjectNamed)
        done = await visit.service.releasing_subjects.release(owner, named)
    except ValidationFailedError as refusal:
        return await _ask(visit, form.with_problems(refusal))
    return visit.redirect(
        "/guard/refused", done="released" if done.released else "nothing-released"
    )


async def _ask(visit: Visit, form: Form) -> web.Response:
    if await guarded(visit) is None:
        return choose(visit)
    return visit.show(
        "guard/release.html", status=400 if form.problems else 200, form=form, rules=_COUNTING
    )


GUARD_REFUSED_PAGES = (
    Page("GET", "/guard/refused", refused, TokenRole.AUDITOR),
    Page("GET", "/guard/release", release_form, TokenRole.OPERATOR),
    Page("POST", "/guard/release", release, TokenRole.OPERATOR),
)
