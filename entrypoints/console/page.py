"""A row of the console's table: where a page or a form stands, and the token that it needs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from aiohttp import web
from attrs import field, frozen

from ...domain.accounts.token_role import TokenRole
from ..http.listener.bodies import MAX_BODY
from ..http.route import About
from .visit import Visit

# Most forms have a few fields. What is larger costs more to judge than the event loop may be held (C-94).
MOST_FORM = 64 * 1024
# Forms with a whole template, or a proof.
LONG_FORM = MAX_BODY

Show = Callable[[Visit], Awaitable[web.StreamResponse]]


@frozen
class Page:
    """
    One page, or what one form posts to.

    `path` is below `/console`. A token that is bound to an account opens no page `about` the store. A form
    has `most` bytes.
    """

    method: str
    path: str
    show: Show
    needs: TokenRole
    about: About = About.ACCOUNT
    most: int = field(default=MOST_FORM, kw_only=True)
