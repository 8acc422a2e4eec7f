"""A sealed text opens under one key, for one name, and is bound to its key (D-310)."""

from __future__ import annotations

import base64
from hashlib import blake2b

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from hypothesis import given
from hypothesis import strategies as st

from tests.adapters.vault.colliding import text_for_two_keys
from watchword.adapters.vault import event_key, open_text, seal_text
from watchword.application.ports.sealer import SealBrokenError

OWNER = bytes(range(32))
NAME = "evt_tea"
NUMBER = b"+919812345610"
# Made with openssl and a bare cipher from the definition, with the nonce 00 01 02 … 0b.
EVENT_KEY = "2ccbf3bced537da66e52371b1f4aa9f67f99c57030a8c597f0d685069d42dac0"
COMMITMENT = "8c8ee4b7fe273c6c6fbb157246bd99d68353473656a34517ebccdb7b1269121b"
SEALED = (
    "jI7kt/4nPGxvuxVyRr2Z1oNTRzZWo0UX68zbexJpEhsAAQIDBAUGBwgJCgtLCXQEpRE5EmJ5"
    "Z4NX/TA1JszxddOG9t2UlwIR8g=="
)
KEY = bytes.fromhex(EVENT_KEY)


def refused(key: bytes, name: str, text: str) -> None:
    """Expect a refusal that quotes nothing."""
    with pytest.raises(SealBrokenError) as broken:
        open_text(key, name, text)

    assert broken.value.__cause__ is None


def test_the_key_of_an_event_is_a_keyed_hash_of_its_name() -> None:
    """The key of one event discloses no other event."""
    assert EVENT_KEY == event_key(OWNER, NAME).hex()


def test_a_text_made_from_the_definition_opens() -> None:
    """The stored form is a contract: a text of this form opens for ever."""
    assert NUMBER == open_text(KEY, NAME, SEALED)


def test_a_sealed_text_has_the_defined_form() -> None:
    """A commitment of 32 bytes, a nonce of 12, the text, and a tag of 16."""
    sealed = base64.b64decode(seal_text(KEY, NAME, NUMBER))

    assert (COMMITMENT, 32 + 12 + len(NUMBER) + 16) == (sealed[:32].hex(), len(sealed))
    cipher_key = blake2b(b"watchword/sealed", key=KEY).digest()[32:]
    assert NUMBER == AESGCM(cipher_key).decrypt(sealed[32:44], sealed[44:], NAME.encode())


@given(st.binary(min_size=32, max_size=32), st.text(), st.binary())
def test_what_is_sealed_is_opened_again(key: bytes, name: str, plain: bytes) -> None:
    """Any text under any key for any name."""
    assert plain == open_text(key, name, seal_text(key, name, plain))


def test_the_same_text_reads_differently_each_time() -> None:
    """Nobody sees that two events have the same member, not even under one key."""
    assert 2 == len({seal_text(KEY, NAME, NUMBER) for _ in range(2)})


def test_another_key_opens_nothing() -> None:
    """The key of another event, of another owner, and the owner's own."""
    for key in (event_key(OWNER, "evt_pot"), event_key(OWNER[::-1], NAME), OWNER, b""):
        refused(key, NAME, SEALED)


def test_another_name_opens_nothing() -> None:
    """The name is bound to the text, even where somebody has the key."""
    for name in ("evt_pot", "evt_te", ""):
        refused(KEY, name, SEALED)


@given(st.integers(0, 8 * len(base64.b64decode(SEALED)) - 1))
def test_a_changed_text_opens_nothing(bit: int) -> None:
    """Not a single bit can be changed: of the commitment, the nonce, the text or the tag."""
    changed = bytearray(base64.b64decode(SEALED))
    changed[bit // 8] ^= 1 << bit % 8

    refused(KEY, NAME, base64.b64encode(changed).decode())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "tea",
        "dGVh",
        base64.b64encode(bytes.fromhex(COMMITMENT)).decode(),
        base64.b64encode(bytes.fromhex(COMMITMENT) + b"nonce").decode(),
        SEALED[:-4],
        SEALED + "AAAA",
        f" {SEALED}",
        f"{SEALED}\n",
        SEALED.replace("8g==", "8h=="),
        SEALED.replace("/", "_"),
        "茶",
    ],
)
def test_a_text_has_one_spelling(text: str) -> None:
    """Half a text, no base64, another alphabet, and other spare bits are refused alike."""
    assert SEALED != text
    refused(KEY, NAME, text)


def test_a_text_prepared_for_two_keys_opens_under_one_alone() -> None:
    """GCM itself would open it under both keys, to two numbers; the commitment refuses that (D-310)."""
    keys = event_key(OWNER, NAME), event_key(OWNER, "evt_pot")
    ciphers = [blake2b(b"watchword/sealed", key=each).digest()[32:] for each in keys]
    nonce, encrypted = text_for_two_keys(ciphers[0], ciphers[1], NAME.encode())
    read = [AESGCM(each).decrypt(nonce, encrypted, NAME.encode()) for each in ciphers]
    assert read[0] != read[1]

    commitment = blake2b(b"watchword/sealed", key=keys[0]).digest()[:32]
    text = base64.b64encode(commitment + nonce + encrypted).decode()

    assert read[0] == open_text(keys[0], NAME, text)
    refused(keys[1], NAME, text)
