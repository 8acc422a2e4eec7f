"""Providers that installed packages register: found, checked, and never in the way of others (C-72)."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import watchword
from tests.entrypoints.cli.processes import run
from tests.fakes.providers import ScriptedProvider
from tests.plugins import PIGEON, installed
from watchword import SettingsError
from watchword.adapters.log_lines import RENDERERS, logging_to
from watchword.entrypoints.providers import built_in

BROKEN = 'raise RuntimeError("the password is hunter2")'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield a folder from which packages are imported, and forget their modules at the end."""
    folder = tmp_path / "packages"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    before = {*sys.modules}
    yield folder
    for name in {*sys.modules} - before:
        file = getattr(sys.modules[name], "__file__", None) or ""
        if file.startswith(str(folder)):
            del sys.modules[name]


async def refusal(channels: Mapping[str, Any] | None = None) -> str:
    """Return why a service does not start."""
    with pytest.raises(SettingsError) as refused:
        async with watchword.open("memory://", channels=channels):
            pass
    return str(refused.value)


async def a_shop(service: watchword.Service, provider: str = "pigeon") -> None:
    """Make a shop whose codes go by a provider."""
    shop = await service.accounts.create("shop")
    await service.channel_accounts.create(shop, "sms", provider, "by air")
    await service.pin_templates.create(shop, "login", [{"channel_type": "sms"}])


async def sent_by(service: watchword.Service) -> watchword.SentPin:
    """Send a code of the shop."""
    (template,) = (await service.pin_templates.list("shop")).data
    return await service.pins.issue("shop", template, "+919812345610")


async def test_a_plugin_is_a_provider(folder: Path) -> None:
    """A channel account uses it by its name, and a code goes out."""
    installed(folder, "pigeons", pigeon="Pigeon")
    async with watchword.open("memory://") as service:
        await a_shop(service)
        sent = await sent_by(service)

    assert ["accepted"] == [each.status for each in sent.channels]


async def test_every_service_has_a_provider_of_its_own(folder: Path) -> None:
    """A factory is called once for each service, so that no two share connections."""
    count = PIGEON + "made = []\ndef pigeon():\n    made.append(1)\n    return Pigeon()\n"
    installed(folder, "pigeons", count, pigeon="pigeon")
    for _ in range(2):
        async with watchword.open("memory://"):
            pass

    assert [1, 1] == sys.modules["pigeons"].made


async def test_the_name_of_a_built_in_provider_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also that of the sandbox, and outside it: a code must not go elsewhere than it says."""
    installed(folder, "pigeons", sandbox="Pigeon")

    assert (
        "The plugin 'sandbox' of the package pigeons has the name of a provider of Watchword's own."
        " Uninstall the package."
    ) == await refusal()


async def test_every_built_in_name_is_taken(folder: Path) -> None:
    """Each name of the table refuses the start, in capitals too, which operators could mistake."""
    names = (*built_in.OWN_NAMES, *(each.upper() for each in built_in.OWN_NAMES))
    for number, name in enumerate(names):
        package = folder / str(number)
        package.mkdir()
        sys.path.insert(0, str(installed(package, f"pigeons-{number}", **{name: "Pigeon"})))
        try:
            assert f"The plugin {name!r}" in await refusal()
        finally:
            sys.path.remove(str(package))


async def test_two_plugins_of_one_name_are_refused(folder: Path) -> None:
    """The sentence names both packages."""
    installed(folder, "pigeons", pigeon="Pigeon")
    installed(folder, "doves", pigeon="Pigeon")

    assert (
        "The packages doves and pigeons both have a plugin 'pigeon'. Uninstall one of them."
    ) == await refusal()


async def test_an_embedders_provider_hides_no_plugin(folder: Path) -> None:
    """Nor the other way round: the name is refused (C-72)."""
    installed(folder, "pigeons", pigeon="Pigeon")

    assert (
        "The name 'pigeon' in channels= is that of the plugin of the package pigeons."
        " Choose another, or uninstall the package."
    ) == await refusal({"pigeon": ScriptedProvider()})


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def pigeon(): return object()", "(object) has no settings, no channels"),
        (PIGEON + "def pigeon(): return Pigeon", "is the class Pigeon. Give an object of it."),
        (
            PIGEON.replace("async def", "def") + "pigeon = Pigeon",
            "The send of the plugin 'pigeon' of the package pigeons (Pigeon) is no async function.",
        ),
    ],
    ids=["anything", "class", "plain send"],
)
async def test_an_incomplete_plugin_is_refused(folder: Path, source: str, said: str) -> None:
    """The check is that of `channels=` (D-154)."""
    installed(folder, "pigeons", source, pigeon="pigeon")

    told = await refusal()
    assert said in told
    assert "plugin 'pigeon' of the package pigeons" in told


@pytest.mark.parametrize(
    "source",
    [
        BROKEN,
        f"def pigeon():\n    {BROKEN}",
        "import no_such_module",
        "raise SystemExit(3)",
        "Dove = 1",
    ],
    ids=["import", "factory", "module", "exit", "no factory"],
)
async def test_a_plugin_that_fails_is_left_out(folder: Path, source: str, tmp_path: Path) -> None:
    """The log names it without the error's text; its accounts reject, and others send (D-230)."""
    installed(folder, "pigeons", pigeon="Pigeon")
    store = f"sqlite:///{tmp_path}/watchword.db"
    async with watchword.open(store) as service:
        await a_shop(service)
    (folder / "pigeons.py").write_text(source)
    del sys.modules["pigeons"]
    installed(folder, "doves", dove="Pigeon")
    stream = io.StringIO()
    with logging_to(stream, "info", RENDERERS["json"]):
        async with watchword.open(store) as service:
            with pytest.raises(watchword.DispatchFailedError) as failed:
                await sent_by(service)
            await service.channel_accounts.create("shop", "sms", "dove", "by air, too")
            with pytest.raises(watchword.ValidationFailedError) as refused:
                await service.channel_accounts.create("shop", "sms", "pigeon", "again")
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    (told,) = [line for line in lines if line["event"] == "plugin_not_loaded"]

    assert "provider_not_available" in str(failed.value.details)
    assert ("pigeon", "pigeons", "error") == (told["provider"], told["package"], told["level"])
    assert told["error"].isidentifier()
    assert "pigeons:Pigeon" == told["value"]
    assert "did not load; see plugin_not_loaded in the log" in refused.value.problems[0].message
    assert "hunter2" not in stream.getvalue()


@pytest.mark.parametrize(
    ("source", "place"),
    [
        (f"\n{BROKEN}", "pigeons.py:2 in <module>"),
        (f"def Pigeon():\n    {BROKEN}", "pigeons.py:2 in Pigeon"),
        ("\n\nif", "pigeons.py:3"),
    ],
    ids=["import", "factory", "syntax"],
)
async def test_the_place_of_a_plugins_fault_is_logged(
    folder: Path, source: str, place: str
) -> None:
    """File, line and function: the source itself may have a secret."""
    installed(folder, "pigeons", source, pigeon="Pigeon")
    stream = io.StringIO()
    with logging_to(stream, "info", RENDERERS["json"]):
        async with watchword.open("memory://"):
            pass
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    (told,) = [line for line in lines if line["event"] == "plugin_not_loaded"]

    assert told["places"][-1].endswith(place)
    assert "hunter2" not in stream.getvalue()


def test_an_offline_command_checks_a_config_with_a_plugin(folder: Path, tmp_path: Path) -> None:
    """`channel-accounts create` on a data directory knows the plugin and its settings."""
    source = PIGEON + (
        "    settings = (__import__('watchword').Setting(name='loft', required=True),)\n"
    )
    installed(folder, "pigeons", source, pigeon="Pigeon")
    variables = {"PYTHONPATH": str(folder), "WATCHWORD_DATA_DIR": str(tmp_path / "var")}
    create = ("channel-accounts", "create", "--account", "shop", "--type", "sms", "--name", "air")
    made = run("accounts", "create", "shop", **variables)
    refused = run(*create, "--provider", "pigeon", **variables)
    config = tmp_path / "config.json"
    config.write_text('{"loft": "roof"}')
    taken = run(*create, "--provider", "pigeon", "--config", str(config), **variables)

    assert 0 == made.returncode, made.stderr
    assert "loft" in refused.stderr
    assert (1, 0) == (refused.returncode, taken.returncode), taken.stderr
