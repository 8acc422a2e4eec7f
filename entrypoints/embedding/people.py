"""People for embedders: erased on request, and shown (C-74)."""

from __future__ import annotations

from typing import Any

from ...application.data_requests.certificate import Certificate
from ..data_requests.person_records import person_record
from ..wire.structuring import structure
from ..wire.typed_requests import Erasure, PersonQuestion
from .leasing import Facade
from .references import Reference, acting_for


class People(Facade):
    """The people whom an account sends to and hears from."""

    async def erase(
        self, *, account: Reference, destination: str, dry_run: bool = False
    ) -> Certificate:
        """
        Erase the person of a destination: no key opens what was stored of the person any more.

        PINs, fallbacks and deliveries end. With `dry_run`, only count. An unknown person is no
        error. If the certificate is not `finished`, the worker finishes the erasure. Raises
        `AccountNotFoundError` and `ValidationFailedError`.
        """
        # Only False erases: nothing undoes it, so what is no bool is refused.
        asked = structure({"destination": destination, "dryRun": dry_run}, Erasure)
        by = await acting_for(self._parts, account)
        return await self._parts.erasing_people.erase(by, asked.destination, dry_run=asked.dry_run)

    async def show(self, *, account: Reference, destination: str) -> dict[str, Any]:
        """
        Return everything stored of the person of a destination, in the spelling of the HTTP endpoint.

        Codes and hashes read `***`. Raises `PersonNotFoundError`, `AccountNotFoundError` and
        `ValidationFailedError`.
        """
        asked = structure({"destination": destination}, PersonQuestion)
        by = await acting_for(self._parts, account)
        person = await self._parts.showing_people.show(by.account_id, asked.destination)
        return await person_record(person)
