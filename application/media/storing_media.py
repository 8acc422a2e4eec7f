"""Host one file: an uploaded one, or the file at a URL (SPEC A3, C-25)."""

from __future__ import annotations

from ...domain.accounts.account import account_decider
from ...domain.accounts.account_limits import MEDIA_RETRY, media_bytes
from ...domain.errors import (
    DomainError,
    FieldProblem,
    RateLimitedError,
    ValidationFailedError,
)
from ...domain.media import EmptyFileError
from ...domain.public_url import url_file_name
from ..caller import Caller
from ..journal import Journal
from ..ports.clock import Clock
from ..ports.web import Web, WebError, WebFailure
from ..records.media import media_row
from .receiving_media import ReceivedFile, Upload
from .views import MediaView

_REASONS = {
    WebFailure.NAME_UNKNOWN: "its host has no address",
    WebFailure.CONNECTION_FAILED: "nothing could be connected to at its host",
    WebFailure.TLS_FAILED: "its host has no valid certificate",
    WebFailure.NO_ANSWER: "its host broke off",
    WebFailure.TIMEOUT: "its host took too long",
    WebFailure.STATUS: "its host gave no file, but another status than 200",
    WebFailure.CODED: "its host sent it coded, though asked to send it as it is",
    WebFailure.TOO_MANY_REDIRECTS: "its host sent us round too many redirects",
}


class MediaUrlFailedError(DomainError):
    """A URL could be called, but returned no file (SPEC section 7, C-58)."""

    code = "unavailable"

    def __init__(self, failure: WebFailure) -> None:
        super().__init__(
            f"The url could not be fetched: {_REASONS[failure]}. Try again, or send the file itself."
        )


class StoringMedia:
    """Stores a received file in an append of its own."""

    def __init__(self, journal: Journal, web: Web, clock: Clock) -> None:
        self._journal = journal
        self._web = web
        self._clock = clock

    async def require_room(self, by: Caller) -> None:
        """
        Raise `RateLimitedError` if an account has no room for another byte.

        The check spares an upload whose append would be refused; the append decides.
        """
        account = (await self._journal.load(account_decider, by.account_id)).state
        if (
            await self._journal.position(media_bytes(by.account_id))
            >= account.limits.most_media_bytes
        ):
            raise RateLimitedError("media_bytes", MEDIA_RETRY)

    async def fetch(self, upload: Upload, url: str) -> ReceivedFile:
        """
        Receive the file at a URL.

        Raises `ValidationFailedError` for a URL that must not be called or that returns an empty
        file, `MediaUrlFailedError` for one that returns no file, and the errors of
        `Upload.receive`.
        """
        try:
            async with self._web.get(url) as content:
                return await upload.receive(
                    content.chunks, name=url_file_name(url), content_type=content.content_type
                )
        except EmptyFileError:
            problem = FieldProblem("url", "must lead to a file that is not empty")
            raise ValidationFailedError([problem]) from None
        except WebError as error:
            if error.failure is WebFailure.ADDRESS_REFUSED:
                refusal = await self._web.refusal(url) or "must lead to a public address"
                raise ValidationFailedError([FieldProblem("url", refusal)]) from None
            raise MediaUrlFailedError(error.failure) from None

    async def store(self, by: Caller, upload: Upload, received: ReceivedFile) -> MediaView:
        """Keep a received file; it can be fetched on return."""
        now = self._clock.now()
        async with upload.keeping(now, received) as kept:
            (stored,) = await upload.counted(self._journal, kept)
            await self._journal.write(by, now, stored, bounded=True)
        return MediaView.of(media_row(stored.stream, stored.state))
