"""Every promise of the contract suite fails for a provider that breaks it."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import inspect
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from tests.contracts import test_signing_provider as whole
from tests.fakes.signing import SECRET, SigningProvider, signature
from watchword import (
    Accepted,
    ChannelProvider,
    Connected,
    Heard,
    Message,
    Post,
    ProviderReport,
    Receipt,
    ReceiptStatus,
    Rejected,
    RevokeOutcome,
    Setting,
    Unknown,
    Webhook,
)
from watchword.testing import FakeContext, SignedReportsContract, StillClock, a_message


class Hooks(whole.TestSigningProvider):
    """The hooks of the whole fake, for its broken versions."""


class WithoutReceipts(Hooks):
    """The same, for a provider that claims to have no receipts."""

    has_receipts = False


class CoveringUrl(Hooks):
    """The same, for a provider that claims to sign the address, too."""

    signature_covers_url = True


def settings(*more: Setting, own: Setting | None = None) -> property:
    """Return the fake's setting, or another, with others beside it."""
    first = own or Setting(name="secret", required=True, help="The word that signs letters.")
    return property(lambda _: (first, *more))


def always(answer: object) -> Callable[..., Any]:
    """Return a coroutine method with one answer."""

    async def method(self: object, *_: object) -> object:
        return answer

    return method


async def quoting(self: object, config: Mapping[str, Any], message: Message) -> Rejected:
    """Quote the text in the refusal."""
    return Rejected("refused", f"Cannot send {message.text!r}.")


async def logging_texts(
    self: SigningProvider, config: Mapping[str, Any], message: Message
) -> Accepted | Rejected:
    """Log what is sent."""
    logging.getLogger("courier").debug("sending %s", message.text)
    return await SigningProvider.send(self, config, message)


async def choking(
    self: SigningProvider, config: Mapping[str, Any], message: Message
) -> Accepted | Rejected:
    """Take each line of a text for a message."""
    for number, _ in enumerate(message.text.splitlines()[1:]):
        self.taken[f"{message.reference}-{number}"] = message
    return await SigningProvider.send(self, config, message)


async def alone(
    self: Any, config: Mapping[str, Any], message: Message
) -> Accepted | Rejected | Unknown:
    """Serve one send at a time, and doubt the others."""
    if getattr(self, "busy", False):
        return Unknown()
    self.busy = True
    await asyncio.sleep(0)
    self.busy = False
    return await SigningProvider.send(self, config, message)


async def forgetful(
    self: SigningProvider, config: Mapping[str, Any], message: Message
) -> Accepted | Rejected:
    """Take a reference again."""
    known = f"courier-{len(self.taken)}"
    self.taken[known] = message
    return Accepted(known)


async def stuck(
    self: Any, config: Mapping[str, Any], message: Message
) -> Accepted | Rejected | Unknown:
    """Keep a place that a cancelled send took."""
    if getattr(self, "busy", False):
        return Unknown()
    self.busy = True
    await asyncio.sleep(0)
    self.busy = False
    return Accepted(message.reference)


async def closing_once(self: Any) -> None:
    """Fail at the second close."""
    assert not getattr(self, "closed", False)
    self.closed = True


async def probing(self: SigningProvider, config: Mapping[str, Any]) -> Connected:
    """Send a message to try the log-in."""
    self.taken["trial"] = Message(
        reference="trial", channel="sms", channel_account_id="", destination="+1", text="trial"
    )
    return Connected()


def checking(kept: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> Callable[..., Any]:
    """Return a check that keeps another config than it was given."""
    return lambda _, config: kept(config)


def reading(
    read: Callable[[Mapping[str, Any], Mapping[str, str], bytes], Any],
) -> Callable[..., Any]:
    """Return a `hear` that reads posts in another way."""

    async def hear(self: SigningProvider, config: Mapping[str, Any], post: Post) -> Heard:
        return Heard(reports=read(config, post.headers, post.body))

    return hear


def honest(config: Mapping[str, Any], headers: Mapping[str, str], body: bytes) -> Sequence[Any]:
    """Read a post as the whole fake does."""
    return SigningProvider().reports(config, headers, body)


def inventing(config: Mapping[str, Any], headers: Mapping[str, str], body: bytes) -> Sequence[Any]:
    """Take everything for a delivery."""
    receipt = Receipt(status=ReceiptStatus.DELIVERED, reported_at=StillClock().now())
    return [ProviderReport(provider_message_id="their-7", receipt=receipt)]


def unsigned(config: Mapping[str, Any], headers: Mapping[str, str], body: bytes) -> Sequence[Any]:
    """Read a post without its signature."""
    return honest(config, {"x-courier-signature": signature(body, config["secret"])}, body)


def any_signature(
    config: Mapping[str, Any], headers: Mapping[str, str], body: bytes
) -> Sequence[Any]:
    """Believe every signature of the right length."""
    if len(headers.get("x-courier-signature", "")) != 64:
        return honest(config, {}, body)
    return unsigned(config, headers, body)


def own_secret(config: Mapping[str, Any], headers: Mapping[str, str], body: bytes) -> Sequence[Any]:
    """Check the signature with every secret that it could be."""
    for secret in (SECRET, f"{SECRET[::-1]}x"):
        if headers.get("x-courier-signature") == signature(body, secret):
            return unsigned(config, headers, body)
    return honest(config, {}, body)


def ascii_only(config: Mapping[str, Any], headers: Mapping[str, str], body: bytes) -> Sequence[Any]:
    """Compare texts, which `compare_digest` refuses unless they are ASCII."""
    wanted = hmac.new(config["secret"].encode(), body, hashlib.sha256).hexdigest()
    hmac.compare_digest(headers.get("x-courier-signature", ""), wanted)
    return honest(config, headers, body)


def once() -> Callable[..., Any]:
    """Return a `hear` that reads a post the first time alone."""
    seen: set[bytes] = set()

    def read(config: Mapping[str, Any], headers: Mapping[str, str], body: bytes) -> Sequence[Any]:
        if body in seen:
            return []
        seen.add(body)
        return honest(config, headers, body)

    return reading(read)


def crashing(config: Mapping[str, Any], headers: Mapping[str, str], body: bytes) -> Sequence[Any]:
    """Read no body that is not JSON."""
    honest(config, headers, body) if body.startswith(b'{"') else body.decode("ascii").index("{")
    return honest(config, headers, body)


# Promises, and members of providers that break them.
BROKEN: Sequence[tuple[str, Mapping[str, Any]]] = (
    ("its_settings_describe_themselves", {"settings": settings(Setting(name="port"))}),
    (
        "what_sounds_secret_is_secret",
        {"settings": settings(own=Setting(name="secret", secret=False, help="Shown."))},
    ),
    (
        "it_knows_from_the_shown_config_whether_it_submits_templates",
        {"submits_templates": lambda _, config: config["secret"] == SECRET},
    ),
    ("its_address_is_set_or_explained_and_not_repeated", {"set_webhook": always("done")}),
    (
        "its_address_is_set_or_explained_and_not_repeated",
        {"set_webhook": always(Webhook(steps=("Enter …?t=told-once-at-creation.",)))},
    ),
    (
        "its_config_is_declared",
        {"settings": settings(own=Setting(name="port", help="A port."))},
    ),
    (
        "its_config_is_kept_as_it_checked_it",
        {"check_config": checking(lambda config: {"secret": f"{config['secret']}!"})},
    ),
    ("an_unknown_member_is_refused_with_its_path", {"check_config": checking(dict)}),
    ("a_missing_member_is_refused_with_its_path", {"check_config": checking(dict)}),
    ("a_member_of_the_wrong_kind_is_refused_with_its_path", {"check_config": checking(dict)}),
    ("the_channels_that_it_serves_are_named", {"channels": ()}),
    ("a_message_that_it_takes_gets_an_id", {"send": always(Accepted("the-same"))}),
    ("a_message_that_it_refuses_is_no_exception", {"send": always(Rejected("No!", "No."))}),
    ("no_answer_and_no_log_has_the_code", {"send": quoting}),
    ("no_answer_and_no_log_has_the_code", {"send": logging_texts}),
    ("a_text_of_any_characters_is_one_message_or_refused", {"send": choking}),
    ("it_serves_many_at_once", {"send": alone}),
    ("a_repeated_reference_is_taken_once_by_one_that_deduplicates", {"send": forgetful}),
    ("a_cancelled_send_does_no_harm_to_the_next", {"send": stuck}),
    ("nothing_is_written_to_a_counterpart_that_is_away", {"send": always(Unknown())}),
    ("a_log_in_sends_nothing", {"probe": probing}),
    ("a_log_in_to_a_counterpart_that_is_away_fails", {"probe": always(Connected())}),
    ("it_can_be_closed_twice_and_opened_again", {"close": closing_once}),
    (
        "what_has_not_arrived_is_revoked_where_the_channel_can",
        {"revoke": always(RevokeOutcome.DELIVERED)},
    ),
    ("what_has_arrived_is_not_revoked", {"revoke": always(RevokeOutcome.REVOKED)}),
    (
        "what_may_never_have_been_sent_has_not_arrived",
        {"revoke": always(RevokeOutcome.DELIVERED)},
    ),
    ("a_provider_without_receipts_hears_nobody", {"hear": always(Heard())}),
    ("a_receipt_is_read", {"hear": always(Heard())}),
    ("a_repeated_post_is_read_again", {"hear": once()}),
    ("what_cannot_be_read_is_refused_in_words", {"hear": reading(crashing)}),
    ("an_unknown_status_is_no_receipt", {"hear": reading(inventing)}),
    ("what_is_not_signed_is_not_read", {"hear": reading(unsigned)}),
    ("a_signature_is_good_for_its_own_body_alone", {"hear": reading(any_signature)}),
    # The whole fake does not sign the address, as these hooks claim.
    ("a_signature_is_good_for_its_own_address_alone", {}),
    ("a_signature_under_another_secret_is_wrong", {"hear": reading(own_secret)}),
    ("a_signature_in_odd_letters_is_wrong", {"hear": reading(ascii_only)}),
)
HOOKS = {
    "a_provider_without_receipts_hears_nobody": WithoutReceipts,
    "a_signature_is_good_for_its_own_address_alone": CoveringUrl,
}


async def run(promise: str, provider: ChannelProvider, caplog: pytest.LogCaptureFixture) -> None:
    """Run one test of the suite on a provider."""
    config = {"secret": SECRET}
    given = {
        "opened": provider,
        "provider": provider,
        "config": config,
        "unreachable": config,
        "rejected": a_message(destination="nobody"),
        "caplog": caplog,
    }
    test = getattr(HOOKS.get(promise, Hooks)(), f"test_{promise}")
    await provider.open(FakeContext())
    await test(**{name: given[name] for name in inspect.signature(test).parameters})


def test_every_promise_is_tried() -> None:
    """A new promise needs a provider that breaks it."""
    promises = {name for name in dir(SignedReportsContract) if name.startswith("test_")}

    assert promises == {f"test_{name}" for name, _ in BROKEN}


@pytest.mark.parametrize(("promise", "members"), BROKEN)
async def test_a_broken_promise_is_seen(
    promise: str, members: Mapping[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    """The test of the promise fails."""
    provider: ChannelProvider = type("Broken", (SigningProvider,), dict(members))()
    with pytest.raises((Exception, pytest.fail.Exception)):
        await run(promise, provider, caplog)


async def test_a_failure_names_the_channel(caplog: pytest.LogCaptureFixture) -> None:
    """One class serves many channels, and may fail on one of them."""

    async def send(
        self: SigningProvider, config: Mapping[str, Any], message: Message
    ) -> Accepted | Rejected | Unknown:
        if message.channel == "whatsapp":
            return Unknown()
        return await SigningProvider.send(self, config, message)

    provider = type("Broken", (SigningProvider,), {"send": send})()
    with pytest.raises(AssertionError, match="whatsapp"):
        await run("a_message_that_it_takes_gets_an_id", provider, caplog)


@pytest.mark.parametrize(
    ("hooks", "promise", "said"),
    [
        (WithoutReceipts, "a_receipt_is_read", "`has_receipts` is false: no posts are expected."),
        (Hooks, "nothing_is_written_to_a_counterpart_that_is_away", "`unreachable` is not defined"),
    ],
)
async def test_a_skip_names_its_hook(hooks: type[Hooks], promise: str, said: str) -> None:
    """It says what to define, and claims nothing about the provider."""
    suite: Any = hooks()
    given: Any = {"a_receipt_is_read": {"config": {}}}.get(promise, {"unreachable": None})
    with pytest.raises(pytest.skip.Exception) as skipped:
        await getattr(suite, f"test_{promise}")(SigningProvider(), **given)

    assert said in str(skipped.value)
