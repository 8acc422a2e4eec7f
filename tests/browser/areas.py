"""Where a crawl of the whole console begins: its menu, and what only a filled form leads to."""

from __future__ import annotations

from tests.browser.served import Served

# Asked for by scripts of a page, or sent as a file: the browser shows no page there.
NO_PAGES = {"/guard/replay/live", "/evidence/proofs/one", "/evidence/proofs/all"}
# No provider of the tea house can be told where to post.
NO_FORMS = {"/channels/{id}/webhook"}


def starts(service: Served, account: str) -> tuple[str, ...]:
    """Return where a crawl of an account's pages begins."""
    pins = service.admin.get("/admin/v1/verifications", account=account, pageSize=1)
    return (
        f"/console?account={account}",
        f"/console/guard/release?account={account}",
        f"/console/evidence/proofs?account={account}&id={pins['data'][0]['pinId']}",
        *(f"/console/templates/{kind}?account={account}" for kind in ("pin/new", "rcs")),
    )
