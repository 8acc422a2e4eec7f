"""The settings of a channel account of the provider `smtp`, and the rules across them (C-63)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import field, frozen

from ....application.ports.channels import Setting, SettingKind, checked_config
from ....domain.errors import FieldProblem, ValidationFailedError
from ..server_settings import authority_problem, is_here, server_problems
from .mailboxes import Mailbox, mailbox_in

TLS_NONE, TLS_STARTTLS, TLS_IMPLICIT = "none", "starttls", "implicit"
SETTINGS = (
    Setting(
        name="host",
        required=True,
        secret=False,
        peer=True,
        help="The mail server's name or address, such as mail.example.com.",
    ),
    Setting(
        name="port",
        kind=SettingKind.INTEGER,
        required=True,
        secret=False,
        peer=True,
        help="587 with starttls, 465 with implicit; a server on this machine may have another.",
    ),
    Setting(
        name="from",
        required=True,
        secret=False,
        help="The sender of the mails: codes@example.com or Orchid <codes@example.com>.",
    ),
    Setting(
        name="tls",
        kind=SettingKind.CHOICE,
        choices=(TLS_NONE, TLS_STARTTLS, TLS_IMPLICIT),
        required=True,
        secret=False,
        peer=True,
        help="starttls and implicit check the server's certificate; none sends in clear.",
    ),
    Setting(name="username", secret=False, help="The login, if the server wants one."),
    Setting(name="password", help="Its password; it goes over TLS, or to this machine."),
    Setting(
        name="caFile",
        secret=False,
        peer=True,
        help="The PEM file of the authority that signed the server's certificate, if it is your own.",
    ),
)


@frozen(kw_only=True)
class SmtpSettings:
    """The checked config of one channel account; connections with equal ones are alike."""

    host: str
    port: int
    origin: Mailbox
    tls: str
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    ca_file: str | None = None


def settings_of(config: Mapping[str, Any]) -> SmtpSettings:
    """Return the settings in a checked config."""
    return SmtpSettings(
        host=config["host"].rstrip("."),
        port=config["port"],
        origin=mailbox_in(config["from"]),
        tls=config["tls"],
        username=config.get("username"),
        password=config.get("password"),
        ca_file=config.get("caFile"),
    )


def checked_smtp_config(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """Check a config, as `ChannelProvider.check_config` says."""
    checked = checked_config(SETTINGS, config)
    problems = [FieldProblem(f"config.{name}", why) for name, why in _problems(checked)]
    if problems:
        raise ValidationFailedError(problems)
    return checked


def _problems(config: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield from server_problems(config["host"], config["port"])
    try:
        mailbox_in(config["from"])
    except ValueError as error:
        yield "from", str(error)
    yield from _login_problems(config)
    yield from _authority_problems(config)


def _login_problems(config: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if "username" not in config and "password" not in config:
        return
    if "username" not in config:
        yield "username", "is required with a password"
    if "password" not in config:
        yield "password", "is required with a username"
    if config["tls"] == TLS_NONE and not is_here(config["host"]):
        yield "tls", "must be starttls or implicit with a password, unless the host is this machine"


def _authority_problems(config: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if "caFile" not in config:
        return
    if config["tls"] == TLS_NONE:
        yield "caFile", "is for starttls and implicit alone"
        return
    problem = authority_problem(config["caFile"])
    if problem is not None:
        yield "caFile", problem
