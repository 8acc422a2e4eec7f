"""Signed notes, checkpoints and cosignatures as C2SP publishes them."""

from __future__ import annotations

import base64

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from tests.evidence.golden_log import AT, CLOCK_VERIFIER, VERIFIERS, golden_log, head_of
from tests.signed_heads import NAME, PRIVATE, VERIFIER, signed
from watchword.verify_evidence import (
    COSIGNATURE,
    ED25519,
    Checkpoint,
    EvidenceError,
    Verifier,
    cosigned_text,
    open_checkpoint,
    open_note,
    signature_line,
)

# The examples of C2SP's signed-note, and of Go's package sumdb/note.
EXAMPLES = [
    (
        "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        "This is an example message.\n",
        "— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuw"
        "HjG1Yu72IneyaQM=\n",
    ),
    (
        "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "If you think cryptography is the answer to your problem,\nthen you don't know what your problem"
        " is.\n",
        "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6"
        "KE6RyyBwJnAM=\n",
    ),
]
# The examples of tlog-checkpoint and tlog-cosignature, whose keys nobody publishes.
SOFA = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
# A witness of the public network.
WITNESS = "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2"
HEAD = head_of(golden_log())


@pytest.mark.parametrize(("vkey", "text", "line"), EXAMPLES)
def test_a_published_note_opens(vkey: str, text: str, line: str) -> None:
    """Text and signer are as published, also between signatures of keys that nobody knows."""
    verifier = Verifier.parse(vkey)
    other = "— somebody AAAAAAAA\n"
    for note in (f"{text}\n{line}", f"{text}\n{other}{line}{other}"):
        opened, signatures = open_note(note, [verifier, VERIFIER])
        assert (text, [(verifier, None)]) == (opened, signatures)


@pytest.mark.parametrize("vkey", [*(each[0] for each in EXAMPLES), WITNESS, VERIFIER.vkey])
def test_a_published_key_is_read_and_written(vkey: str) -> None:
    """The hash in it is that of name, kind and key."""
    assert vkey == Verifier.parse(vkey).vkey


@pytest.mark.parametrize(
    "vkey",
    [
        "",
        "bananas.example+12344556",
        "rekor.example+12345678+THIS_IS_NOT_BASE64!",
        "rekor.example+12345678+AwEB",
        WITNESS.replace("da77ade7", "da77ade8"),
        WITNESS.replace("da77ade7", "DA77ADE7"),
        WITNESS.replace("remora", "rem ora"),
        f"+{VERIFIER.key_id.hex()}+{VERIFIER.vkey.rpartition('+')[2]}",
        VERIFIER.vkey + "=",
        "PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==",
    ],
)
def test_a_damaged_key_is_refused(vkey: str) -> None:
    """A key of another form, kind or hash."""
    with pytest.raises(EvidenceError):
        Verifier.parse(vkey)


def test_the_published_checkpoint_is_read_and_written() -> None:
    """Origin, size and root; lines behind them are allowed."""
    head = Checkpoint.parse(SOFA)

    assert ("example.com/behind-the-sofa", 20852163) == head[:2]
    assert SOFA == head.text
    assert head == Checkpoint.parse(f"{SOFA}more\n")


@pytest.mark.parametrize(
    "text",
    [
        "",
        SOFA.removesuffix("\n"),
        SOFA + "\n",
        "\n" + SOFA,
        SOFA.replace("20852163", "020852163"),
        SOFA.replace("20852163", "-1"),
        SOFA.replace("20852163", "٢"),
        SOFA.replace("CsUY", ""),
        SOFA.replace("q2I=", "q2J="),
        SOFA.replace("q2I=", "q2I"),
        "a\n1\n",
    ],
)
def test_a_damaged_checkpoint_is_refused(text: str) -> None:
    """Also one with another spelling of the same number or the same bytes."""
    with pytest.raises(EvidenceError):
        Checkpoint.parse(text)


def test_a_cosignature_signs_the_time_too() -> None:
    """What it signs is as tlog-cosignature has it; `at` is what it says."""
    published = f"cosignature/v1\ntime 1679315147\n{SOFA}"
    assert published.encode() == cosigned_text(SOFA, 1679315147)

    witness = Verifier("witness.example", COSIGNATURE, PRIVATE.public_key().public_bytes_raw())
    signature = PRIVATE.sign(published.encode())
    for at, accepted in ((1679315147, True), (1679315148, False)):
        note = f"{SOFA}\n{signature_line(witness, at.to_bytes(8, 'big') + signature)}"
        if accepted:
            assert [(witness, at)] == open_note(note, [witness])[1]
        else:
            with pytest.raises(EvidenceError, match=r"signature of witness.example is wrong"):
                open_note(note, [witness])


def test_a_time_that_no_calendar_has_is_refused() -> None:
    """A report shows the time as a date."""
    witness = Verifier("witness.example", COSIGNATURE, PRIVATE.public_key().public_bytes_raw())
    at = 2**63 - 1
    signature = at.to_bytes(8, "big") + PRIVATE.sign(cosigned_text(SOFA, at))

    with pytest.raises(EvidenceError, match="is no date"):
        open_note(f"{SOFA}\n{signature_line(witness, signature)}", [witness])


def test_a_head_needs_a_key_of_its_log() -> None:
    """A clock, a witness or another log does not vouch for a head; the clock says its time."""
    assert AT == open_checkpoint(HEAD, VERIFIERS).at
    assert open_checkpoint(HEAD, [VERIFIER]).at is None
    stranger = Verifier("meadow", ED25519, VERIFIER.public)
    head = Checkpoint.parse(HEAD.partition("\n\n")[0] + "\n")
    line = signature_line(stranger, PRIVATE.sign(head.text.encode()))
    for note, keys in (
        (HEAD, [CLOCK_VERIFIER]),
        (f"{head.text}\n{line}", [stranger]),
        (signed(head._replace(origin=f"{NAME}/one")), [VERIFIER]),
        (signed(head._replace(origin=f"{NAME}/1/1")), [VERIFIER]),
        (signed(head._replace(origin=f"{NAME}x/1")), [VERIFIER]),
    ):
        with pytest.raises(EvidenceError, match="No key that is known"):
            open_checkpoint(note, keys)
    assert head == open_checkpoint(signed(head), [stranger, VERIFIER])
    bare = head._replace(origin=NAME)
    assert bare == open_checkpoint(signed(bare), [VERIFIER])


def test_of_two_clocks_the_earlier_time_counts() -> None:
    """In a rotation two clocks sign; both saw the head at the earlier time."""
    key = Ed25519PrivateKey.from_private_bytes(b"d" * 32)
    newer = Verifier(NAME, COSIGNATURE, key.public_key().public_bytes_raw())
    text = HEAD.partition("\n\n")[0] + "\n"
    time = (AT + 9).to_bytes(8, "big") + key.sign(cosigned_text(text, AT + 9))

    assert AT == open_checkpoint(HEAD + signature_line(newer, time), [*VERIFIERS, newer]).at


@given(st.data())
def test_one_flipped_bit_of_a_head_is_refused(data: st.DataObject) -> None:
    """Wherever it is: in text, mark, name, key id, signature, time, or the newlines between them."""
    raw = bytearray(HEAD.encode())
    raw[data.draw(st.integers(0, len(raw) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    try:
        head = open_checkpoint(raw.decode(), VERIFIERS)
    except (EvidenceError, UnicodeDecodeError):
        return
    # A line that names no known key is ignored, and one of the two others has remained.
    assert head.at is None
    assert head._replace(at=AT) == open_checkpoint(HEAD, VERIFIERS)


@pytest.mark.parametrize(
    "note",
    [
        "",
        "\n\n",
        SOFA,
        HEAD.removesuffix("\n"),
        HEAD + "\n",
        HEAD.replace("— ", "- "),
        HEAD.replace("— ", "—  "),
        HEAD.replace("\n", "\r\n"),
        HEAD + "— a b c\n",
        HEAD + f"— a {base64.b64encode(b'x').decode()}\n"[:-3] + "\n",
    ],
)
def test_what_is_no_note_is_refused(note: str) -> None:
    """Another mark, other blanks, control characters, lines that are no signatures."""
    with pytest.raises(EvidenceError):
        open_note(note, VERIFIERS)
