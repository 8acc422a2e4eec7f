"""
Hashes of codes (passlib's over a keyed HMAC, C-31) and of passwords (passlib's argon2, C-42).

This is the only module that imports passlib. A slow hash cannot protect a code of six digits: trying
all 10^6 codes takes minutes at 1000 rounds, and hours at a cost that no server could bear. The key
of 256 bits protects it, and the store never holds that key. So the number of rounds is a setting with
a low default; more rounds only slow down an attacker who has the key. Passwords have no such key and
get the full cost.
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

# Above this number a hash takes longer than a switch to another thread and back (0.2 ms, measured).
_INLINE_ROUNDS = 500
_HASHING_THREADS = 2
_SHA256 = SHA256()
_FIRST_BLOCK = (1).to_bytes(4, "big")
# The cost of RFC 9106 for machines short of memory, and the library's default: 64 MiB, three passes.
# One lane, so that a login takes one core and leaves the others to other requests.
_ARGON2: type[argon2] = argon2.using(  # type: ignore[no-untyped-call]  # passlib has no types
    type="ID", rounds=3, memory_cost=64 * 1024, parallelism=1
)
_PASSWORD_THREADS = 1
# Logins that wait for the thread, plus the one on it: a few seconds of work.
_MOST_PASSWORDS = 32
# The client name of calls that store a new password, which are an operator's and no login.
_OPERATORS = "operators"
_PASSWORD_NICENESS = 5
# A hash in the form of `_ARGON2` that matches no password: salt and digest are all zeros.
_DUMMY_HASH = f"$argon2id$v=19$m=65536,t=3,p=1${'A' * 22}${'A' * 43}"
_log = logger("watchword.hashing")


class PasslibCodeHasher:
    """
    Hashes codes with pbkdf2_sha256 over HMAC-SHA256(key, pin, issue, code).

    The HMAC includes the PIN and the issue number, so a hash of another PIN or of an older issue matches
    nothing. Fails closed: an unreadable hash is no match, and a missing key raises an error.
    """

    def __init__(self, keyring: Keyring, rounds: int = 1) -> None:
        self._newest = keyring.newest
        # Copied for each code: setting up a key takes longer than the rest of the HMAC. Copying one of
        # the standard library takes twice as long as copying this one (measured).
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
        Return whether `code` is the one behind `code_hash`, comparing in constant time.

        Raises `CodeKeyMissingError`; it is logged once per version.
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
            # Without a salt, equal settings make equal texts, so nothing has to be parsed.
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
        # The text has passlib's form, but passlib's handlers do not build it: they support all salts and
        # settings, and take four times as long as the hash (measured). The self-test has them read it.
        if self._rounds == 1:
            # One round is one HMAC of the block's number (RFC 8018, 5.2), which is faster.
            digest = hmac.digest(keyed.encode(), _FIRST_BLOCK, "sha256")
        else:
            digest = hashlib.pbkdf2_hmac("sha256", keyed.encode(), b"", self._rounds)
        return f"{self._settings}{ab64_encode(digest).decode()}"

    def _self_test(self) -> None:
        # passlib loads other libraries at run time; a broken combination must show before the first PIN.
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
    # Ids and numbers hold no NUL, so different triples have different texts.
    keyed.update(f"{pin_id}\0{issue}\0{code}".encode())
    return keyed.finalize().hex()


class Argon2PasswordHasher:
    """
    Hashes passwords with argon2id on its own thread, which releases the interpreter lock meanwhile.

    One password at a time, and at most 32 with those that wait; further ones are refused. So a flood of
    logins costs one core and 64 MiB, and only other logins wait. Clients take turns (D-143).
    """

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(
            _PASSWORD_THREADS, "watchword-passwords", initializer=_lower_priority
        )
        self._line = FairLine(_MOST_PASSWORDS - 1)

    async def hash(self, password: str) -> str:
        """Hash a password with a salt of its own."""
        return await self._run(_OPERATORS, _hashed, password)

    async def matches(self, password: str, password_hash: str | None, client: str) -> bool:
        """Return whether `password` matches the hash; without a hash, False after the same work."""
        return await self._run(client, _verified, password, password_hash or _DUMMY_HASH)

    def close(self) -> None:
        """End the thread after its current password."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _run(self, client: str, work: Callable[..., T], *given: str) -> T:
        await self._line.take(client)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work, *given)
        finally:
            self._line.release()


def _lower_priority() -> None:
    # If all cores are busy, requests come first. Linux accepts a thread's id here; on other systems
    # there is no such process, and the call fails.
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _PASSWORD_NICENESS)


def _hashed(password: str) -> str:
    # Looked up on the thread: before its first hash, passlib's class has a method that may run once only.
    return str(_ARGON2.hash(password))  # type: ignore[no-untyped-call]  # as above


def _verified(password: str, password_hash: str) -> bool:
    try:
        return bool(argon2.verify(password, password_hash))  # type: ignore[no-untyped-call]  # as above
    except (ValueError, TypeError):
        return False
