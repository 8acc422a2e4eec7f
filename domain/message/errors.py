"""The refusals about messages."""

from __future__ import annotations

from ..errors import NotFoundError


class MessageNotFoundError(NotFoundError):
    """No provider has a message of this id."""

    code = "message_not_found"

    def __init__(self) -> None:
        super().__init__(
            "No provider has a message of this id. Take one from an accepted entry of a send."
        )
