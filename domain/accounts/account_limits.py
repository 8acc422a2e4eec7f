"""What an account may use, so that one of many does not use up what they share (C-94)."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

from attrs import field, frozen

from ..conditions import WithinTotal
from ..limits import FromTo

# Of hosted media, where an account has no other limit.
DEFAULT_MEDIA_BYTES = 2**30
# Larger numbers lose digits in JSON readers that know floats alone.
_MOST_BYTES = 2**53
# Nobody knows when somebody removes a medium.
MEDIA_RETRY = timedelta(hours=1)


@frozen(kw_only=True)
class AccountLimits:
    """The limits that an operator set; None is no limit, of media the default."""

    requests_per_second: int | None = field(default=None, validator=FromTo(1, 100_000))
    stored_bytes_per_day: int | None = field(default=None, validator=FromTo(1, _MOST_BYTES))
    media_bytes: int | None = field(default=None, validator=FromTo(0, _MOST_BYTES))

    @property
    def most_media_bytes(self) -> int:
        """How many bytes of media the account may have hosted."""
        return DEFAULT_MEDIA_BYTES if self.media_bytes is None else self.media_bytes


def within_stored_bytes(account_id: str, most: int, at: datetime, *, bounded: bool) -> WithinTotal:
    """Count what an append stores for an account on this day (UTC); where it is `bounded`, bound it."""
    return WithinTotal(
        f"stored-bytes:{account_id}",
        None,
        most if bounded else None,
        period=at.astimezone(UTC).toordinal(),
        rule="stored_bytes_per_day",
    )


def day_ends_in(at: datetime) -> timedelta:
    """Return how long the day (UTC) of a time still takes."""
    tomorrow = at.astimezone(UTC).date() + timedelta(days=1)
    return datetime.combine(tomorrow, time(tzinfo=UTC)) - at


def media_bytes(account_id: str) -> str:
    """Name the total of an account's media."""
    return f"media-bytes:{account_id}"


def within_media_bytes(account_id: str, more: int, limits: AccountLimits | None) -> WithinTotal:
    """State that an account has room for more bytes of media; without limits, count them alone."""
    most = None if limits is None else limits.most_media_bytes
    return WithinTotal(media_bytes(account_id), more, most, rule="media_bytes")
