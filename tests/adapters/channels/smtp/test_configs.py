"""Configs of the provider `smtp` are checked by their members' paths (C-63)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.adapters.channels.smtp.accounts import config_of
from tests.adapters.channels.smtp.certificates import Authority
from watchword.adapters.channels.server_settings import MAX_CA_BYTES
from watchword.adapters.channels.smtp import SmtpProvider
from watchword.domain.errors import ValidationFailedError


def _problems(config: Any) -> list[str]:
    with pytest.raises(ValidationFailedError) as refusal:
        SmtpProvider().check_config(config)
    return [each.field for each in refusal.value.problems]


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"host": "mail example"}, "config.host"),
        ({"host": "https://mail.example.com"}, "config.host"),
        ({"host": "169.254.169.254"}, "config.host"),
        ({"host": "fe80::1%eth0"}, "config.host"),
        ({"host": "fd00:ec2::254"}, "config.host"),
        ({"host": 7}, "config.host"),
        ({"port": 0}, "config.port"),
        ({"port": 65_536}, "config.port"),
        ({"port": "25"}, "config.port"),
        ({"from": "a@b.example, c@d.example"}, "config.from"),
        ({"from": "Orchid"}, "config.from"),
        ({"tls": "maybe"}, "config.tls"),
        ({"username": "orchid"}, "config.password"),
        ({"password": "s3cret"}, "config.username"),
        ({"caFile": "/no/such/file", "tls": "starttls"}, "config.caFile"),
        ({"caFile": "/", "tls": "implicit"}, "config.caFile"),
        ({"caFile": "x.pem"}, "config.caFile"),
        ({"colour": "red"}, "config.colour"),
    ],
)
def test_a_wrong_member_is_named(changes: dict[str, Any], path: str) -> None:
    """Each wrong, unknown or missing member is refused by its path."""
    assert [path] == _problems({**config_of(25), **changes})


@pytest.mark.parametrize("missing", ["host", "port", "from", "tls"])
def test_a_missing_member_is_named(missing: str) -> None:
    """Host, port, from and tls are required."""
    config = {name: value for name, value in config_of(25).items() if name != missing}

    assert [f"config.{missing}"] == _problems(config)


@pytest.mark.parametrize(
    ("host", "tls", "passes"),
    [
        ("127.0.0.1", "none", True),
        ("::1", "none", True),
        ("localhost", "none", True),
        ("mail.localhost.", "none", True),
        ("10.0.0.1", "none", False),
        ("mail.example.com", "none", False),
        ("localhost.example.com", "none", False),
        ("mail.example.com", "starttls", True),
        ("mail.example.com", "implicit", True),
    ],
)
def test_a_password_wants_tls_or_this_machine(host: str, tls: str, passes: bool) -> None:
    """A password never goes over a network in clear."""
    config = config_of(25, host=host, tls=tls, username="orchid", password="s3cret")
    if passes:
        assert config == SmtpProvider().check_config(config)
    else:
        assert ["config.tls"] == _problems(config)


def test_a_ca_file_is_a_small_file_of_certificates(tmp_path: Path) -> None:
    """It is read when the account is made; a pipe, a long file and one without certificates are refused."""
    good, empty, long = tmp_path / "ca.pem", tmp_path / "empty.pem", tmp_path / "long.pem"
    good.write_bytes(Authority().pem)
    empty.write_bytes(b"-----BEGIN CERTIFICATE-----\n")
    long.write_bytes(Authority().pem + b"\n" * MAX_CA_BYTES)
    os.mkfifo(tmp_path / "pipe.pem")
    config = config_of(465, tls="implicit", caFile=str(good))

    assert config == SmtpProvider().check_config(config)
    for name in ("empty.pem", "long.pem", "pipe.pem"):
        assert ["config.caFile"] == _problems({**config, "caFile": str(tmp_path / name)})


def test_a_ca_file_is_opened_without_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pipe that takes the place of a file after the look at it holds up nothing (D-245)."""
    os.mkfifo(tmp_path / "pipe.pem")
    monkeypatch.setattr(Path, "is_file", lambda _: True)
    config = config_of(465, tls="implicit", caFile=str(tmp_path / "pipe.pem"))

    assert ["config.caFile"] == _problems(config)


def test_the_password_alone_is_secret() -> None:
    """What decides who receives the password is declared as such, so that a change wants it anew (C-66)."""
    settings = SmtpProvider().settings

    assert ["password"] == [each.name for each in settings if each.secret]
    assert {"host", "port", "tls", "caFile"} == {each.name for each in settings if each.peer}
