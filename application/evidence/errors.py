"""Refusals to sign the log."""

from __future__ import annotations

from ...domain.errors import DomainError


class LogForkedError(DomainError):
    """The log does not extend the last head that was signed of it, so nothing is signed (C-105)."""

    code = "log_forked"

    def __init__(self, origin: str, size: int) -> None:
        super().__init__(
            f"The log does not extend the head of {size} events of {origin}, so nothing is signed. After a"
            " restore, run watchword restored --last-head FILE; else the log was changed.",
            {"origin": origin, "size": size},
        )


class LogDamagedError(DomainError):
    """The log cannot be covered by hashes, or is not what was covered: so nothing is `signed` or `proved`."""

    code = "log_damaged"

    def __init__(self, position: int, refused: str = "signed") -> None:
        super().__init__(
            f"The log is damaged at position {position}, so nothing is {refused}. Run watchword audit check"
            " and watchword audit verify.",
            {"position": position},
        )


class LogKeyMissingError(DomainError):
    """This process has no key that signs the log."""

    code = "log_key_missing"

    def __init__(self) -> None:
        super().__init__(
            "No key of this process signs the log any more. Start it with the key that signs now."
        )


class HeadsOutOfReachError(DomainError):
    """The heads outside the database cannot be read or written, so nothing is signed."""

    code = "heads_out_of_reach"

    def __init__(self, why: str | None = None) -> None:
        super().__init__(
            why
            or "The folder heads in the data directory cannot be read or written, so nothing is signed."
        )


class NotSealedError(DomainError):
    """No head covers these events, and they cannot be sealed from here."""

    code = "log_not_sealed"

    def __init__(self) -> None:
        super().__init__(
            "No head covers all of these events yet. Run watchword audit seal, or try again in a minute."
        )
