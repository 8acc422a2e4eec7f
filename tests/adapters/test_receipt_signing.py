"""The keys of verification receipts, and what third parties check with them (C-83, C-105)."""

from __future__ import annotations

import base64
import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import jwt
import pytest

from watchword.adapters.receipt_signing import (
    JwsReceiptSigner,
    ReceiptKeyError,
    new_receipt_key,
    parse_receipt_keys,
    receipt_keys_at,
)
from watchword.application.ports.receipt_signer import Verification
from watchword.domain.channel import Channel
from watchword.domain.pin_template.policy import VerificationReceipt

NOON = datetime(2031, 5, 4, 12, 0, 0, 250_000, tzinfo=UTC)
OLD, NEW = b"o" * 32, b"n" * 32
ISSUER = "https://pins.example.com"


def verified(
    form: VerificationReceipt = VerificationReceipt.CLEAR, *channels: Channel
) -> Verification:
    """Return what a receipt says of a verified PIN, which was sent by SMS unless channels are named."""
    return Verification(
        pin_id="pin_kettle",
        template_id="tpl_tea",
        destination="+91 98123 45610",
        canonical="919812345610",
        form=form,
        channels=channels or (Channel.SMS,),
        position=17,
        at=NOON,
    )


def checked(token: str, signer: JwsReceiptSigner) -> dict[str, Any]:
    """Check a receipt as third parties do, with the published keys, and return its claims."""
    published = jwt.PyJWKSet.from_dict({"keys": [dict(each) for each in signer.public_keys()]})
    key = published[jwt.get_unverified_header(token)["kid"]]
    claims: dict[str, Any] = jwt.decode(
        token, key, algorithms=["EdDSA"], issuer=ISSUER, options={"verify_iat": False}
    )
    return claims


def test_a_clear_receipt_names_the_destination() -> None:
    """The claims are those of C-83: the destination as it was given, the machine's time in seconds."""
    signer = JwsReceiptSigner([NEW])

    assert {
        "iss": ISSUER,
        "jti": "rcp_1",
        "iat": int(NOON.timestamp()),
        "sub": "+91 98123 45610",
        "pinId": "pin_kettle",
        "template": "tpl_tea",
        "channel": "sms",
        "position": 17,
    } == checked(signer.sign(verified(), "rcp_1", ISSUER), signer)


def test_a_hashed_receipt_is_checked_with_its_salt() -> None:
    """Whoever knows the destination computes `sub`; two receipts of one number have nothing in common."""
    signer = JwsReceiptSigner([NEW])
    one, other = [
        checked(signer.sign(verified(VerificationReceipt.HASHED), "rcp_1", ISSUER), signer)
        for _ in range(2)
    ]
    digest = hashlib.sha256(f"{one['salt']}919812345610".encode()).digest()

    assert base64.urlsafe_b64encode(digest).rstrip(b"=").decode() == one["sub"]
    assert 16 <= len(base64.urlsafe_b64decode(one["salt"] + "=="))
    assert not {one["sub"], one["salt"]} & {other["sub"], other["salt"]}


def test_all_channels_are_named_where_any_may_have_carried_the_code() -> None:
    """Nobody knows on which of two channels the code was read, so the receipt does not pick one (D-461)."""
    signer = JwsReceiptSigner([NEW])
    sent = verified(VerificationReceipt.CLEAR, Channel.SMS, Channel.EMAIL)

    assert ["sms", "email"] == checked(signer.sign(sent, "rcp_1", ISSUER), signer)["channel"]


def test_an_older_key_still_checks_while_the_newer_signs() -> None:
    """With `NEW,OLD`, what the older key signed verifies, and new receipts name the newer one."""
    before, after = JwsReceiptSigner([OLD]), JwsReceiptSigner([NEW, OLD])
    old = before.sign(verified(), "rcp_1", ISSUER)
    new = after.sign(verified(), "rcp_2", ISSUER)

    assert ["rcp_1", "rcp_2"] == [checked(each, after)["jti"] for each in (old, new)]
    assert after.public_keys()[0]["kid"] == jwt.get_unverified_header(new)["kid"]
    with pytest.raises(KeyError):
        checked(new, before)


def test_a_changed_receipt_is_refused() -> None:
    """One changed claim breaks the signature."""
    signer = JwsReceiptSigner([NEW])
    header, body, signature = signer.sign(verified(), "rcp_1", ISSUER).split(".")
    claims = json.loads(base64.urlsafe_b64decode(body + "=="))
    forged = json.dumps({**claims, "sub": "+91 98123 45611"}).encode()
    token = f"{header}.{base64.urlsafe_b64encode(forged).rstrip(b'=').decode()}.{signature}"

    with pytest.raises(jwt.InvalidSignatureError):
        checked(token, signer)


def test_a_key_is_published_as_the_standards_say() -> None:
    """RFC 8037's example of a key has this public half and this thumbprint."""
    private = base64.urlsafe_b64decode("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=")

    assert [
        {
            "crv": "Ed25519",
            "kty": "OKP",
            "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
            "kid": "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
            "alg": "EdDSA",
            "use": "sig",
        }
    ] == JwsReceiptSigner([private]).public_keys()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "does not have 32 bytes"),
        ("tea!", "is not base64"),
        (base64.b64encode(b"short").decode(), "does not have 32 bytes"),
        (",".join([base64.b64encode(OLD).decode()] * 2), "twice"),
        (
            ",".join(base64.b64encode(bytes([each]) * 32).decode() for each in range(9)),
            "more than 8 receipt keys",
        ),
    ],
)
def test_malformed_keys_are_refused(text: str, said: str) -> None:
    """The text of the refusal says what is wrong, and shows no part of a key."""
    with pytest.raises(ReceiptKeyError, match=said) as refused:
        parse_receipt_keys(text)

    assert not text or text not in str(refused.value)


def test_a_file_is_made_once(tmp_path: Path) -> None:
    """The key in the data directory is made for its owner alone, and read from then on."""
    path = tmp_path / "receipt.key"
    made = receipt_keys_at(path)

    assert made == receipt_keys_at(path)
    assert 0o600 == path.stat().st_mode & 0o777
    assert made != [new_receipt_key()]
    path.chmod(0o644)
    with pytest.raises(ReceiptKeyError, match="Others may read"):
        receipt_keys_at(path)
