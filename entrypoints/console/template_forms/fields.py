"""The fields of a PIN template's form, by the names that the API has for them (SPEC 2.8)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from attrs import frozen

from ....domain.channel import PIN_CHANNELS, Channel
from ....domain.errors import camel
from ....domain.pin_template.pin_type import PinType
from ....domain.pin_template.policy import LONGEST_PIN, SHORTEST_PIN, VerificationReceipt
from ..stories.telling import channel_words

Options = Sequence[tuple[str, str]]


@frozen(kw_only=True)
class FormField:
    """
    One field; `name` is that of the request's class, `kind` that of the control.

    A field of a channel entry is for its `channels`, so that one name may have several fields. One that is
    `seldom` used stands folded away.
    """

    name: str
    label: str
    help: str = ""
    kind: str = "text"
    options: Options = ()
    channels: Collection[Channel] = PIN_CHANNELS
    seldom: bool = False

    @property
    def spelled(self) -> str:
        """The name that the API has for it."""
        return camel(self.name)


POLICY_FIELDS = (
    FormField(
        name="pin_length",
        label="Characters of a code",
        kind="number",
        help=f"{SHORTEST_PIN} to {LONGEST_PIN}.",
    ),
    FormField(
        name="pin_type",
        label="Kind of characters",
        kind="select",
        options=tuple((each.value, each.value) for each in PinType),
    ),
    FormField(
        name="pin_attempts",
        label="Wrong guesses",
        kind="number",
        help="The next wrong one blocks the PIN.",
    ),
    FormField(name="pin_time_to_live", label="Life of a code", help="Such as 10m or 90s."),
    FormField(
        name="verify_pin_limit",
        label="Guesses at one PIN",
        help="A count in a time, such as 1/3s.",
    ),
    FormField(
        name="send_pin_per_phone_number_limit",
        label="Sends to one destination",
        help="Such as 5/1d.",
    ),
    FormField(
        name="send_pin_per_template_limit",
        label="Sends under the template",
        help="Such as 10000/1d.",
    ),
    FormField(name="resend_cooldown", label="Pause before a resend", help="Such as 30s."),
    FormField(
        name="receipt",
        label="Verification receipt",
        kind="select",
        options=(
            ("", "none"),
            *((each.value, f"destination {each.value}") for each in VerificationReceipt),
        ),
        help="Signed proof that the answer to a right code carries.",
    ),
)

_TEXTS = (Channel.SMS, Channel.EMAIL)
ENTRY_FIELDS = (
    FormField(
        name="channel_account_id",
        label="Channel account",
        kind="select",
        help="Left open: the oldest that is enabled.",
    ),
    FormField(
        name="subject_text",
        label="Subject",
        channels=(Channel.EMAIL,),
        help="Empty: the usual subject.",
    ),
    FormField(
        name="content_text",
        label="Text",
        kind="textarea",
        channels=_TEXTS,
        help="{{pin}} stands for the code, {{1}}, {{2}} … for parameters. Empty: the usual text.",
    ),
    FormField(
        name="provider_template_ref",
        label="Provider's template",
        channels=(Channel.WHATSAPP,),
        help="The name of the approved template, which has the text.",
    ),
    FormField(
        name="provider_template_ref",
        label="DLT template",
        channels=(Channel.SMS,),
        help="Its registered id, for numbers in India.",
    ),
    FormField(
        name="language_code",
        label="Language",
        help="Such as en or pt-BR. On WhatsApp, that of the provider's template.",
    ),
    FormField(
        name="copy_code_button_index",
        label="Copy-code button",
        kind="number",
        channels=(Channel.WHATSAPP,),
        help="Its number among the buttons, from 0.",
    ),
    FormField(
        name="entity_id",
        label="DLT entity",
        channels=(Channel.SMS,),
        help="Its registered id, for numbers in India.",
    ),
    FormField(
        name="web_otp_origin",
        label="Website that fills the code in",
        channels=(Channel.SMS,),
        help="Its host, such as shop.example: browsers read the last line, @shop.example #CODE.",
    ),
    FormField(
        name="app_hash",
        label="Android app that fills the code in",
        channels=(Channel.SMS,),
        help="Its hash of 11 characters, which stands on the last line.",
    ),
    FormField(
        name="unicode",
        label="Send as Unicode (UCS-2)",
        kind="checkbox",
        channels=(Channel.SMS,),
    ),
    FormField(
        name="content_text",
        label="Text",
        kind="textarea",
        channels=(Channel.WHATSAPP,),
        help="For readers: the provider sends the text of its own template.",
        seldom=True,
    ),
    FormField(
        name="param_defaults",
        label="Values of parameters",
        kind="textarea",
        help="One a line, such as 1=Tea House. A send may give others.",
        seldom=True,
    ),
    FormField(
        name="pin_placeholder",
        label="Placeholder of the code",
        help="Empty: {{pin}}.",
        seldom=True,
    ),
    FormField(
        name="literal",
        label="Other placeholders in the texts are plain text",
        kind="checkbox",
        seldom=True,
    ),
)

# As headings, which begin with a capital letter.
CHANNEL_NAMES: Mapping[str, str] = {
    each: f"{channel_words(each)[0].upper()}{channel_words(each)[1:]}" for each in Channel
}
