"""Builds the use cases of the legacy platform's users."""

from __future__ import annotations

from attrs import frozen

from ...application.accounts.admitting import Admitting
from ...application.journal import Journal
from ...application.legacy.logging_in import LoggingIn
from ...application.legacy.managing_legacy_users import ManagingLegacyUsers
from ...application.legacy.rating_chats import RatingChats
from ...application.legacy.tokens import Tokens
from ...application.people.people import People
from .ports import Ports


@frozen(kw_only=True)
class LegacyUseCases:
    """The use cases for users, their logins and tokens, and the chats that they rate."""

    users: ManagingLegacyUsers
    logins: LoggingIn
    tokens: Tokens
    ratings: RatingChats

    @classmethod
    def wire(
        cls, ports: Ports, journal: Journal, people: People, admitting: Admitting
    ) -> LegacyUseCases:
        """Build them on the given ports."""
        clock, randomness, hasher = ports.clock, ports.randomness, ports.password_hasher
        tokens = Tokens(journal, randomness, clock, admitting)
        return cls(
            users=ManagingLegacyUsers(journal, hasher, randomness, clock),
            logins=LoggingIn(journal, hasher, ports.fingerprinter, tokens, clock),
            tokens=tokens,
            ratings=RatingChats(journal, people, randomness, clock),
        )
