"""The text of a PIN on one channel, and the filling in of its placeholders (C-17a)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import cached_property

from attrs import field, frozen

from ..channel import Channel
from ..errors import FieldProblem, ValidationFailedError, camel
from ..limits import NO_CONTROLS, Characters, FromTo, has_controls
from ..placeholders import fill, positions, unfilled
from ..sms.autofill import a_host, an_app_hash, bound_to_origin, for_app
from ..value import value

DEFAULT_PLACEHOLDER = "{{pin}}"
MAX_PLACEHOLDER_LENGTH = 64
MAX_TEXT_LENGTH = 10_000
# Three channels in thirty languages each; every read of a template counts the segments of its texts (D-528).
MAX_ENTRIES = 100
# WhatsApp allows ten buttons.
MAX_BUTTON_INDEX = 9
_POSITION_KEY = re.compile(r"[1-9][0-9]{0,2}")


def position_keys(_: object, __: object, params: Mapping[str, str] | None) -> None:
    """Check that parameters are keyed by positions (`1`, `2`, …); an attrs validator."""
    for key in params or ():
        if not _POSITION_KEY.fullmatch(key):
            raise ValueError(f"has the key {key!r}; keys are positions such as 1")


@frozen(kw_only=True)
class TemplateChannel:
    """
    One channel of a template (SPEC 2.8, channel entry). Fields that its channel does not use are empty.

    With `literal`, unknown placeholders in its texts are plain text. Of an SMS, `web_otp_origin` or
    `app_hash` makes the last line, by which phones fill the code in (C-87).
    """

    id: str
    channel_type: Channel
    channel_account_id: str
    provider_template_ref: str | None = None
    content_text: str = field(default="", validator=Characters(0, MAX_TEXT_LENGTH))
    subject_text: str | None = None
    is_default: bool = False
    language_code: str | None = None
    copy_code_button_index: int | None = field(default=None, validator=FromTo(0, MAX_BUTTON_INDEX))
    pin_placeholder: str = field(
        default=DEFAULT_PLACEHOLDER, validator=Characters(1, MAX_PLACEHOLDER_LENGTH)
    )
    param_defaults: Mapping[str, str] = field(factory=dict, validator=position_keys)
    entity_id: str | None = None
    unicode: bool | None = None
    literal: bool = False
    web_otp_origin: str | None = field(default=None, validator=a_host)
    app_hash: str | None = field(default=None, validator=an_app_hash)

    @cached_property
    def positions(self) -> frozenset[str]:
        """The positions of `template_params` that this channel uses."""
        asked = positions(self.content_text, self.pin_placeholder) | self.subject_positions
        if self.channel_type is Channel.WHATSAPP:
            # The provider's template has the text, so the positions are those of its stored defaults.
            return asked | frozenset(self.param_defaults)
        return asked

    @cached_property
    def subject_positions(self) -> frozenset[str]:
        """The positions that a subject contains."""
        return positions(self.subject_text or "", self.pin_placeholder)

    @cached_property
    def required(self) -> frozenset[str]:
        """The positions that need a value with every send."""
        return self.positions - self.param_defaults.keys()


def unfilled_text(name: str, text: str, pin_placeholder: str) -> FieldProblem | None:
    """
    Return a problem if a text, the field `name`, would show a placeholder to its recipient (D-146).

    Only new texts of an author are checked. Stored templates stay valid.
    """
    found = unfilled(text, pin_placeholder)
    if not found:
        return None
    return FieldProblem(
        name,
        f"has {', '.join(found)}, which nothing fills in: write {pin_placeholder} for the code and"
        f" {{{{1}}}}, {{{{2}}}} … for {camel('template_params')}, or give the entry literal: true",
    )


@value(kw_only=True)
class RenderedPin:
    """The text of one channel with the code in it; do not keep it longer than the send."""

    text: str = field(repr=False)
    subject: str | None = field(default=None, repr=False)
    params: Mapping[str, str] = field(factory=dict, repr=False)


def check_params(
    entries: Collection[TemplateChannel],
    params: Mapping[str, str],
    configured: Collection[TemplateChannel] = (),
) -> None:
    """
    Refuse parameters that do not fit the requested channels.

    Of all `configured` entries, those in other languages may use positions that the chosen ones leave out
    (D-523).

    Raises `ValidationFailedError` for a position without a value, for a key that is no position of
    these channels, and for a value with a line break in a subject (C-98).
    """
    taken: set[str] = set()
    missing: set[str] = set()
    breaking: set[str] = set()
    for entry in entries:
        taken |= entry.positions
        missing |= entry.required
        if params:
            breaking |= with_controls(entry.subject_positions, params)
    unknown = params.keys() - taken
    if unknown and configured:
        requested = {entry.channel_type for entry in entries}
        unknown.difference_update(
            *[entry.positions for entry in configured if entry.channel_type in requested]
        )
    missing -= params.keys()
    if not unknown and not missing and not breaking:
        return
    problems = [
        FieldProblem(f"template_params.{key}", "is a position on none of the requested channels")
        for key in params
        if key in unknown
    ]
    problems += [
        FieldProblem(f"template_params.{position}", "is required: the template has no default")
        for position in sorted(missing, key=int)
    ]
    problems += [
        FieldProblem(f"template_params.{position}", f"{NO_CONTROLS}: it stands in the subject")
        for position in sorted(breaking, key=int)
    ]
    raise ValidationFailedError(problems)


def with_controls(asked: Collection[str], values: Mapping[str, str]) -> set[str]:
    """Return the requested positions whose values have control characters."""
    return {each for each in asked if has_controls(values.get(each, ""))}


def render(entry: TemplateChannel, code: str, params: Mapping[str, str]) -> RenderedPin:
    """Put the code and the parameters, which were checked before, into the channel's texts."""
    values = {**entry.param_defaults, **params} if params else entry.param_defaults
    placeholder = entry.pin_placeholder
    subject = entry.subject_text
    text = fill(entry.content_text or placeholder, placeholder, code, values)
    # Behind all that is filled in, so that no value of a caller can stand on the last line.
    if entry.web_otp_origin is not None:
        text = bound_to_origin(text, entry.web_otp_origin, code)
    elif entry.app_hash is not None:
        text = for_app(text, entry.app_hash)
    return RenderedPin(
        text=text,
        subject=None if subject is None else fill(subject, placeholder, code, values),
        params={key: value for key, value in values.items() if key in entry.positions},
    )
