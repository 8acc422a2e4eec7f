"""The limits of an account: no account can use up what all of them share (C-94)."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

from attrs import field, frozen

from ..conditions import WithinTotal
from ..limits import FromTo

# The limit of hosted media for an account without one of its own.
DEFAULT_MEDIA_BYTES = 2**30
# Larger integers lose digits in JSON readers that read every number as a float.
_MOST_BYTES = 2**53
# The service cannot predict when a medium will be removed, so clients retry after this time.
MEDIA_RETRY = timedelta(hours=1)


@frozen(kw_only=True)
class AccountLimits:
    """The limits that an operator set. None means no limit; for media it means the default."""

    requests_per_second: int | None = field(default=None, validator=FromTo(1, 100_000))
    stored_bytes_per_day: int | None = field(default=None, validator=FromTo(1, _MOST_BYTES))
    media_bytes: int | None = field(default=None, validator=FromTo(0, _MOST_BYTES))

    @property
    def most_media_bytes(self) -> int:
        """The number of bytes of media that the account may host."""
        return DEFAULT_MEDIA_BYTES if self.media_bytes is None else self.media_bytes


def within_stored_bytes(account_id: str, most: int, at: datetime, *, bounded: bool) -> WithinTotal:
    """Count the bytes that an append stores for an account on this day (UTC); limit them if `bounded`."""
    return WithinTotal(
        f"stored-bytes:{account_id}",
        None,
        most if bounded else None,
        period=at.astimezone(UTC).toordinal(),
        rule="stored_bytes_per_day",
    )


def day_ends_in(at: datetime) -> timedelta:
    """Return the time left until the day (UTC) ends."""
    tomorrow = at.astimezone(UTC).date() + timedelta(days=1)
    return datetime.combine(tomorrow, time(tzinfo=UTC)) - at


def media_bytes(account_id: str) -> str:
    """Return the subject under which the size of an account's media is counted."""
    return f"media-bytes:{account_id}"


def within_media_bytes(account_id: str, more: int, limits: AccountLimits | None) -> WithinTotal:
    """Count more bytes of media for an account, and limit them; without limits, only count them."""
    most = None if limits is None else limits.most_media_bytes
    return WithinTotal(media_bytes(account_id), more, most, rule="media_bytes")
