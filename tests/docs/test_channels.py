"""The guide to channels: its settings are those of the providers, and its commands exist."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from click import Option
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from tests.docs.guide_lines import blocks, section, table, typed
from tests.entrypoints.cli.test_help import command_of, commands
from watchword.adapters.channels.http.presets import PRESETS
from watchword.adapters.channels.http.settings import CUSTOM_SETTINGS
from watchword.application.ports.channels import Setting
from watchword.entrypoints.providers.built_in import BUILT_IN
from watchword.testing import FakeContext

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "how-to" / "channels"
# The names of the page of each provider, and of its error codes, where they differ from its own.
NAMES = {"rcs_business": "rcs", "whatsapp_cloud": "whatsapp"}
PAGES = {each: (FOLDER / f"{NAMES.get(each, each)}.md").read_text() for each in BUILT_IN}
# Texts of providers that look like codes: the object of Meta's webhooks.
NO_CODES = {"whatsapp_business_account"}
INDEX = (FOLDER / "README.md").read_text()
FAILOVER = (FOLDER / "failover.md").read_text()
GUIDES = [INDEX, *PAGES.values()]
CONFIGS = [
    (provider, json.loads(each))
    for provider, page in PAGES.items()
    for each in blocks(page, "json")
]
# Each provider or preset: its page, the first cell of its row, and its settings.
DECLARED = [
    *(
        (provider, f"`{provider}`", make().settings)
        for provider, make in BUILT_IN.items()
        if provider != "http"
    ),
    *(("http", f"preset `{name}`", preset.settings) for name, preset in PRESETS.items()),
]


def test_every_provider_has_a_page_that_the_index_names() -> None:
    """An operator finds the page of each built-in provider in the table of the index."""
    linked = {row[0] for row in table(INDEX, "provider")}

    assert {f"[`{each}`]({NAMES.get(each, each)}.md)" for each in BUILT_IN} <= linked


def test_the_help_of_a_create_names_every_provider() -> None:
    """An operator need not list them first."""
    (option,) = [
        each for each in command_of("channel-accounts", "create").params if each.name == "provider"
    ]
    assert isinstance(option, Option)

    assert set() == BUILT_IN.keys() - {*re.split("[ ,]+", str(option.help))}


@pytest.mark.parametrize(
    "words",
    [words for guide in (*GUIDES, FAILOVER) for words in typed(guide, "sh")],
    ids=" ".join,
)
def test_commands_and_their_flags_exist(words: list[str]) -> None:
    """Every `watchword` that is shown names a command, and flags that it has."""
    depth = 2 if tuple(words[:2]) in commands() else 1
    command = command_of(*words[:depth])
    flags = {flag for each in command.params for flag in each.opts} | {"--help"}

    assert {word for word in words if word.startswith("--")} <= flags


@pytest.mark.parametrize(("provider", "config"), CONFIGS)
async def test_every_config_is_one_that_its_provider_takes(
    provider: str, config: Mapping[str, Any]
) -> None:
    """Copied as it stands, it creates a channel account of a service with a public address."""
    if provider == "rcs_business":
        # No page shows a key.
        config = {**config, "serviceAccount": {**config["serviceAccount"], "private_key": a_key()}}
    opened = BUILT_IN[provider]()
    await opened.open(FakeContext())
    kept = opened.check_config(config)
    await opened.close()

    assert set(config) <= set(kept)


def test_every_preset_and_provider_has_a_config() -> None:
    """Each is shown with a config of its own, and HTTP with one that is described."""
    shown = [config.get("preset", provider) for provider, config in CONFIGS]

    assert {*PRESETS, *BUILT_IN} == set(shown)


@pytest.mark.parametrize(
    ("provider", "row", "settings"), DECLARED, ids=[row for _, row, _ in DECLARED]
)
def test_the_settings_are_those_that_are_declared(
    provider: str, row: str, settings: Sequence[Setting]
) -> None:
    """Required ones, optional ones, and in italics those that are secret."""
    rows = {each[0]: each[1:] for each in table(PAGES[provider], "provider or preset")}
    told = {
        (re.sub(r"[`*]", "", each), column == 0, each.startswith("*"))
        for column, cell in enumerate(rows[row])
        for each in cell.split()
    }

    assert {(each.name, each.required, each.secret) for each in settings} == told


def test_the_members_of_a_described_api_are_all_named() -> None:
    """The table names each member of the config, and the text what stands in them."""
    members = {each.name.partition(".")[0] for each in CUSTOM_SETTINGS}
    rows = {row[0]: " ".join(row[1:]) for row in table(PAGES["http"], "provider or preset")}
    named = set(re.findall(r"`(\w+)`", rows["described"]))
    explained = section(PAGES["http"], "Another HTTP API")
    leaves = {each.name.rpartition(".")[2] for each in CUSTOM_SETTINGS}

    assert members == named
    assert set() == {leaf for leaf in leaves if not re.search(rf"\b{leaf}\b", explained)}


def a_key() -> str:
    """Return a new key of a service account."""
    key = generate_private_key(public_exponent=65537, key_size=2048)
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def codes_in(place: str, prefix: str = "") -> set[str]:
    """
    Return the error codes with which a module, or the modules of a folder, reject a message.

    They are the first argument of a rejection, or any text that begins with the provider's name and is
    no line of the log.
    """
    codes, logged = set(), set()
    for path in [ROOT / place] if place.endswith(".py") else (ROOT / place).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id="_log")),
                    args=[ast.Constant(value=str(line)), *_],
                ):
                    logged.add(line)
                case ast.Call(
                    func=ast.Name(id=name) | ast.Attribute(attr=name),
                    args=[ast.Constant(value=str(code)), *_],
                ) if name in ("Rejected", "NotSentError", "away", "_away", "_refused", "_unfit"):
                    codes.add(f"{prefix}{code.removeprefix(prefix)}")
                case ast.Constant(value=str(code)) if prefix and re.fullmatch(
                    rf"{prefix}[a-z_]*[a-z]", code
                ):
                    codes.add(code)
    return codes - logged - BUILT_IN.keys() - NO_CODES


def told_in(guide: str, first: str = "code") -> set[str]:
    """Return the error codes of a table."""
    return set(re.findall(r"`([a-z_]+)`", " ".join(row[0] for row in table(guide, first))))


def test_every_code_that_providers_share_is_explained() -> None:
    """An operator finds each code that no provider's name begins in the tables of the index."""
    made = codes_in("application/provider_calls")
    endings = codes_in("adapters/channels/http_client")

    assert len(made) > 4
    assert len(endings) > 4
    assert set() == made - told_in(INDEX)
    assert endings == told_in(INDEX, "ending")


@pytest.mark.parametrize("provider", BUILT_IN)
def test_every_code_of_a_provider_is_explained(provider: str) -> None:
    """An operator finds each code that Watchword itself makes on the page of the provider."""
    prefix = f"{NAMES.get(provider, provider)}_"
    shared = {f"{prefix}{each}" for each in told_in(INDEX, "ending")}
    made = codes_in(f"adapters/channels/{provider}", prefix)
    if provider in ("smpp", "smtp"):
        made |= codes_in("adapters/channels/servers.py", prefix)

    assert made
    assert set() == made - told_in(PAGES[provider]) - told_in(INDEX) - shared


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.splitlines()[0])
def test_the_codes_exist(guide: str) -> None:
    """Every error code of a table is one that some module has."""
    sources = "".join(
        path.read_text()
        for layer in ("adapters/channels", "application", "domain")
        for path in (ROOT / layer).rglob("*.py")
    )
    codes = told_in(guide)

    assert codes
    # The code of an HTTP API has the name of its preset, or of its provider, in front.
    assert set() == {
        code
        for code in codes
        if not any(f'"{each}"' in sources for each in (code, code.partition("_")[2]))
    }
