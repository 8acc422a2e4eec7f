"""The schemas of pages: the envelope of SPEC 2.8 around records of one type."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tools.openapi.schemas import Count, Types, an_object, reference
from watchword.application.paging import MAX_PAGE_SIZE
from watchword.application.searches import COUNTED_TO

_PAGE, _COUNTED_PAGE = "Page", "CountedPage"
_COUNT = Types({}).schema(Count)
_ENVELOPE: dict[str, Any] = {
    "page": {"type": "integer", "minimum": 1},
    "pageSize": {"type": "integer", "minimum": 1, "maximum": MAX_PAGE_SIZE},
    "total": _COUNT,
    "totalPages": {**_COUNT, "description": "0 when there is nothing."},
}
_EXACT = {
    "type": "boolean",
    "description": f"False where `total` is {COUNTED_TO:,} and stands for as many or more: longer lists"
    " are not counted. Narrow by `from` and `to`.",
}


def pages(references: Iterable[str]) -> dict[str, Any]:
    """Return the schema of every referenced page, such as `AccountPage` or `MessageCountedPage`."""
    names = {each.rpartition("/")[2] for each in references}
    return {
        name: _page(name.removesuffix(suffix), counted=suffix == _COUNTED_PAGE)
        for name in sorted(names)
        if name.endswith(_PAGE) and name != "OptListPage"
        for suffix in (_COUNTED_PAGE if name.endswith(_COUNTED_PAGE) else _PAGE,)
    }


def _page(item: str, *, counted: bool) -> dict[str, Any]:
    exact = {"totalIsExact": _EXACT} if counted else {}
    return an_object({**_ENVELOPE, **exact, "data": {"type": "array", "items": reference(item)}})
