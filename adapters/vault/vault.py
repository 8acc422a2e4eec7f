"""The keys of people, accounts and streams, and the secret that finds people (C-73)."""

from __future__ import annotations

import os
from collections.abc import Iterable

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.hmac import HMAC

from ...application.ports.event_store import PersonRecord
from ...application.ports.sealer import (
    INDEX,
    KeyState,
    SealBrokenError,
    SealKey,
    SealKeyMissingError,
    is_account,
    is_person,
)
from ...domain.event import ERASED, MASK
from ..keyring import KEY_BYTES, Keyring, KeyringError
from ..randomness import SecretRandomness
from . import sealed_texts
from .recent_keys import RecentKeys, UnwrappedKey
from .wrapping import KeyWrapping

MOST_KEYS = 10_000
# 128 bits: enough that no two texts get one HMAC, and half the size of an index with whole ones.
_HMAC_DIGITS = 32
_PERSON = "person"


class VaultLockedError(KeyringError):
    """This process lacks the code key or the index secret for what it was asked."""


class KeyLostError(SealBrokenError):
    """The key that sealed a text was lost together with its code key, and its owner has another one."""


class Vault:
    """
    Seals and opens what is personal, and computes the HMACs that stand for numbers.

    An *owner* of sealed texts is a person (`per_…`), an account (`acc_…`) or a stream (`rcp_…`). The
    store keeps the owner's key wrapped, and hands it over: `learn` for the texts to seal, `open` for each
    text to read. The *index secret* is the key named `INDEX`, which the store hands over once,
    when it is opened. A vault without a code key opens nothing, and `hidden` says so.

    A vault belongs to one store. Its memory is bounded, and what it forgets the store hands over again.

    `after_loss` says that the store once lost its code key (D-314).
    """

    after_loss = False

    def __init__(self, keyring: Keyring | None) -> None:
        self._wrapping = None if keyring is None else KeyWrapping(keyring)
        self._keys = RecentKeys(MOST_KEYS)
        self._index: UnwrappedKey | None = None
        # The HMAC under the index secret, copied for each text: setting it up takes longer than the rest.
        self._keyed: HMAC | None = None
        self._randomness = SecretRandomness()

    def unlock(self, keyring: Keyring) -> None:
        """Take the code key, once the store has shown that it is its own."""
        self._wrapping = KeyWrapping(keyring)

    @classmethod
    def random(cls) -> Vault:
        """Make a vault for a store in memory: with a code key and an index secret of its own."""
        vault = cls(Keyring.random())
        vault.learn([vault.new_key(INDEX)])
        return vault

    @property
    def index_key(self) -> SealKey | None:
        """The wrapped index secret that was learnt; None before."""
        return None if self._index is None else self._index.key

    def hmac(self, account_id: str, canonical: str) -> str:
        """Return the HMAC of an account and a canonical destination, under the index secret."""
        # `hashed` inlined for speed: every PIN needs this one.
        text = f"6:{_PERSON}{len(account_id)}:{account_id}{len(canonical)}:{canonical}"
        return self._hmac(text)

    def hashed(self, kind: str, *parts: str) -> str:
        """
        Return the HMAC of some texts under the index secret, for a subject or a column to search by.

        Each kind has HMACs of its own, and the lengths of the parts are in it. So neither another kind
        nor the same characters in other parts have the same one.
        """
        text = "".join([f"{len(each)}:{each}" for each in (kind, *parts)])
        return self._hmac(text)

    def new_person(self, account_id: str, hmac: str) -> PersonRecord:
        """
        Make a random id and a random key for a person whom the store does not know, and remember the key.

        `hmac` is that of the person's destination. The id is new, so nothing is ever sealed under the
        key if the store knew the person after all.
        """
        person_id = self._randomness.new_id("per")
        secret = os.urandom(KEY_BYTES)
        key = self._unlocked().wrap(person_id, secret)
        self._keys.put(person_id, UnwrappedKey(key, secret))
        return PersonRecord(person_id, account_id, hmac, key)

    def new_key(self, name: str) -> SealKey:
        """
        Make a random key for an owner, or an index secret.

        It is not remembered, because another node may be faster to store one (D-311). Store it
        unless there is one, read it back, and `learn` what was read.
        """
        return self._unlocked().wrap(name, os.urandom(KEY_BYTES))

    def remembers(self, owner: str) -> bool:
        """Return whether the owner's key is in memory, so that `seal` works."""
        return self._keys.get(owner) is not None

    def unknown(self, owners: Iterable[str]) -> set[str]:
        """Return those owners whose keys are not in memory."""
        return {each for each in owners if self._keys.get(each) is None}

    def learn(self, keys: Iterable[SealKey]) -> None:
        """
        Unwrap keys that were read in the store, and remember them.

        Raises `SealBrokenError`, `SealKeyMissingError` or `VaultLockedError`; the last also for the index
        secret of another store, because its HMACs would find nobody.
        """
        for key in keys:
            if key.name == INDEX:
                self._learn_index(key)
            else:
                self._secret(key)

    def forget(self, owner: str) -> None:
        """Forget an owner's key, as after an erasure."""
        self._keys.drop(owner)

    def forget_streams(self) -> None:
        """Forget the keys of all streams, since nobody says when another node drops one."""
        self._keys.keep_only(lambda owner: is_person(owner) or is_account(owner))

    def seal(self, owner: str, name: str, plain: bytes) -> str:
        """
        Seal a text for the event or row `name` of an owner; return base64.

        `name` must say what it is sealed for (an event's id, or a table and a row's key), because only that
        name opens it. Raises `KeyError` for an owner whose key is not remembered.
        """
        known = self._keys.get(owner)
        if known is None:
            raise KeyError(owner)
        return sealed_texts.seal_text(sealed_texts.event_key(known.secret, name), name, plain)

    def open(self, key: SealKey, name: str, text: str) -> bytes:
        """
        Open a text that was sealed for `name` under this owner's key.

        Raises `SealBrokenError`, `SealKeyMissingError` or `VaultLockedError`. After the loss of a code
        key accounts have new keys, and what the lost ones sealed raises `KeyLostError`.
        """
        try:
            return sealed_texts.open_text(self.event_key(key, name), name, text)
        except sealed_texts.OtherKeyError:
            if self.after_loss and is_account(key.name):
                raise KeyLostError from None
            raise

    def event_key(self, key: SealKey, name: str) -> bytes:
        """Return the key of one event or row, which discloses that one alone."""
        return sealed_texts.event_key(self._secret(key), name)

    def hidden(self, key: SealKey | None) -> str | None:
        """
        Return the text in the place of what cannot be opened, and None if this vault can open it.

        `ERASED` if the store has no such key, `MASK` if this vault has not its version of the code key.
        """
        if key is None:
            return ERASED
        if self._wrapping is None or not self._wrapping.opens(key.version):
            return MASK
        return None

    def state_of(self, key: SealKey) -> KeyState:
        """Return whether a key of any kind opens, for an audit; nothing of it is remembered."""
        if self._wrapping is None:
            return KeyState.UNKNOWN
        try:
            self._wrapping.unwrap(key)
        except SealKeyMissingError:
            return KeyState.OTHER_VERSION
        except (SealBrokenError, TypeError):
            # A manipulated store can have a value of any type.
            return KeyState.BROKEN
        return KeyState.OPENS

    def _secret(self, key: SealKey) -> bytes:
        known = self._keys.get(key.name)
        if known is None or known.key.wrapped != key.wrapped:
            known = UnwrappedKey(key, self._unlocked().unwrap(key))
            self._keys.put(key.name, known)
        return known.secret

    def _learn_index(self, key: SealKey) -> None:
        secret = self._unlocked().unwrap(key)
        if self._index is not None and self._index.secret != secret:
            raise VaultLockedError("This vault has the index secret of another store already.")
        self._index = UnwrappedKey(key, secret)
        self._keyed = HMAC(secret, SHA256())

    def _hmac(self, text: str) -> str:
        if self._keyed is None:
            self._unlocked()
            raise VaultLockedError(
                "The index secret was not read from the store, so no number can be looked up."
            )
        keyed = self._keyed.copy()
        keyed.update(text.encode())
        return keyed.finalize().hex()[:_HMAC_DIGITS]

    def _unlocked(self) -> KeyWrapping:
        if self._wrapping is None:
            raise VaultLockedError(
                "Numbers cannot be looked up or sealed without the code key. Set WATCHWORD_CODE_KEY, or"
                " name a file with --code-key-file."
            )
        return self._wrapping
