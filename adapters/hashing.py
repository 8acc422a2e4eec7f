"""
Hashes of codes, a passlib hash of a keyed HMAC (C-31), and of passwords, passlib's argon2 (C-42).

The only module that imports passlib. A code of six digits cannot be protected by a slow hash: all
10^6 of them take minutes at 1000 rounds, and hours at a cost that no server could bear. The key does
it, which is 256 bits and never in the store. So the rounds of the hash over it are a setting with a
low default, and buy nothing but defence against a leaked key that is also slow to try. Passwords of
people have no such key, and get the full cost.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.hmac import HMAC
from passlib.hash import argon2, pbkdf2_sha256
from passlib.utils.binary import ab64_encode

from ..application.ports.code_hasher import CodeKeyMissingError
from .fair_line import FairLine
from .keyring import Keyring, KeyringError, Purpose
from .logs import logger

T = TypeVar("T")

# Above this a hash takes longer than the way to another thread and back (0.2 ms, measured).
_INLINE_ROUNDS = 500
_HASHING_THREADS = 2
_SHA256 = SHA256()
_FIRST_BLOCK = (1).to_bytes(4, "big")
# RFC 9106's cost for machines short of memory, and the library's: 64 MiB, three times over. On one
# lane, so that a login takes one core and leaves the others to whoever is served meanwhile.
_ARGON2: type[argon2] = argon2.using(  # type: ignore[no-untyped-call]  # passlib has no types
    type="ID", rounds=3, memory_cost=64 * 1024, parallelism=1
)
_PASSWORD_THREADS = 1
# Logins that wait for the thread, and the one on it: some seconds' worth.
_MOST_PASSWORDS = 32
# Whose passwords are hashed to be kept: an operator's call is no client's login.
_OPERATORS = "operators"
_PASSWORD_NICENESS = 5
# A hash like those of `_ARGON2`, which no password has: salt and digest are all zeros.
_NOBODYS = f"$argon2id$v=19$m=65536,t=3,p=1${'A' * 22}${'A' * 43}"
_log = logger("watchword.hashing")


class PasslibCodeHasher:
    """
    Hashes codes with pbkdf2_sha256 over HMAC-SHA256(key, pin, issue, code).

    The PIN and the issue number are inside the HMAC, so a hash moved to another PIN, or kept from
    an older issue, matches nothing. Fails closed: an unreadable hash is no match, and for a key that
    is missing there is no verdict.
    """

    def __init__(self, keyring: Keyring, rounds: int = 1) -> None:
        self._newest = keyring.newest
        # Copied for each code: to begin with a key takes longer than all that follows, and a copy of the
        # standard library's takes twice as long as this one (measured).
        self._keys = {
            version: HMAC(key, _SHA256) for version, key in keyring.subkeys(Purpose.CODE).items()
        }
        self._missed: set[int] = set()
        self._rounds = rounds
        # No salt: the PIN and issue inside the HMAC make every input unique already.
        self._settings = f"$pbkdf2-sha256${rounds}$$"
        self._threads = (
            ThreadPoolExecutor(_HASHING_THREADS, "watchword-hasher")
            if rounds > _INLINE_ROUNDS
            else None
        )
        self._self_test()

    async def hash(self, pin_id: str, issue: int, code: str) -> str:
        """Hash a code with the newest key version."""
        if self._threads is None:
            return self._hash(pin_id, issue, code)
        return await asyncio.get_running_loop().run_in_executor(
            self._threads, self._hash, pin_id, issue, code
        )

    async def matches(self, pin_id: str, issue: int, code: str, code_hash: str) -> bool:
        """
        Whether `code` is the one behind `code_hash`; compared in constant time.

        Raises `CodeKeyMissingError`, which is logged once per version.
        """
        if self._threads is None:
            return self._matches(pin_id, issue, code, code_hash)
        return await asyncio.get_running_loop().run_in_executor(
            self._threads, self._matches, pin_id, issue, code, code_hash
        )

    def _hash(self, pin_id: str, issue: int, code: str) -> str:
        keyed = _keyed(self._keys[self._newest], pin_id, issue, code)
        return f"{self._newest}{self._hashed(keyed)}"

    def _matches(self, pin_id: str, issue: int, code: str, code_hash: str) -> bool:
        version, separator, rest = code_hash.partition("$")
        if not separator or not version.isdecimal():
            return False
        key = self._keys.get(int(version))
        if key is None:
            self._miss(int(version))
            raise CodeKeyMissingError
        keyed = _keyed(key, pin_id, issue, code)
        text = f"${rest}"
        if text.startswith(self._settings):
            # Without a salt the same settings give the same text; it need not be taken apart.
            return hmac.compare_digest(self._hashed(keyed), text)
        try:
            return bool(pbkdf2_sha256.verify(keyed, text))
        except (ValueError, TypeError):
            return False

    def _miss(self, version: int) -> None:
        if version not in self._missed:
            self._missed.add(version)
            _log.error("code_key_missing", version=version)

    def _hashed(self, keyed: str) -> str:
        # passlib's form without its handlers: made for salts and settings of every kind, they take
        # four times as long as the hash (measured). The self-test has them read what is made here.
        if self._rounds == 1:
            # Then it is one HMAC of the block's number (RFC 8018, 5.2), and made in less.
            block = HMAC(keyed.encode(), _SHA256)
            block.update(_FIRST_BLOCK)
            digest = block.finalize()
        else:
            digest = hashlib.pbkdf2_hmac("sha256", keyed.encode(), b"", self._rounds)
        return f"{self._settings}{ab64_encode(digest).decode()}"

    def _self_test(self) -> None:
        # passlib meets other libraries at run time; a broken pairing must not be found by a guess.
        right = _keyed(self._keys[self._newest], "pin_self_test", 1, "123456")
        made = self._hash("pin_self_test", 1, "123456")
        if (
            not pbkdf2_sha256.verify(right, f"${made.partition('$')[2]}")
            or not self._matches("pin_self_test", 1, "123456", made)
            or self._matches("pin_self_test", 1, "123457", made)
        ):
            raise KeyringError(
                "The hash of codes fails its self-test. Check the passlib installed."
            )


def _keyed(key: HMAC, pin_id: str, issue: int, code: str) -> str:
    keyed = key.copy()
    # No id and no number holds a NUL, so no two triples read the same.
    keyed.update(f"{pin_id}\0{issue}\0{code}".encode())
    return keyed.finalize().hex()


class Argon2PasswordHasher:
    """
    Hashes passwords with argon2id on a thread of its own, which needs no interpreter meanwhile.

    One password at a time and 32 in all: what comes on top is refused, so that a flood of logins
    costs one core and 64 MiB, and nobody but other logins waits. Clients take turns (D-143).
    """

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(
            _PASSWORD_THREADS, "watchword-passwords", initializer=_step_back
        )
        self._line = FairLine(_MOST_PASSWORDS - 1)

    async def hash(self, password: str) -> str:
        """Hash a password with a salt of its own."""
        return await self._run(_OPERATORS, _ARGON2.hash, password)

    async def matches(self, password: str, password_hash: str | None, client: str) -> bool:
        """Whether `password` is behind the hash; without one, False after the same work."""
        return await self._run(client, _verified, password, password_hash or _NOBODYS)

    def close(self) -> None:
        """Let the thread end once what it is at is done."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _run(self, client: str, work: Callable[..., T], *given: str) -> T:
        await self._line.take(client)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work, *given)
        finally:
            self._line.release()


def _step_back() -> None:
    # Where there is one core, or all are busy, those who are served come first. Linux counts
    # threads here; a system that does not knows no such process.
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _PASSWORD_NICENESS)


def _verified(password: str, password_hash: str) -> bool:
    try:
        return bool(argon2.verify(password, password_hash))  # type: ignore[no-untyped-call]  # as above
    except (ValueError, TypeError):
        return False
