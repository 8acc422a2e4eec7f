"""The guide to channels: its settings are those of the providers, and its commands exist."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.docs.guide_lines import blocks, section, table, typed
from tests.entrypoints.cli.test_help import command_of, commands
from watchword.adapters.channels.http.presets import PRESETS
from watchword.adapters.channels.http.settings import CUSTOM_SETTINGS
from watchword.adapters.channels.smtp import SmtpProvider
from watchword.application.ports.channels import Setting
from watchword.entrypoints.providers.built_in import BUILT_IN
from watchword.testing import FakeContext

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "channels" / "README.md").read_text()
CONFIGS = [json.loads(each) for each in blocks(GUIDE, "json")]
DECLARED: Mapping[str, Sequence[Setting]] = {
    "`smtp`": SmtpProvider().settings,
    **{f"`http`, preset `{name}`": preset.settings for name, preset in PRESETS.items()},
}


def provider_of(config: Mapping[str, Any]) -> str:
    """Return the provider whose settings a config has."""
    return "http" if {"preset", "method"} & config.keys() else "smtp"


@pytest.mark.parametrize("words", typed(GUIDE, "sh"), ids=" ".join)
def test_commands_and_their_flags_exist(words: list[str]) -> None:
    """Every `watchword` that is shown names a command, and flags that it has."""
    depth = 2 if tuple(words[:2]) in commands() else 1
    command = command_of(*words[:depth])
    flags = {flag for each in command.params for flag in each.opts} | {"--help"}

    assert {word for word in words if word.startswith("--")} <= flags


@pytest.mark.parametrize("config", CONFIGS, ids=lambda each: each.get("preset") or "described")
async def test_every_config_is_one_that_its_provider_takes(config: Mapping[str, Any]) -> None:
    """Copied as it stands, it creates a channel account of a service with a public address."""
    provider = BUILT_IN[provider_of(config)]()
    await provider.open(FakeContext())
    kept = provider.check_config(config)
    await provider.close()

    assert set(config) <= set(kept)


def test_every_preset_has_first_steps() -> None:
    """Each is shown as a config of its own, beside a mail server and an API that is described."""
    shown = [each.get("preset") or provider_of(each) for each in CONFIGS]

    assert sorted([*PRESETS, "smtp", "http"]) == sorted(shown)


@pytest.mark.parametrize("name", DECLARED)
def test_the_settings_are_those_that_are_declared(name: str) -> None:
    """Required ones, optional ones, and in italics those that are secret."""
    rows = {row[0]: row[1:] for row in table(GUIDE, "provider or preset")}
    told = {
        (re.sub(r"[`*]", "", each), column == 0, each.startswith("*"))
        for column, cell in enumerate(rows[name])
        for each in cell.split()
    }

    assert {(each.name, each.required, each.secret) for each in DECLARED[name]} == told


def test_the_members_of_a_described_api_are_all_named() -> None:
    """The table names each member of the config, and the text what stands in them."""
    members = {each.name.partition(".")[0] for each in CUSTOM_SETTINGS}
    rows = {row[0]: " ".join(row[1:]) for row in table(GUIDE, "provider or preset")}
    named = set(re.findall(r"`(\w+)`", rows["`http`, described"]))
    explained = section(GUIDE, "Settings")
    leaves = {each.name.rpartition(".")[2] for each in CUSTOM_SETTINGS}

    assert members == named
    assert set() == {leaf for leaf in leaves if not re.search(rf"\b{leaf}\b", explained)}


def codes_in(folder: str, prefix: str = "") -> set[str]:
    """Return the error codes with which the modules of a folder reject a message."""
    codes = set()
    for path in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=str(code)), *_]) if (
                    name in ("Rejected", "NotSentError", "away", "_away", "_unfit")
                ):
                    codes.add(f"{prefix}{code.removeprefix(prefix)}")
    return codes


def test_every_code_of_a_rejection_is_explained() -> None:
    """An operator finds each code that Watchword itself makes in the table."""
    made = codes_in("application/provider_calls") | codes_in("adapters/channels/smtp", "smtp_")
    made |= codes_in("adapters/channels/http", "http_")
    told = re.findall(r"`([a-z_]+)`", " ".join(row[0] for row in table(GUIDE, "code")))

    assert len(made) > 15
    assert set() == made - {*told}


def test_the_codes_exist() -> None:
    """Every error code of the table is one that some module has."""
    sources = "".join(
        path.read_text()
        for layer in ("adapters/channels", "application", "domain")
        for path in (ROOT / layer).rglob("*.py")
    )
    codes = re.findall(r"`([a-z_]+)`", " ".join(row[0] for row in table(GUIDE, "code")))

    assert len(codes) > 20
    # An HTTP API's code has the name of its preset in front.
    assert set() == {
        code
        for code in codes
        if not any(f'"{each}"' in sources for each in (code, code.removeprefix("http_")))
    }
