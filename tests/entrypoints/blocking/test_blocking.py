"""A service for programs without an event loop (D-543)."""

from __future__ import annotations

import asyncio
import inspect
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from threading import Barrier, Event, get_ident
from typing import Any

import attrs
import pytest

import watchword
from tests.entrypoints.embedding.test_closing import arguments
from tests.fakes.providers import ScriptedProvider
from watchword import BlockingService, Service, ServiceClosedError
from watchword.entrypoints.blocking.calls import Call, Stream

CODE_KEY = f"1:{'A' * 43}="
NUMBERS = [f"+9198123456{each:02}" for each in range(20, 60)]
LONG = 60.0
THREADS = 8
# An embedder's aiohttp application runs on an event loop, which a program of this kind lacks.
LEFT_OUT = {"http_app"}


@pytest.fixture
def service(store_url: str) -> Iterator[BlockingService]:
    """Yield a sandbox on each kind of store."""
    with watchword.open_blocking(store_url, sandbox=True, code_key=CODE_KEY) as opened:
        yield opened


def code_for(service: BlockingService, destination: str) -> str:
    """Return the newest code of a recipient."""
    assert service.sandbox is not None
    return service.sandbox.provider.outbox(destination=destination)[-1].text[-7:-1]


def parts(kind: type[Any]) -> dict[str, type[Any]]:
    """Return the classes of a service's parts, by name."""
    with watchword.open_blocking("memory://") as opened:
        whole = opened if kind is BlockingService else opened._service
        return {
            each.name: type(getattr(whole, each.name))
            for each in attrs.fields(kind)
            if not each.name.startswith("_")
        }


@pytest.mark.stores("memory", "sqlite", "postgresql")
def test_a_code_is_issued_and_verified(service: BlockingService) -> None:
    """The calls, their arguments, results and refusals are those of the embedding interface."""
    issued = service.pins.issue("demo", "tpl_demo", NUMBERS[0], reference_id="tea")
    with pytest.raises(watchword.PinIncorrectError) as refusal:
        service.pins.verify("demo", issued, "let me in")
    other = service.pins.issue("demo", "tpl_demo", NUMBERS[1])
    verified = service.pins.verify("demo", other, code_for(service, NUMBERS[1]))
    (found,) = service.pins.list(account="demo", reference_id="tea").data

    assert 4 == refusal.value.details["attemptsRemaining"]
    assert "VERIFIED" == verified.status
    assert issued.pin_id == found.pin_id
    assert 0 <= service.run_due()
    assert 2 == sum(each.sent for each in service.stats(account="demo").data)


def test_every_part_and_every_call_is_there() -> None:
    """No name is missing, and none is other than that of the embedding interface."""
    waiting, original = parts(BlockingService), parts(Service)
    missing = {
        f"{part}.{name}"
        for part, facade in original.items()
        for name, _ in inspect.getmembers(facade, inspect.isfunction)
        if not name.startswith("_") and not hasattr(waiting.get(part), name)
    }
    whole = {
        name
        for name, _ in inspect.getmembers(Service)
        if not name.startswith("_") and not hasattr(BlockingService, name)
    }

    assert set(original) == set(waiting)
    assert set() == missing
    assert LEFT_OUT == whole


def test_every_call_is_the_one_of_its_name() -> None:
    """None waits for another call, and none is in a part to which it does not belong."""
    waiting, original = parts(BlockingService), parts(Service)
    wrong = {
        f"{part}.{name}"
        for part, kind in waiting.items()
        for name, call in vars(kind).items()
        if isinstance(call, Call | Stream)
        and inspect.unwrap(call.method) is not getattr(original[part], name)
    }

    assert set() == wrong


def test_a_call_shows_the_signature_of_the_original() -> None:
    """For `help`, and for editors that look at a running program."""
    with watchword.open_blocking("memory://") as service:
        shown = inspect.signature(service.pins.issue)
        text = inspect.getdoc(service.pins.issue)
        whole = inspect.signature(service._service.pins.issue)
    opening = inspect.signature(watchword.open_blocking)

    assert whole == shown
    assert text == inspect.getdoc(type(service._service.pins).issue)
    assert list(inspect.signature(watchword.open).parameters) == list(opening.parameters)


def test_threads_do_not_get_into_each_others_way(service: BlockingService) -> None:
    """Several threads at once: each call has its own result, and one code is verified by one thread."""
    numbers = NUMBERS[: 2 * THREADS]
    together = Barrier(THREADS)

    def verify(pin_id: str, code: str) -> str:
        together.wait(LONG)
        try:
            return service.pins.verify("demo", pin_id, code).status
        except (watchword.PinAlreadyVerifiedError, watchword.RetryLaterError) as refusal:
            return refusal.code

    with ThreadPoolExecutor(THREADS) as threads:
        issued = list(
            threads.map(lambda each: service.pins.issue("demo", "tpl_demo", each), numbers)
        )
        code = code_for(service, numbers[0])
        outcomes = Counter(threads.map(lambda _: verify(issued[0].pin_id, code), range(THREADS)))

    assert len(numbers) == len({each.pin_id for each in issued})
    assert 1 == outcomes["VERIFIED"]
    assert numbers == [service.pins.get("demo", each.pin_id).destination for each in issued]


def test_a_call_runs_in_the_thread_of_the_service() -> None:
    """A provider of one's own is called there, and a call from there is refused instead of hanging."""
    seen: list[Any] = []
    held: list[BlockingService] = []

    class Asking(ScriptedProvider):
        async def send(self, config: Any, message: watchword.Message) -> Any:
            seen.append(get_ident())
            try:
                held[0].accounts.list()
            except RuntimeError as error:
                seen.append(str(error))
            return await super().send(config, message)

    with watchword.open_blocking("memory://", channels={"asking": Asking()}) as service:
        held.append(service)
        shop = service.accounts.create("shop")
        service.channel_accounts.create(shop, "sms", "asking", "sms")
        template = service.pin_templates.create(shop, "tea", [{"channel_type": "sms"}])
        service.pins.issue(shop, template, NUMBERS[0])

    assert get_ident() != seen[0]
    assert seen[1].startswith("This call came from the service's own thread")


class Stuck(ScriptedProvider):
    """Sends nothing until it is allowed to."""

    def __init__(self) -> None:
        super().__init__()
        self.reached = Event()

    async def send(self, config: Any, message: watchword.Message) -> Any:
        """Wait for longer than any test."""
        self.reached.set()
        await asyncio.sleep(LONG)


def stuck_shop(service: BlockingService) -> tuple[str, str]:
    """Set up an account and a template whose provider does not answer."""
    shop = service.accounts.create("shop")
    service.channel_accounts.create(shop, "sms", "stuck", "sms")
    template = service.pin_templates.create(shop, "tea", [{"channel_type": "sms"}])
    return shop.id, template.id


def test_a_call_ends_within_its_time() -> None:
    """It is cancelled, and the next call is served; without a limit, a call waits for the service."""
    with watchword.open_blocking("memory://", channels={"stuck": Stuck()}) as service:
        shop, template = stuck_shop(service)
        with pytest.raises(TimeoutError, match=r"^The call took longer than 0\.1 s"):
            service.within(0.1).pins.issue(shop, template, NUMBERS[0])
        (account,) = service.within(LONG).accounts.list().data

    assert shop == account.id


@pytest.mark.parametrize("seconds", [0, -1.0])
def test_no_call_ends_in_no_time(seconds: float) -> None:
    """Such a limit is a mistake of the program."""
    with watchword.open_blocking("memory://") as service, pytest.raises(ValueError, match="cannot"):
        service.within(seconds)


def test_a_call_that_waits_at_the_end_says_so() -> None:
    """The end of the `with` in one thread ends what waits in another."""
    stuck = Stuck()
    with ThreadPoolExecutor(1) as threads:
        with watchword.open_blocking("memory://", channels={"stuck": stuck}) as service:
            shop, template = stuck_shop(service)
            waiting = threads.submit(service.pins.issue, shop, template, NUMBERS[0])
            assert stuck.reached.wait(LONG)
        with pytest.raises((ServiceClosedError, watchword.DispatchFailedError)):
            waiting.result(LONG)


def test_events_are_followed_until_the_end(service: BlockingService) -> None:
    """A loop in a thread gets each event, and ends with the service."""
    begun = Event()
    issued: list[str] = []

    def follow(opened: BlockingService, after: int) -> None:
        for each in opened.events.follow(after):
            if each.type == "PinIssued":
                issued.append(each.stream)
                begun.set()

    with ThreadPoolExecutor(1) as threads:
        with watchword.open_blocking("memory://", sandbox=True) as opened:
            newest = opened.events.list(0, 1000)[-1].position
            loop: Future[None] = threads.submit(follow, opened, newest)
            pin_id = opened.pins.issue("demo", "tpl_demo", NUMBERS[0]).pin_id
            assert begun.wait(LONG)
        loop.result(LONG)

    assert [pin_id] == issued


def test_a_loop_may_be_left(service: BlockingService) -> None:
    """Its generator is closed, and another begins where it ended."""
    with closing(service.events.follow()) as events:
        first = next(events)
    (second, *_) = service.events.list(first.position, 1)
    with closing(service.events.follow(first.position)) as events:
        assert second == next(events)


def test_files_are_taken_and_given_in_pieces(service: BlockingService, tmp_path: Path) -> None:
    """Bytes and paths are contents, of templates, too; a file comes back piece by piece."""
    file = tmp_path / "tea.png"
    file.write_bytes(b"\x89PNG\r\n\x1a\n" + b"x" * 600_000)
    hosted = service.media.create("demo", file)
    pieces = list(service.media.content(hosted))

    assert file.read_bytes() == b"".join(pieces)
    assert len(pieces) > 1


def test_a_refusal_to_open_is_raised(tmp_path: Path) -> None:
    """Whatever is wrong with the arguments or the store is an error of the `with` statement."""
    with pytest.raises(watchword.KeyringError, match=r"^code_key= cannot be read\."):
        watchword.open_blocking("memory://", code_key="tea").__enter__()
    path = tmp_path / "tea.db"
    with (
        watchword.open_blocking(f"sqlite:///{path}"),
        pytest.raises(watchword.StoreUnavailable, match="is open already"),
    ):
        watchword.open_blocking(f"sqlite:///{path}").__enter__()


def calls(service: BlockingService) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Return every call by its name, with arguments for those that must be given."""
    for part in parts(BlockingService):
        facade = getattr(service, part)
        for name, call in vars(type(facade)).items():
            if isinstance(call, Call | Stream):
                method = getattr(facade, name)
                yield f"{part}.{name}", partial(method, **arguments(method))
    yield "run_due", service.run_due


def outcome(call: Callable[[], Any]) -> Any:
    """Return what a call raises."""
    try:
        result = call()
        return list(result) if inspect.isgenerator(result) else result
    except Exception as error:
        return type(error)


def test_every_call_of_a_closed_service_says_so() -> None:
    """The same answer as that of the embedding interface (D-162), and none that hangs."""
    with watchword.open_blocking("memory://", sandbox=True) as service:
        held = dict(calls(service))
        sandbox = service.sandbox
        assert sandbox is not None
    found = {name: outcome(call) for name, call in held.items()}

    assert len(found) > 60
    assert dict.fromkeys(found, ServiceClosedError) == found
    with pytest.raises(ServiceClosedError):
        sandbox.provider.outbox()
    with pytest.raises(ServiceClosedError):
        service.sandbox  # noqa: B018  the look-up is what is tried
