"""`watchword worker`: does due work, without the HTTP endpoint."""

from __future__ import annotations

from typing import Any

import click

from ....adapters.event_store.sqlite.owner_lock import StoreInUse
from ...serving.endpoint import run
from ...serving.observing import Observing
from ...settings import Settings, SettingsError, StoreKind
from ..building.groups import epilog
from ..options.observing_options import observing_options
from ..options.shared import (
    code_key_options,
    log_key_options,
    option,
    parted,
    private_urls_option,
    provider_option,
    store_options,
    witness_option,
)
from ..service.failures import expected_failures


@click.command(
    short_help="Do what falls due, without the HTTP endpoint.",
    epilog=epilog(
        "watchword worker --data-dir /var/lib/watchword",
        "WATCHWORD_CODE_KEY_FILE=/run/keys/code watchword worker \\\n    --store postgresql://pins@db.example/pins",
    ),
)
@option("--host", default="127.0.0.1", show_default=True, help="Address of --metrics-port.")
@store_options
@option(
    "--sandbox",
    is_flag=True,
    help="The store is a sandbox's: go by its clock, and send to its provider.",
)
@provider_option
@witness_option
@private_urls_option
@observing_options
@code_key_options
@log_key_options
def worker(host: str, **given: Any) -> None:
    """
    Fire fallbacks, deliver callbacks and recover dispatches until SIGTERM, then finish what is under way.

    `watchword serve` does the same work beside the endpoint. This command is one more node for a
    PostgreSQL, which any number may share; a SQLite file belongs to one process, so that there it is
    for a store whose service is down.
    """
    settings, others = parted(Settings, given)
    observing, _ = parted(Observing, others)
    with expected_failures(), observing.log():
        if settings.store_url.kind is StoreKind.MEMORY:
            raise SettingsError(
                "A store in memory is nobody else's: name a service's own with --store or --data-dir."
            )
        # Imported here, so that help does not load the server.
        from ...serving.due_work import work_until_stopped

        try:
            run(work_until_stopped(settings, observing, host))
        except StoreInUse:
            raise SettingsError(
                f"The store {settings.store_url.path} is in use by another process, which does its"
                " due work itself. Stop that first, or let it be."
            ) from None
