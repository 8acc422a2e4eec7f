"""The loop that looks for what is due."""

from __future__ import annotations

import asyncio

from ...adapters.logs import logger
from ...application.errors import UnavailableError
from ...application.forgetting_answers import ForgettingAnswers
from ...application.recovering_dispatches import BATCH, RecoveringDispatches

# An orphan falls due 30 s after its dispatch began and is to be closed within 60 s (C-65).
LOOK_EVERY_SECONDS = 10.0

_log = logger("watchword.worker")


async def run_worker(recovering: RecoveringDispatches, forgetting: ForgettingAnswers) -> None:
    """Do what is due, again and again, until cancelled."""
    while True:
        try:
            while await recovering.run_due() == BATCH:
                pass
            while await forgetting.run_due():
                pass
        except UnavailableError:
            _log.warning("due_work_waits")
        except Exception as error:
            _log.error("due_work_failed", exc_info=error)
        await asyncio.sleep(LOOK_EVERY_SECONDS)
