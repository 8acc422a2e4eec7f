"""
Searches of lists, by the filters of the API (C-37).

What tells of a person comes in the body of a form: an address would keep it in histories and logs (C-73).
Every other filter stands in the address, so that it can be shared (D-501).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

import attrs
from aiohttp.hdrs import METH_POST
from attrs import AttrsInstance, frozen

from ...application.paging import DEFAULT_PAGE_SIZE, Paging
from ...domain.errors import FieldProblem, ValidationFailedError
from ..http.requests import integer
from ..wire.searches import names_of, parameters, read_query
from .forms import Form
from .visit import Visit

S = TypeVar("S")
_ACCOUNT = "account"


@frozen(kw_only=True)
class Asked(Generic[S]):
    """
    What a visitor searches for.

    `search` is None if a filter cannot be read; the form then says why. `given` are the filters as they came.
    """

    form: Form
    search: S | None
    paging: Paging
    given: Mapping[str, str]
    personal: Sequence[str]

    @property
    def narrows(self) -> bool:
        """Whether there is a filter."""
        return bool(self.given)

    @property
    def about_people(self) -> bool:
        """Whether a filter tells of a person."""
        return not self.given.keys().isdisjoint(self.personal)

    @property
    def posted_pages(self) -> Mapping[str, str] | None:
        """The fields that a form posts again for another page; None if the address has all of them."""
        return {**self.given, "pageSize": str(self.paging.page_size)} if self.about_people else None

    def refused(self, refusal: ValidationFailedError) -> Form:
        """Return the form with the problems of a refusal, by their names on the wire."""
        return self.form.with_problems(refusal)


def asked(
    visit: Visit,
    kind: type[AttrsInstance],
    read: Callable[[dict[str, Any]], S],
) -> Asked[S]:
    """
    Read a search from the form that was posted, or from the address.

    `kind` declares its filters. The account is chosen above the page, so it is none of them.
    """
    names = [each for each in names_of(kind) if each != _ACCOUNT]
    form = visit.form if visit.request.method == METH_POST else Form.of_query(visit.request)
    given = {name: form.get(name) for name in names if form.get(name)}
    page, size = form.get("page"), form.get("pageSize")
    paging = Paging.clamped(integer(page, 1), integer(size, DEFAULT_PAGE_SIZE))
    try:
        search = read_query(given, kind, read)
    except ValidationFailedError as refusal:
        return Asked(
            form=form.with_problems(refusal),
            search=None,
            paging=paging,
            given=given,
            personal=_personal(kind),
        )
    return Asked(form=form, search=search, paging=paging, given=given, personal=_personal(kind))


async def account_of(visit: Visit, *personal: str | None) -> str | None:
    """
    Return the account that is searched: the chosen one or the only one, among which there is no choice.

    Raises `ValidationFailedError` if one of several has to be chosen, because the search is by something
    `personal` (C-100). A sandbox's own account, which the API takes then, is not what "all" says above the
    page (D-546).
    """
    if visit.account_id is not None:
        return visit.account_id
    if (alone := await visit.only_account()) is not None:
        return alone.id
    if any(personal):
        problem = FieldProblem(_ACCOUNT, "is required to search by a number or a reference")
        raise ValidationFailedError([problem])
    return None


def _personal(kind: type[AttrsInstance]) -> Sequence[str]:
    """Return the names of filters that tell of a person: those that `repr` hides."""
    hidden = {each.name for each in attrs.fields(kind) if each.repr is False}
    return [name for each in parameters(kind) if each.field in hidden for name in each.names]
