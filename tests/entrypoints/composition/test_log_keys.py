"""The log's key at start: where it comes from, and which keys are refused (C-105)."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from tests.log_keys import LOG_KEY, LOG_NAME
from watchword.adapters.evidence.log_keys import LogKey, LogKeyError, read_log_keys
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.settings import Settings
from watchword.verify_evidence import Verifier

CODE_KEY = "1:" + "a" * 44


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Return the settings of a service on a file, which outlives a start."""
    return Settings(data_dir=tmp_path, code_key=CODE_KEY)


async def sealed(settings: Settings) -> tuple[str, list[str]]:
    """Start, sign a head and stop; return the origin, and the names of the keys that live."""
    async with wired(settings, run_due=False) as service:
        assert service.sealing is not None
        head = await service.sealing.seal()
        history = await service.sealing._keys.settle()
        return head.origin, [Verifier.parse(each.log_key).name for each in history[0].keys]


async def test_the_embedded_default_makes_a_key_named_after_the_store(settings: Settings) -> None:
    """The key is private, and its name is an id of the store."""
    origin, names = await sealed(settings)
    path = settings.data_dir / "log.key"
    (key,) = read_log_keys(path)

    assert 0o600 == path.stat().st_mode & 0o777
    assert [key.name] == names
    assert f"{key.name}/1" == origin
    assert key.name.startswith("watchword-")
    assert origin == (await sealed(settings))[0]


async def test_the_origin_may_be_chosen(settings: Settings) -> None:
    """`--log-origin` names the key that is made."""
    assert ("tea.example/1", ["tea.example"]) == await sealed(
        evolve(settings, log_origin="tea.example")
    )


async def test_a_given_key_makes_no_file(settings: Settings, tmp_path: Path) -> None:
    """A key by its variable, or in a file elsewhere, is the only one."""
    assert f"{LOG_NAME}/1" == (await sealed(evolve(settings, log_key=LOG_KEY)))[0]
    file = tmp_path / "elsewhere.key"
    file.touch(mode=0o600)
    file.write_text(LOG_KEY)
    assert f"{LOG_NAME}/1" == (await sealed(evolve(settings, log_key_file=file)))[0]

    assert not (tmp_path / "log.key").exists()


async def test_a_log_that_was_signed_gets_no_new_key(settings: Settings) -> None:
    """A missing file is named, and what to do if the key is lost; a new key of its name is taken."""
    origin, (name,) = await sealed(settings)
    (settings.data_dir / "log.key").unlink()
    with pytest.raises(LogKeyError, match=r"log\.key, is missing.*watchword audit new-key"):
        await sealed(settings)

    assert not (settings.data_dir / "log.key").exists()
    assert (origin, [name]) == await sealed(evolve(settings, log_key=LogKey.new(name).text))


async def test_a_key_of_another_name_is_refused(settings: Settings) -> None:
    """A log keeps its name, so that its heads extend each other."""
    await sealed(settings)
    with pytest.raises(LogKeyError, match="the key is one of PeterNeumann"):
        await sealed(evolve(settings, log_key=LOG_KEY))
    with pytest.raises(LogKeyError, match="they must be the same"):
        await sealed(evolve(settings, log_origin="tea.example"))


async def test_a_retired_key_is_refused(settings: Settings) -> None:
    """After a rotation, a node that still has the old key alone does not start."""
    old, new = LogKey.new("tea").text, LogKey.new("tea").text
    for keys in (old, f"{new},{old}", new):
        await sealed(evolve(settings, log_key=keys))
    with pytest.raises(LogKeyError, match="was retired"):
        await sealed(evolve(settings, log_key=old))


@pytest.mark.parametrize("key", ["nonsense", f"{LOG_KEY},{LOG_KEY}"])
async def test_a_key_that_cannot_be_read_is_refused(settings: Settings, key: str) -> None:
    """The start ends before anything is served."""
    with pytest.raises(LogKeyError):
        await sealed(evolve(settings, log_key=key))


async def test_nodes_on_postgresql_need_a_key_that_is_given(
    settings: Settings, postgres_url: str
) -> None:
    """Outside a sandbox none is made there, and the sentence says how to make one."""
    shared = evolve(settings, store=postgres_url)
    with pytest.raises(LogKeyError, match=r"WATCHWORD_LOG_KEY.*watchword audit new-key"):
        await sealed(shared)
    with pytest.raises(LogKeyError, match=r"log_key=.*watchword audit new-key"):
        await sealed(evolve(shared, embedded=True))

    assert f"{LOG_NAME}/1" == (await sealed(evolve(shared, log_key=LOG_KEY)))[0]
    assert not (settings.data_dir / "log.key").exists()


async def test_a_store_in_memory_has_a_key_in_memory(settings: Settings) -> None:
    """Neither outlives the process, nor leaves a file."""
    await sealed(evolve(settings, store="memory://"))

    assert [] == list(settings.data_dir.iterdir())
