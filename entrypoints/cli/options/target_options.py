"""Options that name the service or the store, and make a `Target` of them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import click
from click.core import ParameterSource

from ...settings import Settings
from ..service.target import Target
from .shared import (
    address,
    code_key_options,
    hidden_log_key_options,
    json_option,
    option,
    parted,
    receipt_key_options,
    store_options,
    together,
)

_service_options = together(
    option(
        "--url",
        metavar="URL",
        callback=address,
        help="A running service, such as http://127.0.0.1:8080. Without it, the store is opened.",
    ),
    option(
        "--admin-token",
        metavar="TOKEN",
        help="An operator's token. Better in the variable: others can see a command line.",
    ),
)


def with_target(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that name the service or its store, and pass them on as `target`."""

    @functools.wraps(command)
    def aimed(url: str | None, admin_token: str | None, **given: Any) -> None:
        settings, others = parted(Settings, given)
        chosen = None if _store_goes_first() else url
        command(target=Target(url=chosen, admin_token=admin_token, settings=settings), **others)

    keys = together(code_key_options, receipt_key_options, hidden_log_key_options)
    return _service_options(store_options(keys(aimed)))


def managing(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of a command that manages records; it gets `target` and `as_json`."""
    return with_target(json_option(command))


def with_store(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that name a store to open, and pass them on as `target`."""

    @functools.wraps(command)
    def aimed(**given: Any) -> None:
        settings, others = parted(Settings, given)
        target = Target(url=None, admin_token=None, settings=settings, remote=False)
        command(target=target, **others)

    return store_options(code_key_options(hidden_log_key_options(aimed)))


def _store_goes_first() -> bool:
    """Whether the command line names a store; a URL in the environment then does not count."""
    context = click.get_current_context()

    def typed(name: str) -> bool:
        return context.get_parameter_source(name) is ParameterSource.COMMANDLINE

    named_store = typed("store") or typed("data_dir")
    if named_store and typed("url"):
        raise click.UsageError("--url names a running service, --store and --data-dir a file.")
    return named_store
