"""Options that say where the service is, and make a `Target` of it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from ...settings import Settings
from ..service.target import Target
from .shared import address, code_key_options, json_option, option, store_options


def at_a_place(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say where the service is, and hand them over as `target`."""

    @functools.wraps(command)
    def placed(
        url: str | None,
        admin_token: str | None,
        store: str | None,
        data_dir: Path,
        code_key: str | None = None,
        code_key_file: Path | None = None,
        allow_private_urls: bool = False,
        **others: Any,
    ) -> None:
        settings = Settings(
            store=store,
            data_dir=data_dir,
            code_key=code_key,
            code_key_file=code_key_file,
            allow_private_urls=allow_private_urls,
        )
        chosen = None if _store_goes_first() else url
        command(target=Target(url=chosen, admin_token=admin_token, settings=settings), **others)

    with_token = option(
        "--admin-token",
        metavar="TOKEN",
        help="The operator's token. Better in the variable: others can see a command line.",
    )
    with_url = option(
        "--url",
        metavar="URL",
        callback=address,
        help="A running service, such as http://127.0.0.1:8080. Without it, the store is opened.",
    )
    return with_url(with_token(store_options(placed)))


def managing(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of a command that manages something, as `target` and `as_json`."""
    return code_key_options(at_a_place(json_option(command)))


def at_a_store(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that name a store to look into, and hand it over as `target`."""

    @functools.wraps(command)
    def placed(store: str | None, data_dir: Path, **others: Any) -> None:
        settings = Settings(store=store, data_dir=data_dir)
        command(
            target=Target(url=None, admin_token=None, settings=settings, remote=False), **others
        )

    return store_options(placed)


def _store_goes_first() -> bool:
    """Whether the command line names a store, while a URL stands at most in the environment."""
    context = click.get_current_context()

    def typed(name: str) -> bool:
        return context.get_parameter_source(name) is ParameterSource.COMMANDLINE

    named_store = typed("store") or typed("data_dir")
    if named_store and typed("url"):
        raise click.UsageError("--url names a running service, --store and --data-dir a file.")
    return named_store
