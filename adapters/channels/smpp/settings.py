"""The settings of a channel account of the provider `smpp`, as values (C-63)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from ....application.ports.channels import Setting, SettingKind

TRANSCEIVER, SEPARATE = "transceiver", "separate"
GSM7, LATIN1, UCS2 = "gsm7", "latin1", "ucs2"
UDH8, UDH16, SAR, PAYLOAD = "udh8", "udh16", "sar", "payload"
SAME, HEX_TO_DEC, DEC_TO_HEX = "same", "hex_to_dec", "dec_to_hex"
WINDOW, ENQUIRE_SECONDS = 10, 30
# The tags of the ids of DLT that operators in India read (C-99).
ENTITY_TAG, TEMPLATE_TAG, TELEMARKETER_TAG = 0x1400, 0x1401, 0x1402

_TON = (
    "0 unknown, 1 international, 2 national, 3 network, 4 subscriber, 5 alphanumeric, 6 abbreviated"
)
SETTINGS = (
    Setting(
        name="host",
        required=True,
        secret=False,
        peer=True,
        help="The SMSC's name or address, such as smpp.example.com.",
    ),
    Setting(
        name="port",
        kind=SettingKind.INTEGER,
        required=True,
        secret=False,
        peer=True,
        help="Its port: often 2775, and 3550 with TLS.",
    ),
    Setting(
        name="systemId",
        required=True,
        secret=False,
        help="The login (system_id): up to 15 characters.",
    ),
    Setting(
        name="password",
        required=True,
        help="Its password: up to 8 characters, as SMPP has room for. Without TLS it goes in clear, so"
        " reach the SMSC over a VPN or your own network then.",
    ),
    Setting(
        name="systemType",
        secret=False,
        help="The system_type that the SMSC wants, if it wants one: up to 12 characters.",
    ),
    Setting(
        name="window",
        kind=SettingKind.INTEGER,
        secret=False,
        help="The messages that are sent before an answer to the first of them: 1 to 1000, 10 by default."
        " More than the SMSC allows are refused as throttled.",
    ),
    Setting(
        name="sourceTon",
        kind=SettingKind.INTEGER,
        secret=False,
        help=f"The type of all senders ({_TON}). By default it follows from each sender.",
    ),
    Setting(
        name="sourceNpi",
        kind=SettingKind.INTEGER,
        secret=False,
        help="The numbering plan of all senders (1 is that of telephones, 0 unknown).",
    ),
    Setting(
        name="destTon",
        kind=SettingKind.INTEGER,
        secret=False,
        help="The type of all recipients' numbers: 1 by default.",
    ),
    Setting(
        name="destNpi",
        kind=SettingKind.INTEGER,
        secret=False,
        help="The numbering plan of all recipients' numbers: 1 by default.",
    ),
    Setting(
        name="tls",
        kind=SettingKind.BOOLEAN,
        secret=False,
        peer=True,
        help="True connects by TLS and checks the SMSC's certificate; false, the default, sends in clear.",
    ),
    Setting(
        name="caFile",
        secret=False,
        peer=True,
        help="The PEM file of the authority that signed the SMSC's certificate, if it is your own.",
    ),
    Setting(
        name="bind",
        kind=SettingKind.CHOICE,
        choices=(TRANSCEIVER, SEPARATE),
        secret=False,
        help="One bind for both directions (transceiver, the default), or a transmitter and a receiver.",
    ),
    Setting(
        name="encoding",
        kind=SettingKind.CHOICE,
        choices=(GSM7, LATIN1, UCS2),
        secret=False,
        help="The alphabet of texts that fit into it: gsm7, the default, or latin1. Others go as UCS-2;"
        " ucs2 sends all texts so.",
    ),
    Setting(
        name="longMessages",
        kind=SettingKind.CHOICE,
        choices=(UDH8, UDH16, SAR, PAYLOAD),
        secret=False,
        help="The parts of a long text: with a header in the text (udh8, the default, or udh16), with the"
        " sar parameters, or whole in message_payload.",
    ),
    Setting(
        name="idForm",
        kind=SettingKind.CHOICE,
        choices=(SAME, HEX_TO_DEC, DEC_TO_HEX),
        secret=False,
        help="The ids of receipts: the same as in answers (default); hexadecimal ones, and decimal ones in"
        " answers (hex_to_dec); or the other way round (dec_to_hex).",
    ),
    Setting(
        name="dlt.entityTag",
        kind=SettingKind.INTEGER,
        secret=False,
        help="The parameter that carries the DLT entity id: 5120 (0x1400) by default.",
    ),
    Setting(
        name="dlt.templateTag",
        kind=SettingKind.INTEGER,
        secret=False,
        help="The parameter that carries the DLT template id: 5121 (0x1401) by default.",
    ),
    Setting(
        name="dlt.telemarketerTag",
        kind=SettingKind.INTEGER,
        secret=False,
        help="The parameter that carries the telemarketer id: 5122 (0x1402) by default.",
    ),
    Setting(
        name="dlt.telemarketerId",
        secret=False,
        help="The DLT telemarketer id, or chain of ids, of all messages with a DLT id.",
    ),
    Setting(
        name="dlt.nul",
        kind=SettingKind.BOOLEAN,
        secret=False,
        help="True ends each DLT id with a NUL octet, as some SMSCs want.",
    ),
    Setting(
        name="enquireSeconds",
        kind=SettingKind.INTEGER,
        secret=False,
        help="The seconds between two enquire_link: 5 to 600, 30 by default.",
    ),
)


@frozen(kw_only=True)
class BindSettings:
    """The part of a config that makes a session; a change of any of it binds anew."""

    host: str
    port: int
    system_id: str
    password: str = field(repr=False)
    system_type: str = ""
    window: int = WINDOW
    tls: bool = False
    ca_file: str | None = None
    separate: bool = False
    enquire_seconds: float = ENQUIRE_SECONDS

    @property
    def server(self) -> str:
        """Return host and port, as people write them."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


@frozen(kw_only=True)
class DltSettings:
    """The optional parameters that carry the ids of DLT."""

    entity_tag: int = ENTITY_TAG
    template_tag: int = TEMPLATE_TAG
    telemarketer_tag: int = TELEMARKETER_TAG
    telemarketer_id: str | None = None
    nul: bool = False


@frozen(kw_only=True)
class SmppSettings:
    """The checked config of one channel account."""

    bind: BindSettings
    source_ton: int | None = None
    source_npi: int | None = None
    dest_ton: int | None = None
    dest_npi: int | None = None
    encoding: str = GSM7
    long_messages: str = UDH8
    id_form: str = SAME
    dlt: DltSettings = field(factory=DltSettings)


def settings_of(config: Mapping[str, Any]) -> SmppSettings:
    """Return the settings in a checked config."""
    return SmppSettings(
        bind=BindSettings(
            host=config["host"].rstrip("."),
            port=config["port"],
            system_id=config["systemId"],
            password=config["password"],
            system_type=config.get("systemType", ""),
            window=config.get("window", WINDOW),
            tls=config.get("tls", False),
            ca_file=config.get("caFile"),
            separate=config.get("bind") == SEPARATE,
            enquire_seconds=config.get("enquireSeconds", ENQUIRE_SECONDS),
        ),
        source_ton=config.get("sourceTon"),
        source_npi=config.get("sourceNpi"),
        dest_ton=config.get("destTon"),
        dest_npi=config.get("destNpi"),
        encoding=config.get("encoding", GSM7),
        long_messages=config.get("longMessages", UDH8),
        id_form=config.get("idForm", SAME),
        dlt=dlt_of(config.get("dlt", {})),
    )


def dlt_of(members: Mapping[str, Any]) -> DltSettings:
    """Return the settings in the member `dlt` of a config."""
    return DltSettings(
        entity_tag=members.get("entityTag", ENTITY_TAG),
        template_tag=members.get("templateTag", TEMPLATE_TAG),
        telemarketer_tag=members.get("telemarketerTag", TELEMARKETER_TAG),
        telemarketer_id=members.get("telemarketerId"),
        nul=members.get("nul", False),
    )
