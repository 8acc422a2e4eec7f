"""A row of the console's table: where a page or a form stands, and the token that it needs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from aiohttp import web
from attrs import frozen

from ...domain.accounts.token_role import TokenRole
from ..http.route import About
from .visit import Visit

Show = Callable[[Visit], Awaitable[web.StreamResponse]]


@frozen
class Page:
    """
    One page, or what one form posts to.

    `path` is below `/console`. A token that is bound to an account opens no page `about` the store.
    """

    method: str
    path: str
    show: Show
    needs: TokenRole
    about: About = About.ACCOUNT
