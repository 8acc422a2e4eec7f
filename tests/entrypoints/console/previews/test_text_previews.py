"""Previews of SMS and e-mails."""

from tests.entrypoints.console.previews.drawing import drawn, read
from watchword.entrypoints.console.previews.email import email_preview
from watchword.entrypoints.console.previews.shown import Bubble, Run, Style
from watchword.entrypoints.console.previews.sms import sms_preview


def test_an_sms_counts_its_segments() -> None:
    """The line below an SMS says its alphabet, its segments, and which characters made it UCS-2."""
    said, _ = read(drawn(sms_preview("ê" + "a" * 70, sender="Watchword")))
    assert "SMS Watchword" in said
    assert "71 units in UCS-2, 2 segments, room for 63 more. Not in GSM-7: ê" in said


def test_a_short_sms_is_one_segment() -> None:
    """One segment is counted in the singular, and nothing is named as missing in GSM-7."""
    said, _ = read(drawn(sms_preview("Tea")))
    assert said.endswith("3 characters in GSM-7, 1 segment, room for 157 more")


def test_an_email_has_a_subject() -> None:
    """An e-mail shows who writes, its subject and its text; positions without a value are blanks."""
    preview = email_preview("Code for {{1}}", "It is 1.", sender="a@example.com", template=True)
    assert preview.subject == (Run("Code for "), Run("{{1}}", Style.BLANK))
    said, tags = read(drawn(preview))
    assert "a@example.com Code for {{1}} It is 1." in said
    assert "mark" in tags


def test_a_sent_text_has_no_blanks() -> None:
    """Braces in a text that somebody sent are text."""
    assert sms_preview("{{1}}").bubbles == (Bubble(text=(Run("{{1}}"),)),)


def test_a_text_is_text() -> None:
    """Markup in a text, a subject and a sender is shown, and not obeyed."""
    attack = "<script>alert(1)</script>"
    for preview in (
        sms_preview(attack, sender=attack),
        email_preview(attack, attack, sender=attack),
    ):
        said, tags = read(drawn(preview))
        assert "script" not in tags
        assert attack in said
