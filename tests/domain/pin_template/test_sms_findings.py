"""What findings say about each SMS of a template (C-87)."""

from __future__ import annotations

from typing import Any

import pytest

from watchword.domain.channel import Channel
from watchword.domain.pin_template import TemplateChannel
from watchword.domain.pin_template.pin_type import PinType
from watchword.domain.pin_template.policy import PinPolicy
from watchword.domain.pin_template.sms_findings import sms_findings
from watchword.domain.sms.length import Encoding

POLICY = PinPolicy()
HOST = "shop.example"
HASH = "FA+9qCX9VSu"


def entry(text: str, channel: Channel = Channel.SMS, **more: Any) -> TemplateChannel:
    """Return a channel entry."""
    return TemplateChannel(
        id="entry", channel_type=channel, channel_account_id="account", content_text=text, **more
    )


def said(text: str, policy: PinPolicy = POLICY, **more: Any) -> str:
    """Return the message about an SMS."""
    (finding,) = sms_findings(policy, [entry(text, **more)])
    return finding.message


def test_each_sms_has_one_finding() -> None:
    """At its own path; other channels have none."""
    found = sms_findings(
        POLICY, [entry("{{pin}}"), entry("{{pin}}", Channel.EMAIL), entry("{{pin}} \u0915")]
    )

    assert [
        ("channels[0].contentText", Encoding.GSM_7, 1),
        ("channels[2].contentText", Encoding.UCS_2, 1),
    ] == [(each.field, each.encoding, each.segments) for each in found]


@pytest.mark.parametrize(
    ("text", "more", "encoding", "segments"),
    [
        ("x" * 154 + "{{pin}}", {}, Encoding.GSM_7, 1),
        ("x" * 155 + "{{pin}}", {}, Encoding.GSM_7, 2),
        ("\u00e4" * 154 + "{{pin}}", {"unicode": True}, Encoding.UCS_2, 3),
        ("\u0915" * 64 + "{{pin}}", {}, Encoding.UCS_2, 1),
        # The last line of 22 characters, and the empty line before it, count.
        ("x" * 132 + "{{pin}}", {"web_otp_origin": HOST}, Encoding.GSM_7, 2),
        ("x" * 131 + "{{pin}}", {"web_otp_origin": HOST}, Encoding.GSM_7, 1),
        ("x" * 142 + "{{pin}}", {"app_hash": HASH}, Encoding.GSM_7, 1),
        ("x" * 143 + "{{pin}}", {"app_hash": HASH}, Encoding.GSM_7, 2),
        ("{{1}}{{2}}{{pin}}", {"param_defaults": {"2": "x" * 155}}, Encoding.GSM_7, 2),
    ],
)
def test_segments_are_those_of_the_text_as_it_goes_out(
    text: str, more: dict[str, Any], encoding: Encoding, segments: int
) -> None:
    """With a code, the defaults, and the last line."""
    (finding,) = sms_findings(POLICY, [entry(text, **more)])

    assert (encoding, segments) == (finding.encoding, finding.segments)


def test_characters_that_cost_a_segment_are_named() -> None:
    """The first five that GSM-7 does not have; or that the entry asks for Unicode."""
    assert "GSM-7 does not have \u2019 \u00eb." in said("It\u2019s {{pin}}, No\u00eb\u2019s")
    assert "\u0430 \u0431 \u0432 \u0433 \u0434 and others." in said(
        "\u0430\u0431\u0432\u0433\u0434\u0435{{pin}}"
    )
    assert "asks for Unicode" in said("{{pin}}", unicode=True)


def test_values_that_are_not_known_yet_are_named() -> None:
    """Positions without a default may make the text longer."""
    assert "The values of {{1}}, {{10}} come on top." in said("{{10}} {{1}} {{pin}}")
    assert "come on top" not in said("{{1}} {{pin}}", param_defaults={"1": "x"})


@pytest.mark.parametrize(
    ("text", "policy", "more", "lost"),
    [
        ("{{pin}}", POLICY, {}, "set webOtpOrigin for a website, or appHash for an app"),
        ("x" * 130 + "{{pin}}", POLICY, {"app_hash": HASH}, "has 148 bytes in UTF-8"),
        ("\u0915" * 43 + "{{pin}}", POLICY, {"app_hash": HASH}, "has 147 bytes in UTF-8"),
        ("x" * 120 + "{{pin}}", POLICY, {"web_otp_origin": HOST}, "has 149 characters"),
        # Chrome would hand this code to the other site, or none.
        (
            "{{pin}} @other.example #{{pin}}",
            POLICY,
            {"web_otp_origin": HOST},
            "this one has another",
        ),
        (
            f"@other.example #1 {{{{pin}}}}\n@{HOST} #{{{{pin}}}}",
            POLICY,
            {},
            "this one has another",
        ),
        (
            "{{pin}}",
            PinPolicy(pin_type=PinType.ALPHA),
            {"web_otp_origin": HOST},
            "100% of these codes have none",
        ),
        (
            "{{pin}}",
            PinPolicy(pin_type=PinType.ALPHANUMERIC),
            {"web_otp_origin": HOST},
            "17% of these codes have none",
        ),
    ],
)
def test_what_phones_cannot_read_is_said(
    text: str, policy: PinPolicy, more: dict[str, Any], lost: str
) -> None:
    """No line for autofill, too long a text, codes without digits."""
    assert lost in said(text, policy, **more)


@pytest.mark.parametrize(
    ("text", "policy", "more"),
    [
        ("{{pin}}", POLICY, {"web_otp_origin": HOST}),
        ("{{pin}}", POLICY, {"app_hash": HASH}),
        # Whoever wrote the last line, phones read it.
        (f"{{{{pin}}}}\n\n@{HOST} #{{{{pin}}}}", POLICY, {}),
        (f"{{{{pin}}}}\n{HASH}", POLICY, {}),
        # An address and a number sign are no code of a site.
        ("ann@other.example: #{{pin}}", POLICY, {"web_otp_origin": HOST}),
        ("{{pin}}", PinPolicy(pin_type=PinType.HEX), {"web_otp_origin": HOST}),
        ("{{pin}}", PinPolicy(pin_type=PinType.ALPHA), {"app_hash": HASH}),
    ],
)
def test_a_text_that_phones_read_has_its_length_alone(
    text: str, policy: PinPolicy, more: dict[str, Any]
) -> None:
    """One sentence, about segments."""
    assert said(text, policy, **more).endswith(" characters.")
