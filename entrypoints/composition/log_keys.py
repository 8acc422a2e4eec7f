"""Finds or creates the key that signs the log, and checks it against the history of the log (C-105)."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from ...adapters.evidence.log_keys import (
    LOG_KEY_HINT,
    LogKey,
    LogKeyError,
    check_log_name,
    make_log_key,
    parse_log_keys,
    read_log_keys,
)
from ...adapters.evidence.note_signer import NoteSigner
from ...application.evidence.keeping_keys import log_history
from ...application.journal import Journal
from ...application.ports.event_store import EventStore
from ...domain.log_history import LogHistory
from ...verify_evidence import Verifier
from ..settings import Settings, StoreKind

_STORE_ID = "store_id"


async def find_signer(settings: Settings, store: EventStore) -> NoteSigner:
    """
    Return what signs the log: the keys of the settings, of the named file, or of the data directory.

    A store in memory gets a key in memory. On PostgreSQL all nodes share one key, so it must be given,
    except for a sandbox. A log that was signed needs a key again, so none is made for it. Raises
    `LogKeyError`.
    """
    history = await log_history(Journal(store))
    keys = _given(settings)
    if keys is None:
        name = settings.log_origin or await _store_id(store)
        keys = _own(settings, name, history)
    _check(settings, keys, history)
    return NoteSigner(keys)


def new_log_key(name: str | None) -> str:
    """Return a new private key as a line; raises `LogKeyError` for a name that no key can have."""
    return LogKey.new(_random_name() if name is None else name).text


def _given(settings: Settings) -> Sequence[LogKey] | None:
    if settings.log_key:
        try:
            return parse_log_keys(settings.log_key)
        except LogKeyError as error:
            argument = "log_key= cannot be read. " if settings.embedded else ""
            raise LogKeyError(f"{argument}{error}") from None
    if settings.log_key_file:
        if not settings.log_key_file.exists():
            raise LogKeyError(f"There is no log key file at {settings.log_key_file}.")
        return read_log_keys(settings.log_key_file)
    return None


def _own(settings: Settings, name: str, history: LogHistory | None) -> Sequence[LogKey]:
    """Return the keys of the data directory; make one for a log that was never signed."""
    kind = settings.store_url.kind
    if kind is StoreKind.MEMORY:
        return [LogKey.new(name)]
    how = (
        "Give it as log_key=."
        if settings.embedded
        else "Set WATCHWORD_LOG_KEY, or name a file with --log-key-file."
    )
    if kind is StoreKind.POSTGRESQL and not settings.sandbox:
        raise LogKeyError(
            "All nodes on one PostgreSQL sign its log with the same key, so none is made here."
            f" {how} {LOG_KEY_HINT}"
        )
    key_file = settings.data_dir / "log.key"
    if not key_file.exists():
        if history is not None and history.keys:
            raise LogKeyError(
                f"The log of the store was signed, and its key, {key_file}, is missing. Restore the file,"
                f" or bring the key in another way. {how} If the key is lost, bring a new one of the name"
                f" {_name_in(history)}. {LOG_KEY_HINT} {_name_in(history)}"
            )
        make_log_key(key_file, name)
    return read_log_keys(key_file)


def _check(settings: Settings, keys: Sequence[LogKey], history: LogHistory | None) -> None:
    name = keys[0].name
    if settings.log_origin is not None:
        check_log_name(settings.log_origin)
        if settings.log_origin != name:
            raise LogKeyError(
                f"The log's key has the name {name}, and --log-origin is {settings.log_origin}: they must"
                " be the same."
            )
    if history is None:
        return
    if history.keys and _name_in(history) != name:
        raise LogKeyError(
            f"This log has the name {_name_in(history)}, and the key is one of {name}. Bring the log's own"
            f" key, or a new one of its name. {LOG_KEY_HINT} {_name_in(history)}"
        )
    if all(each.verifier.vkey in history.retired for each in keys):
        raise LogKeyError("The log's key was retired. Bring the one that signs now.")


def _name_in(history: LogHistory) -> str:
    return Verifier.parse(history.keys[0].log_key).name


async def _store_id(store: EventStore) -> str:
    return await store.keep_setting(_STORE_ID, _random_name(), only_new=True)


def _random_name() -> str:
    return f"watchword-{secrets.token_hex(8)}"
