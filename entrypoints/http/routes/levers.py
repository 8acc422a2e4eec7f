"""What operators take out of strangers' reach: short links and hosted media (C-95)."""

from __future__ import annotations

from ..operating import ACCOUNT_AND_PAGE, acting, listing
from ..route import ACT, READ, About, Route

_LINK = "/admin/v1/short-links/{code}"
_MEDIA = "/admin/v1/media"
_disable_link = acting(lambda service: service.short_links.disable, "code")
_enable_link = acting(lambda service: service.short_links.enable, "code")
_list_media = listing(lambda service: service.hosted_media.list)
_remove_medium = acting(lambda service: service.removing_media.remove)

LEVER_ROUTES = (
    Route("POST", f"{_LINK}/disable", _disable_link, ACT, About.ACCOUNT, bodiless=True),
    Route("POST", f"{_LINK}/enable", _enable_link, ACT, About.ACCOUNT, bodiless=True),
    Route("GET", _MEDIA, _list_media, READ, About.ACCOUNT, ACCOUNT_AND_PAGE),
    Route("DELETE", f"{_MEDIA}/{{id}}", _remove_medium, ACT, About.ACCOUNT, bodiless=True),
)
