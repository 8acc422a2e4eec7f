"""The code key at start: made once, recognised, rotated, refused (C-3, C-65)."""

from __future__ import annotations

import base64
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from attrs import evolve

from tests.contracts.event_store.histories import step
from tests.entrypoints.conftest import listening
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.adapters.keyring import Keyring, KeyringError
from watchword.adapters.sealing import AesGcmSealer
from watchword.adapters.vault import INDEX, Vault
from watchword.application.caller import Caller
from watchword.application.ports.sealer import SealKey
from watchword.application.rewrapping_keys import RewrappingKeys
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.composition.code_keys import find_keyring
from watchword.entrypoints.settings import Settings, SettingsError
from watchword.entrypoints.wired import Wired
from watchword.entrypoints.worker import run_due

KEYS = {version: base64.b64encode(bytes([version]) * 32).decode() for version in (1, 2, 3)}
OLD, NEW = f"1:{KEYS[1]}", f"2:{KEYS[2]}"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Return the settings of a sandbox on a file, which outlives a start."""
    return Settings(sandbox=True, data_dir=tmp_path)


async def started(settings: Settings, code_key: str | None) -> None:
    """Start and stop."""
    async with wired(evolve(settings, code_key=code_key)):
        pass


async def rotated(settings: Settings) -> None:
    """Start with both keys, and do what its worker does about them."""
    both = evolve(settings, code_key=f"{NEW},{OLD}")
    async with wired(both, run_due=False) as service:
        await run_due([each for each in service.due_work if isinstance(each, RewrappingKeys)])


async def index_key(service: Wired) -> SealKey:
    """Return the wrapped index secret of a store."""
    kept = await service.store.seal_key(INDEX)
    assert kept is not None
    return kept


def secret(path: Path) -> Path:
    """Keep a code key in a file, for its owner alone."""
    path.touch(mode=0o600)
    path.write_text(f"{OLD}\n")
    return path


async def sent_under(settings: Settings, code_key: str) -> tuple[str, str]:
    """Create a PIN under a key, and return its id and code."""
    async with wired(evolve(settings, code_key=code_key)) as service, listening(service) as caller:
        return await caller.created(), await caller.code()


async def verified_under(settings: Settings, code_key: str, pin: tuple[str, str]) -> int:
    """Verify it under a key, and return the status."""
    async with wired(evolve(settings, code_key=code_key)) as service, listening(service) as caller:
        return (await caller.verify(*pin)).status


async def test_a_key_is_made_once(settings: Settings) -> None:
    """With no key given, `code.key` is created in the data directory, for its owner alone."""
    await started(settings, None)
    path = settings.data_dir / "code.key"
    made = path.read_text()
    await started(settings, None)

    assert made == path.read_text()
    assert 0o600 == path.stat().st_mode & 0o777
    assert made.startswith("1:")


async def test_a_key_file_is_read(settings: Settings, tmp_path: Path) -> None:
    """A named file serves; one that is not there is refused by name."""
    named = tmp_path / "elsewhere.key"
    missing = evolve(settings, code_key_file=named)
    with pytest.raises(KeyringError, match=r"no code key file at .*elsewhere\.key"):
        await started(missing, None)
    secret(named)
    await started(missing, None)

    assert not (settings.data_dir / "code.key").exists()


async def test_a_key_that_others_may_read_is_refused(settings: Settings) -> None:
    """`code.key` is its owner's alone, or nothing starts; the message says what to type (D-139)."""
    await started(settings, None)
    path = settings.data_dir / "code.key"
    path.chmod(0o604)
    with pytest.raises(KeyringError, match=f"Others may read .* Run: chmod 600 {path}"):
        await started(settings, None)
    path.chmod(0o600)
    await started(settings, None)


async def test_a_key_through_a_link_to_what_others_may_read_is_refused(
    settings: Settings, tmp_path: Path
) -> None:
    """The file that a symbolic link leads to is judged, and named (issue 19)."""
    readable = secret(tmp_path / "readable.key")
    readable.chmod(0o644)
    settings.data_dir.joinpath("code.key").symlink_to(readable)
    with pytest.raises(KeyringError, match=rf"{readable}, which .*code\.key leads to"):
        await started(settings, None)
    readable.chmod(0o600)
    await started(settings, None)


async def test_a_key_of_a_container_platform_is_taken(settings: Settings, tmp_path: Path) -> None:
    """Secrets come as links into a folder that is swapped whole, and that only its owner writes."""
    mounted = tmp_path / "secrets"
    version = mounted / "..2026_11_22"
    version.mkdir(parents=True)
    mounted.chmod(0o1777)
    secret(version / "code.key")
    (mounted / "..data").symlink_to(version.name)
    (mounted / "code.key").symlink_to("..data/code.key")
    await started(evolve(settings, code_key_file=mounted / "code.key"), None)
    version.chmod(0o777)
    with pytest.raises(KeyringError, match=f"they may write {version}. Run: chmod go-w {version}"):
        await started(evolve(settings, code_key_file=mounted / "code.key"), None)


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o1777])
async def test_a_data_directory_that_others_may_write_is_refused(
    settings: Settings, mode: int
) -> None:
    """They could put a store or a key of their own there; a sticky bit keeps them from neither."""
    folder = settings.data_dir
    folder.chmod(mode)
    with pytest.raises(SettingsError, match=f"the data directory, {folder}.* chmod go-w {folder}"):
        await started(settings, None)

    assert [] == list(folder.iterdir())

    await started(evolve(settings, store="memory://"), None)
    folder.chmod(0o755)
    await started(settings, None)


async def test_a_data_directory_that_is_made_is_its_owners_alone(settings: Settings) -> None:
    """The next start accepts what a start creates, under any umask."""
    made = evolve(settings, data_dir=settings.data_dir / "made")
    usual = os.umask(0)
    try:
        await started(made, None)
    finally:
        os.umask(usual)
    await started(made, None)

    assert 0o700 == made.data_dir.stat().st_mode & 0o777


async def test_another_key_is_refused(settings: Settings) -> None:
    """A key other than the store's does not start (C-3)."""
    await started(settings, OLD)
    with pytest.raises(KeyringError, match="Version 1 of the code key is not the one"):
        await started(settings, f"1:{KEYS[2]}")
    await started(settings, OLD)


async def test_a_lost_key_file_is_noticed(settings: Settings) -> None:
    """A fresh `code.key` beside an old store is another key."""
    await started(settings, None)
    (settings.data_dir / "code.key").unlink()
    with pytest.raises(KeyringError, match=r"is missing\. Restore the file"):
        await started(settings, None)


async def test_a_rotation_has_two_versions(settings: Settings) -> None:
    """While both are there, old codes verify and new ones are made with the first."""
    old = await sent_under(settings, OLD)

    assert 200 == await verified_under(settings, f"{NEW},{OLD}", old)

    new = await sent_under(settings, f"{NEW},{OLD}")
    await rotated(settings)

    assert 200 == await verified_under(settings, NEW, new)


async def test_a_version_that_live_codes_need_is_asked_for(settings: Settings) -> None:
    """A node without it refuses to start, and names it (C-65)."""
    old = await sent_under(settings, OLD)
    with pytest.raises(KeyringError, match="Live codes need version 1 of the code key"):
        await started(settings, NEW)

    assert 200 == await verified_under(settings, f"{NEW},{OLD}", old)

    await rotated(settings)
    await started(settings, NEW)


async def test_a_version_is_needed_until_its_codes_have_expired(settings: Settings) -> None:
    """After their time to live the old version may go."""
    async with wired(evolve(settings, code_key=OLD)) as service, listening(service) as caller:
        await caller.created()
        await caller.advance(600)
    await rotated(settings)
    await started(settings, NEW)


async def test_a_version_that_any_key_needs_is_asked_for(settings: Settings) -> None:
    """A node without it refuses to start until a worker has wrapped every key anew (C-3)."""
    async with wired(evolve(settings, code_key=OLD)) as service:
        account = await service.accounts.create(Caller("", "admin", ""), "orchid")
        by = Caller(account.id, "admin", "")
        await service.callbacks.create(by, url="https://192.0.43.8/told")
        sealer = AesGcmSealer(Keyring.parse(OLD))
        keys = tuple(sealer.new_key(name) for name in ("run_tea", "store", account.id))
        await service.store.append(step(keeping=keys))
    with pytest.raises(KeyringError, match="channel accounts or fallbacks need version 1"):
        await started(settings, NEW)
    await rotated(settings)
    async with wired(evolve(settings, code_key=NEW)) as service:
        moved = [await service.store.seal_key(each.name) for each in keys]

    assert [2, 2, 2] == [each.version for each in moved if each is not None]


async def test_the_finder_of_people_stays_the_same(settings: Settings) -> None:
    """No start and no rotation changes the index secret; a store with people starts with it alone (D-312)."""
    secrets = []
    await sent_under(settings, OLD)
    for key in (OLD, f"{NEW},{OLD}", f"{NEW},{OLD}"):
        async with wired(evolve(settings, code_key=key)) as service:
            vault = Vault(Keyring.parse(key))
            vault.learn([await index_key(service)])
            secrets.append(vault.hashed("tea"))
        await rotated(settings)
    async with wired(evolve(settings, code_key=f"{NEW},{OLD}")) as service:
        kept = await index_key(service)
        await service.store.append(step(dropping=(INDEX,)))

    assert 1 == len(set(secrets))
    with pytest.raises(KeyringError, match="lacks the secret that finds people"):
        await started(settings, f"{NEW},{OLD}")

    store = await SqliteEventStore.open(settings.data_dir / "watchword.db")
    await store.keep_key(kept)
    await store.close()
    await started(settings, f"{NEW},{OLD}")


async def test_a_refused_key_leaves_no_trace(settings: Settings) -> None:
    """The version of a key that was refused is still free for the right one."""
    await sent_under(settings, OLD)
    with pytest.raises(KeyringError, match="Live codes need version 1"):
        await started(settings, NEW)
    await started(settings, f"2:{KEYS[3]},{OLD}")


async def test_a_missing_check_value_lets_no_other_key_in(settings: Settings) -> None:
    """Another key would find nobody; the settings keep nothing of it, and the right one starts again."""
    await started(settings, OLD)
    with closing(sqlite3.connect(settings.data_dir / "watchword.db")) as file, file:
        file.execute("DELETE FROM settings WHERE name = 'code_key:1'")
    with pytest.raises(KeyringError, match="not the one this store was written with"):
        await started(settings, f"1:{KEYS[3]}")

    await started(settings, OLD)


async def test_an_index_secret_that_does_not_open_is_refused_with_a_sentence(
    settings: Settings,
) -> None:
    """Nobody can be found or met until a backup brings it back."""
    await started(settings, OLD)
    with closing(sqlite3.connect(settings.data_dir / "watchword.db")) as file, file:
        file.execute("UPDATE seal_keys SET version = 9 WHERE name = 'index'")
    with pytest.raises(KeyringError, match="does not open the secret that finds people"):
        await started(settings, OLD)


@pytest.mark.parametrize(
    ("code_key", "says"),
    [
        (f"{OLD},{OLD}", "version 1 twice"),
        (f"{OLD},{NEW},3:{KEYS[3]}", "more than 2 versions"),
        ("tea", "form"),
    ],
)
async def test_a_malformed_key_is_refused(settings: Settings, code_key: str, says: str) -> None:
    """Twice the same version, three versions, no version: nothing starts (C-65)."""
    with pytest.raises(KeyringError, match=says):
        await started(settings, code_key)


async def test_a_store_in_memory_needs_no_file(settings: Settings) -> None:
    """Store and key end with the process."""
    await started(evolve(settings, store="memory://"), None)

    assert [] == list(settings.data_dir.iterdir())


async def test_replays_survive_a_rotation(settings: Settings) -> None:
    """A saved answer is found under each live version's fingerprint (C-10)."""
    answers = []
    for code_key in (OLD, f"{NEW},{OLD}"):
        keyed = evolve(settings, code_key=code_key)
        async with wired(keyed) as service, listening(service) as caller:
            answers.append((await caller.create(once="tea")).body)

    assert answers[0] == answers[1]


def test_postgresql_wants_a_key(settings: Settings) -> None:
    """Its nodes share one, so none is made; a sandbox may make do with its own (C-3)."""
    shared = evolve(settings, store="postgresql://pin@127.0.0.1:1/pins")
    with pytest.raises(
        KeyringError, match=r"All nodes on one PostgreSQL .* Make one with: echo 1:"
    ):
        find_keyring(evolve(shared, sandbox=False))

    assert not settings.data_dir.joinpath("code.key").exists()
    assert find_keyring(shared) == find_keyring(shared)
