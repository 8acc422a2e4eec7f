"""JSON for programs, which a terminal may show."""

from __future__ import annotations

import json

import pytest

from watchword.entrypoints.cli.output.json_text import echo_json


def test_no_text_in_json_steers_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Controls and directions of writing are escaped; a program reads the text as it is."""
    text = "te\x1b[2Ja \x9b31m \x7f \u202eaet ☕"
    echo_json({"text": text})
    shown = capsys.readouterr().out

    assert all(each.isprintable() or each == "\n" for each in shown)
    assert {"text": text} == json.loads(shown)
