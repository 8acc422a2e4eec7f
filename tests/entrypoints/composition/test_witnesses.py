"""`--witness`: read at start, and asked by the due work of a service (C-105)."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

import watchword
from tests.witness import SmallWitness
from watchword.application.evidence.witnessing import Witnessing
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.composition.witnesses import find_witnesses
from watchword.entrypoints.settings import Settings, SettingsError

OAK = SmallWitness(url="https://oak.example/one")


def test_witnesses_are_read_at_start(tmp_path: Path) -> None:
    """Several may be named; a slash at the end of an address is none of it."""
    elm = SmallWitness("elm.example/witness", url="https://elm.example/")
    found = find_witnesses(Settings(data_dir=tmp_path, witnesses=(OAK.setting, elm.setting)))

    assert [
        ("https://oak.example/one/add-checkpoint", OAK.verifier),
        ("https://elm.example/add-checkpoint", elm.verifier),
    ] == [(each.add_checkpoint, each.key) for each in found]


@pytest.mark.parametrize(
    ("named", "said"),
    [
        (("tea",), "--witness cannot be read"),
        ((f"oak.example,{OAK.verifier.vkey}",), "--witness has 'oak.example', which is no address"),
        ((OAK.setting, OAK.setting), "twice"),
    ],
)
def test_what_is_no_witness_is_refused(tmp_path: Path, named: tuple[str, ...], said: str) -> None:
    """A start says so, and which setting it means."""
    with pytest.raises(SettingsError, match=said):
        find_witnesses(Settings(data_dir=tmp_path, witnesses=named))
    with pytest.raises(SettingsError, match=r"^witnesses="):
        find_witnesses(Settings(data_dir=tmp_path, witnesses=named, embedded=True))


async def test_embedders_name_several(tmp_path: Path) -> None:
    """One text instead of a list is refused before anything is opened."""
    with pytest.raises(watchword.SettingsError, match="witnesses= is"):
        async with watchword.open("memory://", witnesses=OAK.setting):
            pass
    async with watchword.open("memory://", witnesses=[OAK.setting]):
        pass


async def test_a_service_without_witnesses_asks_nobody(tmp_path: Path) -> None:
    """Then there is no such work at all."""
    settings = Settings(store="memory://", data_dir=tmp_path)
    async with wired(settings, run_due=False) as without:
        assert not [each for each in without.due_work if isinstance(each, Witnessing)]
    async with wired(evolve(settings, witnesses=(OAK.setting,)), run_due=False) as one:
        assert 1 == len([each for each in one.due_work if isinstance(each, Witnessing)])
