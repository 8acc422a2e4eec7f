"""`watchword restored`: prepares a restored store for its first start."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

import click

from ....adapters.erasures_file import ErasuresUnreadable, read_erasures
from ....adapters.event_store.sqlite.owner_lock import StoreInUse
from ....application.restoring import Restored
from ...settings import Settings, SettingsError
from ..building.groups import epilog
from ..options.shared import json_option
from ..options.target_options import with_store
from ..output.json_text import echo_json
from ..service.failures import expected_failures
from ..service.target import Target

_NONE = "none"
_MOST_CHARACTERS = 100_000


@click.command(
    short_help="Make a store that was restored from a backup safe to start on.",
    epilog=epilog(
        "watchword restored --fallbacks end --data-dir /var/lib/watchword",
        "watchword restored --fallbacks end --last-head /mnt/heads/latest --data-dir /var/lib/watchword",
        "watchword restored --fallbacks fire --store postgresql://watchword@db/watchword",
        "watchword restored --fallbacks end --remove-callbacks --data-dir /var/lib/watchword",
        "watchword restored --fallbacks end --erasures /srv/erasures.jsonl --data-dir /var/lib/watchword",
    ),
)
@click.option(
    "--fallbacks",
    type=click.Choice(["end", "fire"]),
    required=True,
    help="Of fallbacks that were waiting at the backup: end sends none of them, fire sends each when it is"
    " due, and so sends again what was sent after the backup.",
)
@click.option(
    "--remove-callbacks",
    is_flag=True,
    help="Remove every callback endpoint too: after the loss of a code key, nothing opens its secret.",
)
@click.option(
    "--drop-channel-secrets",
    is_flag=True,
    help="Drop the secrets of every channel account too, because nothing opens them after the loss of a code"
    " key. Their sends are rejected with channel_secret_missing, until an update gives all secrets anew.",
)
@click.option(
    "--drop-people",
    is_flag=True,
    help="Erase every person too, because nothing opens their numbers after the loss of a code key. Opt-outs"
    " are lost with them: have callers post them again before the first send.",
)
@click.option(
    "--last-head",
    metavar="FILE|none",
    help="The last signed head of the log, such as a copy of heads/latest on another machine; none if no head"
    " is left. Wanted once a head was signed: later heads are declared lost, and the next ones have a new"
    " origin.",
)
@with_store
@json_option
def restored(
    target: Target,
    fallbacks: str,
    last_head: str | None,
    remove_callbacks: bool,
    drop_channel_secrets: bool,
    drop_people: bool,
    as_json: bool,
) -> None:
    """
    End the live codes, legacy tokens and console sessions of a restored store, before any node starts on it.

    The store does not know which codes were used, which guesses were spent, and which tokens and sessions
    were ended since the backup. People who were erased since, by the list of --erasures, are erased again.
    Stop all nodes first. The command needs no code key, and may be repeated.
    """
    erasures = _listed(target.settings)
    note = _note(last_head)

    async def run() -> Restored:
        async with target.restoring(erase_people=drop_people) as restoring:
            return await restoring.restored(
                end_runs=fallbacks == "end",
                remove_callbacks=remove_callbacks,
                drop_channel_secrets=drop_channel_secrets,
                erasures=erasures or (),
                last_head=note,
                no_head=last_head == _NONE,
            )

    with expected_failures():
        try:
            done = asyncio.run(run())
        except StoreInUse:
            raise SettingsError(
                f"The store {target.settings.store_url.path} is in use by another process, which may"
                " be taking codes that were used already. Stop it first."
            ) from None
    if erasures is None:
        click.echo(
            f"Nobody was erased again: there is no list of erasures at {target.settings.erasures_file}."
            " If people were erased since the backup, repeat the command with --erasures FILE.",
            err=True,
        )
    if as_json:
        echo_json(done)
        return
    became = "ended" if fallbacks == "end" else "left to fire"
    click.echo(
        f"Live PINs expired: {done.pins}. Unfinished fallback runs {became}: {done.runs}."
        f"{f' Legacy users logged out: {done.legacy_users}.' if done.legacy_users else ''}"
        f"{f' Console sessions ended: {done.console_sessions}.' if done.console_sessions else ''}"
        f"{f' Callback endpoints removed: {done.callbacks}.' if remove_callbacks else ''}"
        f"{f' Channel secrets dropped: {done.channel_accounts}.' if drop_channel_secrets else ''}"
        f"{f' Test destinations removed: {done.test_destinations}.' if done.test_destinations else ''}"
        f"{f' People erased: {done.people}.' if drop_people else ''}"
        f"{f' People erased again: {done.erased_again}.' if done.erased_again else ''}"
        f"{f' The next heads of the log have the origin {done.origin}.' if done.origin else ''}"
        f" Recorded under the request {done.request_id}."
    )


def _note(last_head: str | None) -> str | None:
    """Return the note in the file that was named, if one was."""
    if last_head in (None, _NONE):
        return None
    with expected_failures(), Path(str(last_head)).open(encoding="utf-8", errors="replace") as file:
        # Longer than any head.
        return file.read(_MOST_CHARACTERS)


def _listed(settings: Settings) -> Iterable[str] | None:
    """Return the people of the list of erasures; None if no list is named and the usual one is missing."""
    path = settings.erasures_file
    if settings.erasures is None and not path.exists():
        return None
    with expected_failures():
        try:
            # Read whole once, so that a damaged list changes nothing.
            for _ in read_erasures(path):
                pass
        except ErasuresUnreadable as error:
            raise SettingsError(str(error)) from None
    return read_erasures(path)
