"""Hashes of codes, under a key that is elsewhere (C-31), and of passwords, at full cost (C-42)."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from time import process_time

import pytest

from watchword.adapters.hashing import Argon2PasswordHasher, PasslibCodeHasher
from watchword.adapters.keyring import Keyring
from watchword.application.errors import UnavailableError
from watchword.application.ports.code_hasher import CodeKeyMissingError
from watchword.domain.pin.code import key_version

_AT_ONCE = """
import asyncio
from watchword.adapters.hashing import Argon2PasswordHasher

async def at_once():
    passwords = Argon2PasswordHasher()
    print(len(await asyncio.gather(*[passwords.hash("tea") for _ in range(3)])))
    passwords.close()

asyncio.run(at_once())
"""
ONE, TWO = b"1" * 32, b"2" * 32
OLD = Keyring(1, {1: ONE})
ROTATING = Keyring(2, {2: TWO, 1: ONE})
NEW = Keyring(2, {2: TWO})


@pytest.mark.parametrize("rounds", [1, 501])
async def test_a_code_matches_its_hash(rounds: int) -> None:
    """On the loop at low rounds, on a thread at high ones: the right code matches, no other."""
    hasher = PasslibCodeHasher(OLD, rounds)
    made = await hasher.hash("pin_1", 1, "4711")

    assert await hasher.matches("pin_1", 1, "4711", made)
    assert not await hasher.matches("pin_1", 1, "4712", made)
    assert not await hasher.matches("pin_1", 1, "", made)


async def test_a_hash_is_good_for_one_pin_and_issue() -> None:
    """Moved to another PIN, or kept from an older issue, it matches nothing (T6)."""
    hasher = PasslibCodeHasher(OLD)
    made = await hasher.hash("pin_1", 1, "4711")

    assert not await hasher.matches("pin_2", 1, "4711", made)
    assert not await hasher.matches("pin_1", 2, "4711", made)


async def test_equal_codes_have_different_hashes() -> None:
    """Two PINs with the same code do not show it."""
    hasher = PasslibCodeHasher(OLD)

    assert await hasher.hash("pin_1", 1, "4711") != await hasher.hash("pin_2", 1, "4711")
    assert await hasher.hash("pin_1", 1, "4711") != await hasher.hash("pin_1", 2, "4711")


async def test_without_the_key_no_code_matches() -> None:
    """All 10,000 codes of four digits, tried under another key: none (R7)."""
    made = await PasslibCodeHasher(OLD).hash("pin_1", 1, "4711")
    thief = PasslibCodeHasher(Keyring(1, {1: TWO}))
    tried = [await thief.matches("pin_1", 1, f"{code:04}", made) for code in range(10_000)]

    assert {False} == set(tried)


async def test_a_rotation_keeps_old_codes_alive() -> None:
    """New codes are made with the first version; the other still verifies (C-3)."""
    rotating = PasslibCodeHasher(ROTATING)
    old = await PasslibCodeHasher(OLD).hash("pin_1", 1, "4711")
    new = await rotating.hash("pin_1", 1, "4711")

    assert (1, 2) == (key_version(old), key_version(new))
    assert await rotating.matches("pin_1", 1, "4711", old)
    assert await rotating.matches("pin_1", 1, "4711", new)


async def test_a_missing_version_gives_no_verdict(caplog: pytest.LogCaptureFixture) -> None:
    """The code may be right, and another node can decide. One log line reports it (C-3)."""
    newer = await PasslibCodeHasher(NEW).hash("pin_1", 1, "4711")
    behind = PasslibCodeHasher(OLD)
    for code in ("4711", "4712"):
        with pytest.raises(CodeKeyMissingError):
            await behind.matches("pin_1", 1, code, newer)

    assert 1 == len(caplog.records)
    assert "code_key_missing" in caplog.text


@pytest.mark.parametrize("unreadable", ["", "$", "1", "1$", "one$x", "1$pbkdf2-sha256$x", "²$x"])
async def test_what_cannot_be_read_does_not_match(unreadable: str) -> None:
    """An unreadable hash is no match: it fails closed."""
    assert not await PasslibCodeHasher(OLD).matches("pin_1", 1, "4711", unreadable)


@pytest.fixture
def passwords() -> Iterator[Argon2PasswordHasher]:
    """Yield a hasher of passwords."""
    hasher = Argon2PasswordHasher()
    yield hasher
    hasher.close()


async def test_a_password_matches_its_hash(passwords: Argon2PasswordHasher) -> None:
    """argon2id over 64 MiB, three times, under a salt of its own; no other password matches."""
    one, two = await passwords.hash("tea"), await passwords.hash("tea")

    assert one.startswith("$argon2id$v=19$m=65536,t=3,p=1$")
    assert one != two
    assert await passwords.matches("tea", one, "192.0.2.1")
    assert not await passwords.matches("Tea", one, "192.0.2.1")


@pytest.mark.parametrize("unreadable", ["", "$argon2id$", "tea", "$1$tea$tea"])
async def test_an_unreadable_hash_matches_nothing(
    passwords: Argon2PasswordHasher, unreadable: str
) -> None:
    """Any text that is no hash matches no password."""
    assert not await passwords.matches("tea", unreadable, "192.0.2.1")


async def test_nobodys_password_takes_as_much_work(passwords: Argon2PasswordHasher) -> None:
    """The time of a login does not show whether the e-mail has a user."""

    async def work(password_hash: str | None) -> float:
        began = process_time()
        assert not await passwords.matches("coffee", password_hash, "192.0.2.1")
        return process_time() - began

    somebodys = f"$argon2id$v=19$m=65536,t=3,p=1${'c2FsdA' * 3}${'aGFzaA' * 7}A"
    assert 0.5 < await work(somebodys) / await work(None) < 2


def test_the_first_passwords_of_a_process_may_come_at_once() -> None:
    """Passlib replaces its methods at its first hash; those that wait for it are hashed too."""
    done = subprocess.run(
        [sys.executable, "-c", _AT_ONCE], capture_output=True, text=True, check=False
    )

    assert (0, "3\n") == (done.returncode, done.stdout), done.stderr


async def test_what_finds_too_many_waiting_is_refused_at_once(
    passwords: Argon2PasswordHasher,
) -> None:
    """32 are taken, and one after the other compared; the loop goes on meanwhile."""
    asked = [asyncio.create_task(passwords.matches("tea", None, "192.0.2.1")) for _ in range(40)]
    await asyncio.sleep(0)
    refused = [each for each in asked if each.done()]

    assert 8 == len(refused)
    assert all(isinstance(each.exception(), UnavailableError) for each in refused)
    for each in asked:
        each.cancel()
    await asyncio.gather(*asked, return_exceptions=True)
    assert not await passwords.matches("tea", None, "192.0.2.1")


async def test_a_flood_of_one_client_takes_no_turn_from_another(
    passwords: Argon2PasswordHasher,
) -> None:
    """A client behind 32 logins of another has a place, and the turn after the current one."""
    flood = [asyncio.create_task(passwords.matches("tea", None, "192.0.2.1")) for _ in range(32)]
    await asyncio.sleep(0)

    assert not await passwords.matches("tea", None, "192.0.2.2")

    ended = [each for each in flood if each.done()]
    for each in flood:
        each.cancel()
    results = await asyncio.gather(*flood, return_exceptions=True)
    displaced = [each for each in results if isinstance(each, UnavailableError)]
    assert 1 == len(displaced)
    # The displaced one, the one under way, and at most the one whose turn came behind.
    assert len(ended) <= 3
