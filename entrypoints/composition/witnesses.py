"""Puts the witnesses of the settings beside the sealed log (C-105)."""

from __future__ import annotations

from collections.abc import Sequence

from ...adapters.logs import logger
from ...application.due_work import DueWork
from ...application.evidence.witnesses import Witness
from ...application.evidence.witnessing import Witnessing
from ...application.journal import Journal
from ..addresses.services import is_service_address
from ..settings import Settings, SettingsError
from .ports import Ports

_log = logger("watchword.service")


def find_witnesses(settings: Settings) -> Sequence[Witness]:
    """Return the witnesses of the settings; raises `SettingsError`."""
    where = "witnesses=" if settings.embedded else "--witness"
    found: list[Witness] = []
    for each in settings.witnesses:
        try:
            witness = Witness.parse(each)
        except ValueError as error:
            raise SettingsError(f"{where} cannot be read. {error}") from None
        if not is_service_address(witness.url):
            raise SettingsError(
                f"{where} has {witness.url!r}, which is no address. Give one such as"
                " https://witness.example.com,VKEY."
            )
        if witness in found:
            raise SettingsError(f"{where} has {witness.url} twice.")
        found.append(witness)
    return found


def witnessing(ports: Ports, journal: Journal) -> Sequence[DueWork]:
    """Return the work that asks the witnesses, if there are any."""
    if not ports.witnesses:
        return ()
    return (Witnessing(journal.sealed_log, ports.web, ports.witnesses, _told),)


def _told(witness: str, failure: str | None, status: int | None) -> None:
    if failure is None:
        _log.info("witness_signs", witness=witness)
    else:
        _log.warning("witness_failed", witness=witness, failure=failure, status=status)
