"""The data directory at a start: nobody else may write it (D-139)."""

from __future__ import annotations

from ..adapters.private_files import NotPrivateError, check_folder
from .settings import Settings, SettingsError, StoreKind


def check_data_directory(settings: Settings) -> None:
    """
    Refuse a directory that others may write: store, key and hosted files are theirs to replace.

    A store in memory keeps nothing there. Raises `SettingsError`.
    """
    if settings.store_url.kind is StoreKind.MEMORY:
        return
    try:
        check_folder(settings.data_dir, "the data directory")
    except NotPrivateError as error:
        raise SettingsError(str(error)) from None
