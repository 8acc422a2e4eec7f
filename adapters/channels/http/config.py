"""A channel account's config, read once into what its sends use (C-63)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any

import msgspec
from attrs import field, frozen

from ....application.ports.channels import Setting, checked_config
from ....domain.errors import FieldProblem, ValidationFailedError
from .hearing.reading_posts import signature_of
from .hearing.settings import hearing_problems, token_problems, with_token, without_lost_token
from .hearing.signature_settings import new_token
from .hearing.signatures import SignatureKind, query_of
from .presets import CALLBACK_TOKEN, NO_PATHS, PRESETS, Preset
from .sending.outcomes import AnswerRules
from .sending.placeholders import Placeholders
from .sending.reading_answers import AnswerReader
from .sending.reading_requests import RequestReader
from .sending.requests import RequestTemplate
from .settings import CUSTOM_SETTINGS, all_settings, preset_settings

_MOST_READ = 1_000
_NO_ADDRESS = "signs the address that it calls: start the service with --public-url"


@frozen(kw_only=True)
class HttpConfig:
    """
    A config as it was read; `described` is the config of C-63 that a preset stands for.

    `callback_query` is the secret query that the provider's calls must have; it is empty if they are
    signed otherwise.
    """

    placeholders: Placeholders = field(repr=False)
    request: RequestTemplate = field(repr=False)
    rules: AnswerRules
    described: Mapping[str, Any] = field(repr=False)
    callback_query: str = field(repr=False)


class ReadConfigs:
    """The configs that were read last, so that most sends read none."""

    def __init__(self) -> None:
        # By a digest: some stores make a new object of the same config for every send.
        self._read: OrderedDict[bytes, HttpConfig] = OrderedDict()

    def of(self, config: Mapping[str, Any]) -> HttpConfig:
        """Return a config as it is read; raises `ValidationFailedError`."""
        digest = blake2b(msgspec.json.encode(config), digest_size=32).digest()
        read = self._read.get(digest)
        if read is None:
            read = self._read[digest] = read_config(config)
            if len(self._read) > _MOST_READ:
                self._read.popitem(last=False)
        return read


def read_config(config: Mapping[str, Any]) -> HttpConfig:
    """
    Read a config that describes an API, or names a preset.

    Raises `ValidationFailedError` with the path of each wrong, unknown or missing member.
    """
    name = config.get("preset")
    preset = PRESETS.get(name) if isinstance(name, str) else None
    if "preset" in config and preset is None:
        # Says which presets there are, and that no other member fits.
        checked_config([each for each in all_settings() if each.name == "preset"], config)
    described: Mapping[str, Any] = config
    problems: list[FieldProblem] = []
    if preset is not None:
        checked_config(preset_settings(str(name)), config)
        described = preset.expand(config)
    else:
        problems = _wrong(CUSTOM_SETTINGS, config)
    placeholders = Placeholders(config, preset)
    request, rules = None, None
    if not _within(problems, "method", "url", "query", "headers", "auth", "body"):
        request = RequestReader(described, placeholders, problems).request()
    if not _within(problems, "accepted", "rejected"):
        rules = AnswerReader(described, placeholders, problems).rules(
            str(name) if preset else "http", preset.answer_paths if preset else NO_PATHS
        )
    if not _within(problems, "receipt", "inbound"):
        problems += hearing_problems(described) if preset is None else token_problems(config)
    if problems or request is None or rules is None:
        raise ValidationFailedError([_placed(each, preset) for each in problems])
    signature = signature_of(described)
    return HttpConfig(
        placeholders=placeholders,
        request=request,
        rules=rules,
        described=described,
        callback_query="" if signature is None else query_of(signature),
    )


def stored_config(config: Mapping[str, Any], *, has_address: bool) -> Mapping[str, Any]:
    """
    Return the form of a config to store, with the token that the provider's calls must have.

    Raises `ValidationFailedError`, also where the signature covers the service's address and the
    service does not know it (C-70).
    """
    config = without_lost_token(config)
    described = read_config(config).described
    signature = signature_of(described)
    kind = None if signature is None else signature.get("kind")
    if kind == SignatureKind.TWILIO and not has_address:
        section = "receipt" if "receipt" in described else "inbound"
        path = "preset" if "preset" in config else f"{section}.signature.kind"
        raise ValidationFailedError([FieldProblem(f"config.{path}", _NO_ADDRESS)])
    if "preset" not in config:
        return with_token(config)
    if kind == SignatureKind.QUERY_TOKEN and config.get(CALLBACK_TOKEN.name) is None:
        return {**config, CALLBACK_TOKEN.name: new_token()}
    return dict(config)


def _placed(problem: FieldProblem, preset: Preset | None) -> FieldProblem:
    """Return a problem at the parameter of the preset that it is about."""
    place = problem.field.partition(".")[2]
    if preset is None or place not in preset.places:
        return problem
    return FieldProblem(f"config.{preset.places[place]}", problem.message)


def _wrong(settings: Sequence[Setting], config: Mapping[str, Any]) -> list[FieldProblem]:
    try:
        checked_config(settings, config)
    except ValidationFailedError as error:
        return list(error.problems)
    return []


def _within(problems: Sequence[FieldProblem], *names: str) -> bool:
    """Return whether one of the members is wrong already, so that reading it makes no sense."""
    return any(each.field.split(".")[1:2] == [name] for each in problems for name in names)
