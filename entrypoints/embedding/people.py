"""People for embedders: erased on request, and shown (C-74)."""

from __future__ import annotations

from ...application.data_requests.certificate import Certificate
from .leasing import Facade
from .references import Reference, acting_for


class People(Facade):
    """The people whom an account sends to and hears from."""

    async def erase(
        self, *, account: Reference, destination: str, dry_run: bool = False
    ) -> Certificate:
        """
        Erase the person of a destination: no key opens what was stored of the person any more.

        PINs, fallbacks and deliveries end. With `dry_run`, only count. A stranger is no error. If the
        certificate is not `finished`, the worker finishes the erasure. Raises `AccountNotFoundError`
        and `ValidationFailedError`.
        """
        by = await acting_for(self._parts, account)
        return await self._parts.erasing_people.erase(by, destination, dry_run=dry_run)
