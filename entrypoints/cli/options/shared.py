"""Options that several commands share; each has an environment variable `WATCHWORD_<FLAG>` (C-1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from attrs import AttrsInstance, fields

from ...addresses.services import is_service_address
from ...settings import DEFAULT_PROVIDER_TIMEOUT, LONGEST_PROVIDER_TIMEOUT

if TYPE_CHECKING:
    from ...http.listener.client_address import Network

T = TypeVar("T", bound=AttrsInstance)
F = TypeVar("F", bound=Callable[..., Any])
# A decorator that adds an option, or an argument, to a command.
Option = Callable[[Any], Any]


def time(_: click.Context, parameter: click.Parameter, value: str | None) -> datetime | None:
    """Read a time for an option's callback; without an offset it is UTC."""
    if value is None:
        return None
    try:
        at = datetime.fromisoformat(value)
        return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise click.BadParameter(
            f"{value!r} is not a time such as 2030-01-31T12:00:00Z.", param=parameter
        ) from None


def option(flag: str, *names: str, **settings: Any) -> Callable[[F], F]:
    """Declare an option with its environment variable."""
    variable = "WATCHWORD_" + flag.removeprefix("--").replace("-", "_").upper()
    return click.option(flag, *names, envvar=variable, show_envvar=True, **settings)


def parted(kind: type[T], given: Mapping[str, Any]) -> tuple[T, dict[str, Any]]:
    """
    Return an object made of the options that have the names of its fields, and the other options.

    So no option of a command may have the name of a setting, and mean something else.
    """
    own = {each.name for each in fields(kind)}
    made = kind(**{name: value for name, value in given.items() if name in own})
    return made, {name: value for name, value in given.items() if name not in own}


def together(*options: Option) -> Callable[[F], F]:
    """Return a decorator that adds several options, in their order."""

    def add(command: F) -> F:
        for each in reversed(options):
            command = each(command)
        return command

    return add


store_options = together(
    option(
        "--data-dir",
        type=click.Path(file_okay=False, path_type=Path),
        default=Path("var"),
        show_default=True,
        help="Holds the SQLite file and the keys that a service makes.",
    ),
    option(
        "--store",
        metavar="URL",
        help="sqlite:///relative.db, sqlite:////absolute.db, postgresql://user@host:port/db "
        "or memory:// "
        "(default: watchword.db in the data directory).",
    ),
    option(
        "--erasures",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="List of erased people, for `watchword restored`; nodes of one store share it"
        " (default: erasures.jsonl in the data directory).",
    ),
)
code_key_options = together(
    # The key itself comes by its variable alone: other users can see a command line.
    click.option(
        "--code-key",
        envvar="WATCHWORD_CODE_KEY",
        hidden=True,
        help="The key of codes and of personal data itself, in place of its file.",
    ),
    option(
        "--code-key-file",
        type=click.Path(path_type=Path),
        help="File with the key of codes and of personal data (default: code.key in the data directory).",
    ),
)
receipt_key_options = together(
    click.option(
        "--receipt-key",
        envvar="WATCHWORD_RECEIPT_KEY",
        hidden=True,
        help="The key of verification receipts itself, in place of its file.",
    ),
    option(
        "--receipt-key-file",
        type=click.Path(path_type=Path),
        help="File with the key of verification receipts (default: receipt.key in the data directory).",
    ),
)
witness_option = option(
    "--witness",
    "witnesses",
    metavar="URL,VKEY",
    multiple=True,
    help="Witness of the log's heads (C2SP tlog-witness), and the key of its cosignatures; may be repeated.",
)
provider_option = option(
    "--provider-timeout",
    type=click.FloatRange(1, LONGEST_PROVIDER_TIMEOUT),
    default=DEFAULT_PROVIDER_TIMEOUT,
    show_default=True,
    help="Seconds that a channel provider has to answer.",
)
# See C-47.
private_urls_option = option(
    "--allow-private-urls",
    is_flag=True,
    help="Call private and loopback addresses too, where clients name them.",
)


def _log_key_options(*, hidden: bool) -> Callable[[F], F]:
    return together(
        click.option(
            "--log-key",
            envvar="WATCHWORD_LOG_KEY",
            hidden=True,
            help="The key that signs the log itself, in place of its file.",
        ),
        option(
            "--log-key-file",
            type=click.Path(path_type=Path),
            hidden=hidden,
            help="File with the key that signs the log (default: log.key in the data directory).",
        ),
        option(
            "--log-origin",
            metavar="NAME",
            hidden=hidden,
            help="Name of the log in its heads (default: that of its key, or the store's id).",
        ),
        option(
            "--heads-dir",
            type=click.Path(file_okay=False, path_type=Path),
            hidden=hidden,
            help="Folder that gets every signed head of the log too, best on another machine.",
        ),
    )


log_key_options = _log_key_options(hidden=False)
# Commands on an idle store take them, too: most by their variables.
hidden_log_key_options = _log_key_options(hidden=True)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
limit_option = click.option(
    "--limit",
    type=click.IntRange(1, 10_000),
    default=100,
    show_default=True,
    help="How many, of the newest.",
)


def networks(
    _: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[Network, ...]:
    """Read the networks of a repeated option."""
    try:
        return tuple(ip_network(each) for each in values)
    except ValueError as error:
        raise click.BadParameter(
            f"{error}. Name one such as 10.0.0.0/24.", param=parameter
        ) from None


def addresses(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...]:
    """Check the addresses of a repeated option."""
    return tuple(given for each in values if (given := address(context, parameter, each)))


def address(_: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Check the address of a service."""
    if value is None:
        return None
    if not is_service_address(value):
        raise click.BadParameter(
            f"{value!r} is not an address such as http://127.0.0.1:8080.", param=parameter
        )
    return value.rstrip("/")
