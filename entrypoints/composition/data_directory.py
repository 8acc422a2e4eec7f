"""The check at start that only the owner can write the data directory (D-139)."""

from __future__ import annotations

from ...adapters.private_files import NotPrivateError, check_folder
from ..settings import Settings, SettingsError, StoreKind


def check_data_directory(settings: Settings) -> None:
    """
    Refuse a directory that others may write, because they could replace store, key and hosted files.

    A store in memory needs no directory. Raises `SettingsError`.
    """
    if settings.store_url.kind is StoreKind.MEMORY:
        return
    try:
        check_folder(settings.data_dir, "the data directory")
    except NotPrivateError as error:
        raise SettingsError(str(error)) from None
