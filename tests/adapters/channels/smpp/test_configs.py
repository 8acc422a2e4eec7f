"""Configs of the provider `smpp` are checked by their members' paths (C-63)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.adapters.channels.smpp.accounts import config_of
from tests.adapters.channels.smtp.certificates import Authority
from watchword.adapters.channels.smpp.config_checks import checked_smpp_config
from watchword.adapters.channels.smpp.settings import (
    SETTINGS,
    BindSettings,
    DltSettings,
    SmppSettings,
    settings_of,
)
from watchword.domain.errors import ValidationFailedError

_WHOLE = config_of(
    2775,
    systemType="SMS",
    window=100,
    sourceTon=5,
    sourceNpi=0,
    destTon=1,
    destNpi=1,
    bind="separate",
    encoding="latin1",
    longMessages="sar",
    idForm="hex_to_dec",
    enquireSeconds=15,
    dlt={
        "entityTag": 0x1500,
        "templateTag": 0x1501,
        "telemarketerTag": 0x1502,
        "telemarketerId": "1102,1103",
        "nul": True,
    },
)


def _problems(config: Any) -> list[str]:
    with pytest.raises(ValidationFailedError) as refusal:
        checked_smpp_config(config)
    return [each.field for each in refusal.value.problems]


def test_a_config_is_kept_as_it_is() -> None:
    """Each setting of C-63 is taken, and read."""
    assert config_of(2775) == checked_smpp_config(config_of(2775))
    assert _WHOLE == checked_smpp_config(_WHOLE)
    assert settings_of(_WHOLE) == SmppSettings(
        bind=BindSettings(
            host="127.0.0.1",
            port=2775,
            system_id="orchid",
            password="s3cret",
            system_type="SMS",
            window=100,
            separate=True,
            enquire_seconds=15,
        ),
        source_ton=5,
        source_npi=0,
        dest_ton=1,
        dest_npi=1,
        encoding="latin1",
        long_messages="sar",
        id_form="hex_to_dec",
        dlt=DltSettings(
            entity_tag=0x1500,
            template_tag=0x1501,
            telemarketer_tag=0x1502,
            telemarketer_id="1102,1103",
            nul=True,
        ),
    )


def test_what_is_left_out_has_its_default() -> None:
    """A window of 10, enquire_link each 30 s, GSM 7-bit, and the tags of DLT (C-63, C-99)."""
    settings = settings_of(config_of(2775))

    assert (10, 30, False, False) == (
        settings.bind.window,
        settings.bind.enquire_seconds,
        settings.bind.tls,
        settings.bind.separate,
    )
    assert ("gsm7", "udh8", "same") == (
        settings.encoding,
        settings.long_messages,
        settings.id_form,
    )
    assert (0x1400, 0x1401, 0x1402, None, False) == (
        settings.dlt.entity_tag,
        settings.dlt.template_tag,
        settings.dlt.telemarketer_tag,
        settings.dlt.telemarketer_id,
        settings.dlt.nul,
    )


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"host": "smpp example"}, "config.host"),
        ({"host": "169.254.169.254"}, "config.host"),
        ({"port": 0}, "config.port"),
        ({"port": True}, "config.port"),
        ({"systemId": "a" * 16}, "config.systemId"),
        ({"systemId": "orchidée"}, "config.systemId"),
        ({"password": "123456789"}, "config.password"),
        ({"password": "pässw"}, "config.password"),
        ({"systemType": "a" * 13}, "config.systemType"),
        ({"window": 0}, "config.window"),
        ({"window": 1001}, "config.window"),
        ({"window": "10"}, "config.window"),
        ({"sourceTon": 256}, "config.sourceTon"),
        ({"sourceNpi": -1}, "config.sourceNpi"),
        ({"destTon": 256}, "config.destTon"),
        ({"destNpi": 256}, "config.destNpi"),
        ({"tls": "yes"}, "config.tls"),
        ({"caFile": "/no/such/file", "tls": True}, "config.caFile"),
        ({"caFile": "/no/such/file"}, "config.caFile"),
        ({"bind": "receiver"}, "config.bind"),
        ({"encoding": "utf8"}, "config.encoding"),
        ({"longMessages": "never"}, "config.longMessages"),
        ({"idForm": "octal"}, "config.idForm"),
        ({"enquireSeconds": 4}, "config.enquireSeconds"),
        ({"enquireSeconds": 601}, "config.enquireSeconds"),
        ({"dlt": 7}, "config.dlt"),
        ({"dlt": {"entityTag": "0x1400"}}, "config.dlt.entityTag"),
        ({"dlt": {"entityTag": 0x0424}}, "config.dlt.entityTag"),
        ({"dlt": {"templateTag": 0x4000}}, "config.dlt.templateTag"),
        ({"dlt": {"entityTag": 0x1401}}, "config.dlt"),
        ({"dlt": {"telemarketerId": "é"}}, "config.dlt.telemarketerId"),
        ({"dlt": {"telemarketerId": "1" * 65}}, "config.dlt.telemarketerId"),
        ({"dlt": {"nul": 1}}, "config.dlt.nul"),
        ({"dlt": {"colour": "red"}}, "config.dlt.colour"),
        ({"colour": "red"}, "config.colour"),
    ],
)
def test_a_wrong_member_is_named(changes: dict[str, Any], path: str) -> None:
    """Each wrong, unknown or missing member is refused by its path."""
    assert [path] == _problems({**config_of(2775), **changes})


@pytest.mark.parametrize("missing", ["host", "port", "systemId", "password"])
def test_a_missing_member_is_named(missing: str) -> None:
    """Host, port, system id and password are required."""
    config = {name: value for name, value in config_of(2775).items() if name != missing}

    assert [f"config.{missing}"] == _problems(config)


def test_a_ca_file_is_for_tls(tmp_path: Path) -> None:
    """It is a file of certificates, and useless without TLS."""
    (tmp_path / "ca.pem").write_bytes(Authority().pem)
    config = config_of(3550, caFile=str(tmp_path / "ca.pem"), tls=True)

    assert config == checked_smpp_config(config)
    assert ["config.caFile"] == _problems({**config, "tls": False})


def test_a_password_may_go_in_clear() -> None:
    """Most SMSCs have no TLS: operators reach them over a VPN (D-268)."""
    config = config_of(2775, host="smpp.example.com")

    assert config == checked_smpp_config(config)


def test_the_password_alone_is_secret() -> None:
    """What decides who receives the password is declared as such, so that a change wants it anew (C-66)."""
    assert ["password"] == [each.name for each in SETTINGS if each.secret]
    assert {"host", "port", "tls", "caFile"} == {each.name for each in SETTINGS if each.peer}
    assert "s3cret" not in repr(settings_of(config_of(2775)))
