"""Signatures of posts, against makers that are not ours: twilio, standardwebhooks and plain hmac (C-70)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import random
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from attrs import evolve
from multidict import MultiDict
from standardwebhooks.webhooks import Webhook
from twilio.request_validator import (  # type: ignore[import-untyped]  # the library has no types
    RequestValidator,
)

from watchword.adapters.channels.http.hearing.signature_settings import (
    completed,
    signature_problems,
)
from watchword.adapters.channels.http.hearing.signatures import SignatureKind, query_of, verify
from watchword.application.ports.channels import Post
from watchword.domain.accounts.api_key import UnauthorizedError

NOW = datetime(2031, 5, 4, 12, tzinfo=UTC)
URL = "https://pins.example.com/callbacks/cha_orchid"
FORM = {"content-type": "application/x-www-form-urlencoded"}
TEXTS = (
    "delivered",
    "",
    "+919812345610",
    "a b&c=d%",
    "\u0939\u093f\u0928",
    "é\U0001f375",
    "sent\r\n",
)

Signature = Mapping[str, Any]
Signed = tuple[Signature, Post]


def is_right(signature: Signature, post: Post, now: datetime = NOW) -> bool:
    """Return whether a post passes."""
    try:
        verify(signature, post, now)
    except UnauthorizedError:
        return False
    return True


def form(chance: random.Random) -> dict[str, str]:
    """Return the members of a form."""
    names = chance.sample(["MessageSid", "MessageStatus", "ErrorCode", "To", "From", "Body"], 4)
    return {
        name: chance.choice(["", chance.choice(TEXTS) + str(chance.random())]) for name in names
    }


def body(chance: random.Random) -> bytes:
    """Return a JSON body."""
    return json.dumps({"id": chance.random(), "text": chance.choice(TEXTS)}).encode()


def by_twilio(chance: random.Random) -> Signed:
    """Sign a form with Twilio's library, the address with its port or without."""
    token, members = chance.randbytes(16).hex(), form(chance)
    port = chance.choice(["", ":443", ":8443"])
    url = URL.replace(".com", f".com{port}") + chance.choice(["", "?a=1", "?a=%20b&c"])
    signed = url if port == ":8443" else url.replace(port, chance.choice(["", port]))
    algorithm = chance.choice(["HMAC_SHA1", "HMAC_SHA256"])
    headers = {
        **FORM,
        "x-twilio-signature": RequestValidator(token).compute_signature(signed, members, algorithm),
    }
    if algorithm != "HMAC_SHA1":
        headers["x-twilio-webhooks-signature-settings"] = f"key=wsk_1,algorithm={algorithm}"
    post = Post(url=url, headers=headers, body=urlencode(members).encode())
    return {"kind": "twilio", "secret": token}, post


def by_twilio_in_json(chance: random.Random) -> Signed:
    """Sign a JSON body as Twilio does: its hash stands in the address."""
    token, content = chance.randbytes(16).hex(), body(chance)
    url = f"{URL}?bodySHA256={RequestValidator(token).compute_hash(content.decode())}"
    headers = {
        "content-type": "application/json",
        "x-twilio-signature": RequestValidator(token).compute_signature(url, {}),
    }
    return {"kind": "twilio", "secret": token}, Post(url=url, headers=headers, body=content)


def by_hmac(chance: random.Random) -> Signed:
    """Sign a body with the standard library, in each algorithm, encoding and spelling."""
    secret, content = chance.randbytes(20).hex(), body(chance)
    algorithm = chance.choice(["sha1", "sha256", "sha512"])
    digest = hmac.new(secret.encode(), content, getattr(hashlib, algorithm)).digest()
    encoding = chance.choice(["hex", "base64"])
    text = digest.hex() if encoding == "hex" else base64.b64encode(digest).decode()
    signature = {
        "kind": "hmac",
        "header": "X-Signature",
        "algorithm": algorithm,
        "encoding": encoding,
        "secret": secret,
    }
    headers = {"x-signature": chance.choice(["", f"{algorithm}="]) + text}
    return signature, Post(url=URL, headers=headers, body=content)


def token_of(claims: Mapping[str, Any], secret: str, algorithm: str = "HS256") -> str:
    """Make a JSON Web Token with the standard library alone (RFC 7515, appendix A.1)."""
    parts = ({"alg": algorithm, "typ": "JWT"}, claims)
    encoded = [base64.urlsafe_b64encode(json.dumps(each).encode()).rstrip(b"=") for each in parts]
    signed = b".".join(encoded)
    digest = hmac.new(secret.encode(), signed, hashlib.sha256).digest()
    return b".".join([signed, base64.urlsafe_b64encode(digest).rstrip(b"=")]).decode()


def claims_on(content: bytes) -> dict[str, Any]:
    """Return the claims that Vonage makes ("Signed webhooks", Messages API)."""
    return {
        "iat": int(NOW.timestamp()),
        "jti": "c5ba8f24",
        "iss": "Vonage",
        "payload_hash": hashlib.sha256(content).hexdigest(),
        "api_key": "a1b2c3d4",
    }


def by_token(chance: random.Random) -> Signed:
    """Sign a body as Vonage does, with keys of any length."""
    secret, content = chance.randbytes(chance.choice([4, 16, 40, 80])).hex(), body(chance)
    claims = claims_on(content) | chance.choice([{}, {"exp": int(NOW.timestamp()) + 60}])
    headers = {"authorization": f"Bearer {token_of(claims, secret)}"}
    signature = {"kind": "jwt_hs256", "secret": secret}
    return signature, Post(url=URL, headers=headers, body=content)


def by_standard_webhooks(chance: random.Random) -> Signed:
    """Sign a body with the library of Standard Webhooks."""
    key, content = chance.randbytes(32), body(chance)
    secret = "whsec_" + base64.b64encode(key).decode()
    at = NOW + timedelta(seconds=chance.randint(-299, 299))
    identifier = f"msg_{chance.random()}"
    signature = Webhook(secret).sign(identifier, at, content.decode())
    headers = {
        "webhook-id": identifier,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": chance.choice(["", "v1a,abc "]) + signature,
    }
    config = {"kind": "standard_webhooks", "secret": secret}
    return config, Post(url=URL, headers=headers, body=content)


def by_query(chance: random.Random) -> Signed:
    """Call the address with its token."""
    signature = completed(None)
    url = f"{URL}?{query_of(signature)}{chance.choice(['', '&status=1'])}"
    return signature, Post(method="GET", url=url)


MAKERS: Mapping[str, Callable[[random.Random], Signed]] = {
    "twilio": by_twilio,
    "twilio in JSON": by_twilio_in_json,
    "hmac": by_hmac,
    "jwt_hs256": by_token,
    "standard_webhooks": by_standard_webhooks,
    "query_token": by_query,
}
SIGNING_THE_BODY = sorted({*MAKERS} - {"query_token"})


def changed_body(post: Post) -> Post:
    """Return a post whose body says something else."""
    more = b"&MessageStatus=read" if "form" in post.headers.get("content-type", "") else b" "
    return evolve(post, body=post.body + more)


@pytest.mark.parametrize("kind", MAKERS)
def test_a_thousand_signatures_agree(kind: str) -> None:
    """Every post that the other maker signed passes; with another secret none does."""
    chance = random.Random(20311)
    made = [MAKERS[kind](chance) for _ in range(1_000)]
    other = "whsec_" + base64.b64encode(b"other" * 8).decode()

    assert 1_000 == sum(is_right(signature, post) for signature, post in made)
    assert 0 == sum(is_right({**signature, "secret": other}, post) for signature, post in made)


@pytest.mark.parametrize("kind", SIGNING_THE_BODY)
def test_no_signature_is_good_for_another_body(kind: str) -> None:
    """A post whose body was changed on the way does not pass."""
    chance = random.Random(20312)
    made = [MAKERS[kind](chance) for _ in range(1_000)]

    assert 0 == sum(is_right(signature, changed_body(post)) for signature, post in made)


@pytest.mark.parametrize("kind", ["twilio", "twilio in JSON", "query_token"])
def test_no_signature_of_an_address_is_good_for_another_one(kind: str) -> None:
    """A post to another path, or with another query, does not pass."""
    chance = random.Random(20313)
    made = [MAKERS[kind](chance) for _ in range(1_000)]
    moved = [
        evolve(post, url=post.url.replace("?", "?x") if "?" in post.url else f"{post.url}?x=1")
        for _, post in made
    ]

    pairs = zip(made, moved, strict=True)
    assert 0 == sum(is_right(signature, post) for (signature, _), post in pairs)


@pytest.mark.parametrize("kind", MAKERS)
def test_odd_letters_are_wrong_and_no_error(kind: str) -> None:
    """Stray bytes, controls and letters that no signature has are a wrong signature."""
    signature, post = MAKERS[kind](random.Random(20314))
    for odd in ("", "é\udc80\0", "Bearer ..", "\udcff" * 9, "v1,", "9" * 400, "[" * 9_000):
        headers = {**post.headers, **dict.fromkeys({*post.headers} - {"content-type"}, odd)}
        url = f"{URL}?t={odd}" if kind == "query_token" else post.url + "\udc80"
        assert not is_right(signature, evolve(post, headers=headers, url=url))
    assert not is_right(signature, Post(url=URL, body=post.body or b"{}"))


def test_an_account_without_a_secret_hears_nobody() -> None:
    """A secret that is lost or empty opens no door: an empty key would be known to everybody."""
    content = b"{}"
    headers = {"x-signature": hmac.new(b"", content, hashlib.sha256).hexdigest()}
    for secret in ("", None):
        signature = {"kind": "hmac", "header": "X-Signature", "secret": secret}
        assert not is_right(signature, Post(url=URL, headers=headers, body=content))


def test_the_body_of_a_twilio_post_is_signed_by_form_or_hash() -> None:
    """A signature of the address alone is good for no body."""
    validator = RequestValidator("token")
    headers = {
        "content-type": "application/json",
        "x-twilio-signature": validator.compute_signature(URL, {}),
    }
    signature = {"kind": "twilio", "secret": "token"}

    assert is_right(signature, Post(method="GET", url=URL, headers=headers))
    assert not is_right(signature, Post(url=URL, headers=headers, body=b'{"MessageStatus":"read"}'))


def test_a_repeated_member_of_a_form_is_signed_once() -> None:
    """Each value of a name is signed once, in order, as Twilio's library does."""
    repeated = MultiDict([("Tag", "b"), ("Tag", "a"), ("Tag", "b"), ("Body", "")])
    token = "twilio-token"
    signature = RequestValidator(token).compute_signature(URL, repeated)
    headers = {**FORM, "x-twilio-signature": signature}
    post = Post(url=URL, headers=headers, body=b"Tag=b&Tag=a&Tag=b&Body=")

    assert is_right({"kind": "twilio", "secret": token}, post)


@pytest.mark.parametrize(
    ("change", "passes"),
    [
        ({}, True),
        ({"iat": int(NOW.timestamp()) - 86_400}, True),
        ({"iat": int(NOW.timestamp()) + 3_600}, False),
        ({"exp": int(NOW.timestamp()) - 3_600}, False),
        ({"nbf": int(NOW.timestamp()) + 3_600}, False),
        ({"exp": "soon"}, False),
        ({"payload_hash": None}, False),
        ({"payload_hash": "é"}, False),
    ],
)
def test_the_claims_of_a_token_are_checked(change: dict[str, Any], passes: bool) -> None:
    """The hash of the body is required; a time that a token names has to allow its use (D-205)."""
    content = b'{"status":"delivered"}'
    token = token_of(claims_on(content) | change, "key")
    post = Post(url=URL, headers={"authorization": f"Bearer {token}"}, body=content)

    assert passes == is_right({"kind": "jwt_hs256", "secret": "key"}, post)


@pytest.mark.parametrize("algorithm", ["none", "None", "HS384", "HS512", "RS256"])
def test_a_token_cannot_choose_its_algorithm(algorithm: str) -> None:
    """Only HS256 is read, whatever a token says about itself."""
    content = b"{}"
    token = token_of(claims_on(content), "key", algorithm)
    unsigned = token.rpartition(".")[0] + "."
    for each in (token, unsigned):
        post = Post(url=URL, headers={"authorization": f"Bearer {each}"}, body=content)
        assert not is_right({"kind": "jwt_hs256", "secret": "key"}, post)


@pytest.mark.parametrize("seconds", [-301, 301, 10**11])
def test_a_standard_webhook_is_good_for_five_minutes(seconds: int) -> None:
    """A post that is older, or from the future, does not pass."""
    signature, post = by_standard_webhooks(random.Random(20315))
    at = int(post.headers["webhook-timestamp"])

    assert not is_right(
        signature, post, datetime.fromtimestamp(at, UTC) + timedelta(seconds=seconds)
    )


def test_a_token_stands_once_in_the_query() -> None:
    """A query with two tokens does not pass, though one of them is right."""
    signature = completed({"kind": "query_token"})
    url = f"{URL}?{query_of(signature)}"

    assert is_right(signature, Post(url=url))
    assert not is_right(signature, Post(url=f"{url}&t=guess"))


def test_a_token_is_made_once() -> None:
    """A signature without a token gets one that nobody can guess; one with a token keeps it (C-63)."""
    made = completed(None)

    assert made == completed(made)
    assert made != completed(None)
    assert 32 == len(made["secret"])
    assert f"t={made['secret']}" == query_of(made)
    assert "" == query_of({"kind": "hmac", "header": "x", "secret": "s"})


@pytest.mark.parametrize(
    ("signature", "wrong"),
    [
        ("hmac", "receipt.signature"),
        ({}, "receipt.signature.kind"),
        ({"kind": "rsa"}, "receipt.signature.kind"),
        ({"kind": ["hmac"]}, "receipt.signature.kind"),
        ({"kind": "hmac", "header": "X-S"}, "receipt.signature.secret"),
        ({"kind": "hmac", "secret": "s"}, "receipt.signature.header"),
        ({"kind": "hmac", "secret": "s", "header": "a b"}, "receipt.signature.header"),
        (
            {"kind": "hmac", "secret": "s", "header": "a", "algorithm": "md5"},
            "receipt.signature.algorithm",
        ),
        (
            {"kind": "hmac", "secret": "s", "header": "a", "encoding": "raw"},
            "receipt.signature.encoding",
        ),
        ({"kind": "twilio", "secret": "s", "header": "a"}, "receipt.signature.header"),
        ({"kind": "twilio", "secret": ""}, "receipt.signature.secret"),
        ({"kind": "jwt_hs256", "secret": 7}, "receipt.signature.secret"),
        ({"kind": "standard_webhooks", "secret": "plain"}, "receipt.signature.secret"),
        ({"kind": "query_token", "secret": "short"}, "receipt.signature.secret"),
        ({"kind": "twilio", "secret": "a\nb"}, "receipt.signature.secret"),
    ],
)
def test_a_wrong_setting_is_named(signature: object, wrong: str) -> None:
    """Each kind has its own members; a wrong one is named with its path (C-63)."""
    assert [wrong] == [each.field for each in signature_problems(signature, "receipt.signature")]


@pytest.mark.parametrize("kind", MAKERS)
def test_the_settings_of_these_signatures_are_right(kind: str) -> None:
    """What the other makers need is a setting here."""
    signature, _ = MAKERS[kind](random.Random(20316))

    assert [] == [*signature_problems(signature, "receipt.signature")]
    assert signature["kind"] in tuple(SignatureKind)
