"""The vault seals for owners whose keys the store hands over, and finds people by HMACs (C-73)."""

from __future__ import annotations

import pytest
from attrs import evolve

from watchword.adapters.keyring import Keyring
from watchword.adapters.vault import (
    INDEX,
    KeyLostError,
    KeyWrapping,
    Vault,
    VaultLockedError,
    event_key,
    open_text,
)
from watchword.adapters.vault.vault import MOST_KEYS
from watchword.application.ports.sealer import SealBrokenError, SealKey, SealKeyMissingError

RING = Keyring(1, {1: b"k" * 32})
NUMBER = b"+919812345610"
INDEX_SECRET = bytes(range(32))


def open_vault(keyring: Keyring = RING) -> Vault:
    """Open a vault that has learnt an index secret."""
    vault = Vault(keyring)
    vault.learn([KeyWrapping(keyring).wrap(INDEX, INDEX_SECRET)])
    return vault


def known(vault: Vault, owner: str) -> SealKey:
    """Make a key for an owner, which the vault learns as if it was read in the store."""
    key = vault.new_key(owner)
    vault.learn([key])
    return key


def test_an_owner_reads_its_own_texts() -> None:
    """A person, an account and a stream each seal under a key of their own."""
    vault = open_vault()
    keys = {owner: known(vault, owner) for owner in ("per_tea", "acc_pot", "rcp_leaf")}
    texts = {owner: vault.seal(owner, "evt_1", NUMBER) for owner in keys}

    assert [NUMBER] * 3 == [vault.open(keys[each], "evt_1", texts[each]) for each in keys]
    with pytest.raises(SealBrokenError):
        vault.open(keys["acc_pot"], "evt_1", texts["per_tea"])
    with pytest.raises(SealBrokenError):
        vault.open(keys["per_tea"], "evt_2", texts["per_tea"])


def test_the_key_of_one_event_discloses_that_one() -> None:
    """It opens its event without the vault, and no other event of the same person."""
    vault = open_vault()
    key = known(vault, "per_tea")
    texts = [vault.seal("per_tea", each, NUMBER) for each in ("evt_1", "evt_2")]
    disclosed = vault.event_key(key, "evt_1")

    assert NUMBER == open_text(disclosed, "evt_1", texts[0])
    with pytest.raises(SealBrokenError):
        open_text(disclosed, "evt_2", texts[1])
    assert disclosed == event_key(KeyWrapping(RING).unwrap(key), "evt_1")


def test_an_unknown_owner_seals_nothing() -> None:
    """The store must hand the key over first: a key made on the way could be lost."""
    vault = open_vault()
    key = vault.new_key("acc_tea")

    assert not vault.remembers("acc_tea")
    with pytest.raises(KeyError):
        vault.seal("acc_tea", "evt_1", NUMBER)
    vault.learn([key])
    assert vault.remembers("acc_tea")


def test_the_store_has_the_last_word_on_a_key() -> None:
    """Of two nodes that make an account's key, both seal under the one that was stored."""
    vault, elsewhere = open_vault(), open_vault()
    known(vault, "acc_tea")
    stored = elsewhere.new_key("acc_tea")
    vault.learn([stored])

    assert NUMBER == elsewhere.open(stored, "evt_1", vault.seal("acc_tea", "evt_1", NUMBER))


def raised(vault: Vault, key: SealKey, text: str) -> type[Exception]:
    """Return the class of the error that opening raises."""
    with pytest.raises(SealBrokenError) as broken:
        vault.open(key, "evt_1", text)
    return broken.type


def test_what_a_lost_key_sealed_is_told_apart_from_what_was_changed() -> None:
    """After the loss of a code key accounts have new keys (D-314); no other owner gets a second one."""
    vault = open_vault()
    keys = {each: known(vault, each) for each in ("acc_tea", "rcp_tea", "per_tea")}
    texts = {each: vault.seal(each, "evt_1", NUMBER) for each in keys}
    anew = {each: vault.new_key(each) for each in keys}
    changed = texts["acc_tea"][:-4] + "AAAA"

    assert KeyLostError not in {raised(vault, anew[each], texts[each]) for each in keys}
    vault.after_loss = True
    assert {"acc_tea"} == {
        each for each in keys if KeyLostError is raised(vault, anew[each], texts[each])
    }
    assert KeyLostError is not raised(vault, keys["acc_tea"], changed)


def test_a_forgotten_owner_is_learnt_again_from_the_store_alone() -> None:
    """After an erasure no key of the person is in memory."""
    vault = open_vault()
    key = known(vault, "per_tea")
    vault.forget("per_tea")

    assert not vault.remembers("per_tea")
    vault.learn([key])
    assert vault.remembers("per_tea")


def test_a_person_is_met_with_a_key_that_seals_at_once() -> None:
    """The record has a random id, the HMAC that finds the person, and the wrapped key."""
    vault = open_vault()
    person = vault.new_person("acc_pot", "hmac of pot")

    assert (person.person_id, "acc_pot", "hmac of pot") == (
        person.key.name,
        person.account_id,
        person.hmac,
    )
    assert person.person_id.startswith("per_")
    text = vault.seal(person.person_id, "evt_1", NUMBER)
    assert NUMBER == open_vault().open(person.key, "evt_1", text)
    assert person.person_id != vault.new_person("acc_pot", "hmac of pot").person_id


def test_hmacs_are_those_of_the_definition() -> None:
    """Kind and parts, each after its length: 32 hexadecimal digits of HMAC-SHA256 (openssl agrees)."""
    vault = open_vault()

    assert "50afe11891cbf9982cfbaad057cd4a5b" == vault.hmac("acc_pot", "919812345610")
    assert "ca955db7b0a104ced543eca34ff38e18" == vault.hashed("provider", "acc_pot", "wamid.ab")


def test_each_kind_and_each_split_has_an_hmac_of_its_own() -> None:
    """The same characters in other parts, or of another kind, are found by another HMAC."""
    vault = open_vault()
    found = [
        vault.hmac("acc_1", "23"),
        vault.hmac("acc_12", "3"),
        vault.hashed("tag", "acc_1", "23"),
        vault.hashed("tag", "acc_12", "3"),
        vault.hashed("tag", "acc_123"),
        vault.hashed("tag", "acc_123", ""),
        vault.hashed("reference", "acc_1", "23"),
    ]

    assert len(found) == len(set(found))
    assert vault.hmac("acc_1", "23") == vault.hashed("person", "acc_1", "23")


def test_another_store_finds_nobody() -> None:
    """Without the index secret a number cannot be tried against the store's HMACs."""
    assert Vault.random().hmac("acc_1", "23") != Vault.random().hmac("acc_1", "23")


def test_a_vault_belongs_to_one_store() -> None:
    """Another store's index secret is refused; its own, wrapped anew by a rotation, is not."""
    vault = open_vault()
    with pytest.raises(VaultLockedError, match="another store"):
        vault.learn([vault.new_key(INDEX)])
    again = KeyWrapping(RING).wrap(INDEX, INDEX_SECRET)
    vault.learn([again])

    assert again == vault.index_key


def test_without_the_index_secret_nobody_is_looked_up() -> None:
    """The error says what is missing."""
    vault = Vault(RING)

    assert vault.index_key is None
    with pytest.raises(VaultLockedError, match="index secret"):
        vault.hmac("acc_1", "23")
    with pytest.raises(VaultLockedError, match="index secret"):
        vault.hashed("tag", "acc_1", "23")


def test_without_a_code_key_everything_is_masked() -> None:
    """A reader without the code key checks everything else, and shows `***` (C-100)."""
    key = known(open_vault(), "per_tea")
    locked = Vault(None)

    assert ("***", "(erased)") == (locked.hidden(key), locked.hidden(None))
    for keyed in (
        lambda: locked.hmac("acc_1", "23"),
        lambda: locked.new_key("acc_1"),
        lambda: locked.learn([key]),
        lambda: locked.open(key, "evt_1", ""),
        lambda: locked.new_person("acc_1", "23"),
    ):
        with pytest.raises(VaultLockedError, match="WATCHWORD_CODE_KEY"):
            keyed()


def test_a_key_under_a_missing_version_is_masked() -> None:
    """A node that lacks a version of the code key shows `***`, and opens what it can."""
    key = known(open_vault(), "per_tea")
    newer = Vault(Keyring(2, {2: b"n" * 32}))
    both = Vault(Keyring(2, {2: b"n" * 32, **RING.keys}))

    assert ("***", "(erased)", None) == (newer.hidden(key), newer.hidden(None), both.hidden(key))
    with pytest.raises(SealKeyMissingError):
        newer.learn([key])


def test_a_rotation_changes_no_text() -> None:
    """A key that was wrapped anew opens what it sealed before, also where the old one is remembered."""
    vault = Vault(Keyring(2, {2: b"n" * 32, **RING.keys}))
    key = KeyWrapping(RING).wrap("per_tea", b"s" * 32)
    vault.learn([key])
    text = vault.seal("per_tea", "evt_1", NUMBER)
    again = KeyWrapping(Keyring(2, {2: b"n" * 32})).wrap("per_tea", b"s" * 32)

    assert NUMBER == vault.open(again, "evt_1", text)


def test_a_changed_key_opens_nothing_even_when_the_right_one_is_remembered() -> None:
    """What the store has counts, so a manipulated key is noticed."""
    vault = open_vault()
    key = known(vault, "per_tea")
    text = vault.seal("per_tea", "evt_1", NUMBER)

    with pytest.raises(SealBrokenError):
        vault.open(evolve(key, wrapped=key.wrapped[:-1] + b"\0"), "evt_1", text)


def test_memory_is_bounded() -> None:
    """The keys used last stay in memory; any other is handed over again."""
    vault = open_vault()
    key = vault.new_key("acc_tea")
    vault.learn([key])
    secret = KeyWrapping(RING)
    for number in range(3 * MOST_KEYS):
        assert vault.remembers("acc_tea")
        vault.learn([secret.wrap(f"per_{number}", b"s" * 32)])

    assert MOST_KEYS // 2 < len(vault._keys) <= MOST_KEYS
    assert vault.remembers(f"per_{3 * MOST_KEYS - 1}")
    assert not vault.remembers("per_0")


def test_no_repr_shows_a_key() -> None:
    """Neither what the vault remembers, nor a person's record: no key, no HMAC, no number."""
    vault = open_vault()
    person = vault.new_person("acc_1", vault.hmac("acc_1", "919812345610"))
    secret = KeyWrapping(RING).unwrap(person.key)
    shown = repr([vault, vars(vault), vars(vault._keys), vars(vault._wrapping), person])

    assert "UnwrappedKey(key=SealKey(name='per_" in shown
    for hidden in (INDEX_SECRET, secret, person.key.wrapped, RING.keys[1]):
        assert repr(hidden)[2:-1] not in shown
    assert "919812345610" not in shown
    assert person.hmac not in shown
