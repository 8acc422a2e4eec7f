"""The settings of the provider `http`: a described API, or a preset with its parameters (C-63)."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from ....application.ports.channels import Setting, SettingKind
from .hearing.signatures import SignatureKind
from .presets import PRESETS

METHODS = ("GET", "POST", "PUT")


def _public(
    name: str, help_text: str, kind: SettingKind = SettingKind.TEXT, *, required: bool = False
) -> Setting:
    return Setting(name=name, kind=kind, required=required, secret=False, help=help_text)


def _signature(name: str) -> Sequence[Setting]:
    return (
        Setting(
            name=f"{name}.kind",
            kind=SettingKind.CHOICE,
            required=True,
            secret=False,
            choices=tuple(SignatureKind),
            help="How posts prove their sender; by default a token in the query, told at creation.",
        ),
        _public(f"{name}.header", "The header with the signature."),
        _public(f"{name}.algorithm", "The hash of hmac: sha1, sha256 or sha512."),
        _public(f"{name}.encoding", "The spelling of hmac: hex or base64."),
        Setting(name=f"{name}.secret", help="The secret that signs the posts."),
    )


_REQUEST = (
    Setting(
        name="method",
        kind=SettingKind.CHOICE,
        required=True,
        secret=False,
        choices=METHODS,
        help="The HTTP method of a send.",
    ),
    _public(
        "url",
        "The address of a send; values may stand in its path and query: …/messages/{{reference}}.",
        SettingKind.URL,
        required=True,
    ),
    _public("query", "More of the query: an object of names and values.", SettingKind.JSON),
    Setting(
        name="headers",
        kind=SettingKind.JSON,
        help="An object of header names and values; the whole object is secret.",
    ),
    _public("auth.basic.username", "The user name of Basic authentication.", required=True),
    Setting(
        name="auth.basic.password", required=True, help="The password of Basic authentication."
    ),
    Setting(name="auth.bearer", help="The token of Bearer authentication."),
    _public(
        "body",
        "JSON or a form, with placeholders in its values, such as to={{destination}}&text={{text}}.",
        SettingKind.JSON,
    ),
)
_ANSWER = (
    _public("accepted.status", "The statuses of success; every 2xx by default.", SettingKind.LIST),
    _public("accepted.idPath", "Where the answer has the message's id: messages.0.id."),
    _public("accepted.id", "The message's id, if the answer has none: {{reference}}."),
    _public("accepted.whenPath", "Where the answer says whether the message was accepted."),
    _public("accepted.in", "The values there that mean success.", SettingKind.LIST),
    _public("rejected.codePath", "Where a refusal has its code.", required=True),
    _public("rejected.messagePath", "Where a refusal has its words.", required=True),
    _public(
        "rejected.faults",
        "An object from codes to recipient, content, account, busy or away.",
        SettingKind.JSON,
    ),
)
_RECEIPT = (
    _public("receipt.itemsPath", "Where a post has its list of receipts."),
    _public("receipt.idPath", "Where a receipt has the message's id."),
    _public("receipt.referencePath", "Where a receipt has {{reference}}."),
    _public("receipt.statusPath", "Where a receipt has its status.", required=True),
    _public(
        "receipt.statuses",
        "An object from their statuses to sent, delivered, read or failed.",
        SettingKind.JSON,
        required=True,
    ),
    _public("receipt.codePath", "Where a receipt has its error code."),
    _public("receipt.atPath", "Where a receipt has its time."),
    _public("receipt.answer", "The answer that the provider expects.", SettingKind.JSON),
    *_signature("receipt.signature"),
)
_INBOUND = (
    _public("inbound.itemsPath", "Where a post has its list of messages."),
    _public("inbound.senderPath", "Where a message has its sender.", required=True),
    _public("inbound.recipientPath", "Where a message has its recipient.", required=True),
    _public("inbound.textPath", "Where a message has its text.", required=True),
    _public("inbound.idPath", "Where a message has its id."),
    _public("inbound.answer", "The answer that the provider expects.", SettingKind.JSON),
    *_signature("inbound.signature"),
)
CUSTOM_SETTINGS = (*_REQUEST, *_ANSWER, *_RECEIPT, *_INBOUND)


def preset_settings(name: str) -> Sequence[Setting]:
    """Return the settings of a preset: its name, and its parameters alone."""
    return (_preset(required=True), *PRESETS[name].settings)


def all_settings() -> Sequence[Setting]:
    """
    Return every setting once, for forms and for the split of secrets.

    A setting that is secret in one preset is secret in all: without its config, nobody knows whose it is
    (D-200). None is required, because a preset needs others.
    """
    found: dict[str, Setting] = {}
    declared = [_preset(required=False), *CUSTOM_SETTINGS]
    for name, preset in PRESETS.items():
        declared += [evolve(each, help=f"{name}: {each.help}") for each in preset.settings]
    for each in declared:
        known = found.get(each.name)
        found[each.name] = each if known is None else _both(known, each)
    return tuple(evolve(each, required=False) for each in found.values())


def _both(first: Setting, second: Setting) -> Setting:
    return evolve(
        first,
        secret=first.secret or second.secret,
        peer=first.peer or second.peer,
        help=f"{first.help} {second.help}",
    )


def _preset(*, required: bool) -> Setting:
    return Setting(
        name="preset",
        kind=SettingKind.CHOICE,
        required=required,
        secret=False,
        choices=tuple(PRESETS),
        peer=True,
        help="A known provider; its own parameters are then the only other settings.",
    )
