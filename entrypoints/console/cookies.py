"""The console's cookies: the session's secret, and what proves that a form came from our page."""

from __future__ import annotations

import hashlib
import hmac
import secrets

from aiohttp import web
from attrs import frozen

from ...domain.accounts.api_key import ForbiddenError

CSRF_FIELD = "csrf"


class OtherSiteError(ForbiddenError):
    """A form was posted by no page of this console, or by one of another session."""

    def __init__(self) -> None:
        super().__init__(
            "The form does not belong to this session. Go back, reload and send again."
        )


@frozen
class Cookies:
    """
    Sets and reads cookies under `path`, the path of the console as browsers see it.

    Over TLS their names begin with `__Host-`, which browsers accept from this host alone, for every path.
    """

    path: str
    secure: bool

    def session(self, request: web.Request) -> str | None:
        """Return the secret of the session."""
        return request.cookies.get(self._name("watchword-session"))

    def set_session(self, response: web.StreamResponse, secret: str) -> None:
        """Keep the secret of a session until the browser closes."""
        self._set(response, "watchword-session", secret)

    def drop_session(self, response: web.StreamResponse) -> None:
        """Forget the session."""
        response.del_cookie(
            self._name("watchword-session"),
            path=self._path,
            secure=self.secure,
            httponly=True,
            samesite="Strict",
        )

    def visitor(self, request: web.Request) -> str | None:
        """Return the random text of whoever has not signed in yet."""
        return request.cookies.get(self._name("watchword-visitor"))

    def set_visitor(self, response: web.StreamResponse, text: str) -> None:
        """Keep the random text of a visitor, which ties the form of the log-in to the browser."""
        self._set(response, "watchword-visitor", text)

    @property
    def _path(self) -> str:
        return "/" if self.secure else self.path

    def _name(self, name: str) -> str:
        return f"__Host-{name}" if self.secure else name

    def _set(self, response: web.StreamResponse, name: str, value: str) -> None:
        response.set_cookie(
            self._name(name),
            value,
            path=self._path,
            secure=self.secure,
            httponly=True,
            samesite="Strict",
        )


def new_visitor() -> str:
    """Return a random text for a visitor."""
    return secrets.token_urlsafe(32)


def csrf_of(secret: str) -> str:
    """Return the text that a form must post; only a page that was shown to the cookie's owner has it."""
    # What comes in a cookie may be any bytes; those that are no text were read as half surrogates.
    key = secret.encode(errors="surrogatepass")
    return hmac.new(key, b"watchword console form", hashlib.sha256).hexdigest()


def check_csrf(request: web.Request, secret: str | None, given: str) -> None:
    """
    Raise `OtherSiteError` for a form that was not posted by a page of the owner of a secret.

    Whoever has no secret was shown no page: of no secret at all, anybody could make the text.
    """
    # Browsers say so themselves; a client that says nothing still needs the text.
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        raise OtherSiteError
    if not secret or not hmac.compare_digest(csrf_of(secret).encode(), given.encode()):
        raise OtherSiteError
