"""Stay bound for all channel accounts of the provider, also for those that are made later (D-263)."""

from __future__ import annotations

import asyncio

from ....application.errors import UnavailableError
from ....application.ports.channels import Context
from ...logs import located, logger
from .bound_accounts import BoundAccounts
from .timings import Timings

_log = logger("watchword.smpp")


class Listening:
    """Looks at the channel accounts again and again, until it is stopped."""

    def __init__(self, context: Context, accounts: BoundAccounts, timings: Timings) -> None:
        self._context = context
        self._accounts = accounts
        self._timings = timings
        self._task = asyncio.create_task(self._watch())

    async def stop(self) -> None:
        """Look no more."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _watch(self) -> None:
        while True:
            try:
                self._accounts.stand(await self._context.accounts())
            except UnavailableError:
                # Those that are bound stay so; the store is back some time.
                pass
            except Exception as error:
                # Nobody would notice the end of this task. A config may be quoted in the error's text.
                _log.error("smpp_accounts_not_read", **located(error))
            await asyncio.sleep(self._timings.look)
