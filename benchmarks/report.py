"""The result of a run, as a table for people and as JSON for machines."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence

import msgspec
from attrs import field, frozen
from rich import box
from rich.console import Console
from rich.table import Table

from .attack import FLOOD_CONNECTIONS, AttackFound
from .channels.providers import AT_ONCE as SENDS_AT_ONCE
from .channels.providers import ProvidersFound
from .channels.smpp import WINDOWS, SmppFound
from .console.pages import LOADS
from .fairness import BULK_CONNECTIONS, FairnessFound
from .loads import Latency
from .long_stores.growth import Growth
from .messages import AT_ONCE, MessagesFound
from .plain_appends import Appends
from .plan import Plan
from .store import StoreFound
from .summary import Spread, Summary

WIDTH = 100
# With more cores than this, another program is running beside the benchmark.
NOISE_CORES = 0.3
_READING = """\
A cycle is a create and a verify with the right code, durable before it is answered; keyed: with
an Idempotency-Key on every create. The skeleton is the least that such a service can do, with
shared commits on SQLite and one for each write on PostgreSQL; bare aiohttp keeps nothing. Growth
is beside the shorter store. CPU on PostgreSQL has that of the database in it, RSS has not.
Figures are medians over the rounds, with their range; ratios are taken within each round. Ratios
hold on other machines and days, to about 10 % where nothing else runs; absolutes do not.
Latencies are per request; those at 32 connections are mostly time spent in the queue."""


@frozen(kw_only=True)
class Result:
    """All results of a run."""

    machine: str
    plan: Plan
    sqlite: Sequence[Summary] = ()
    postgres: Sequence[Summary] = ()
    appends: Sequence[Appends] = ()
    growth: Sequence[Growth] = ()
    store_us: dict[str, Spread | None] = field(factory=dict)
    messages_us: dict[str, Spread | None] = field(factory=dict)
    fairness: dict[str, Spread | None] = field(factory=dict)
    attack: dict[str, Spread | None] = field(factory=dict)
    providers: dict[str, Spread | None] = field(factory=dict)
    smpp: dict[str, Spread | None] = field(factory=dict)
    people: dict[str, Spread | None] = field(factory=dict)
    console: dict[str, Spread | None] = field(factory=dict)
    retention: dict[str, Spread | None] = field(factory=dict)

    @property
    def servers(self) -> Sequence[Summary]:
        """Every server of every part."""
        return [*self.sqlite, *self.postgres, *(s for each in self.growth for s in each.servers)]


def store_figures(found: StoreFound) -> dict[str, Spread | None]:
    """Return the store's figures, in microseconds, under the names that the table shows."""
    seconds = {
        **{
            f"per event written, {batch} in a commit": times
            for batch, times in found.written.items()
        },
        "per aggregate loaded, from the file": found.loaded_from_disk,
        "per aggregate loaded, from memory": found.loaded_from_memory,
        "per fold of an aggregate's 3 events": found.folded,
        "for scale: 4 KiB written and synced": found.synced,
    }
    return {name: Spread.of(each * 1e6 for each in times) for name, times in seconds.items()}


def fairness_figures(found: FairnessFound) -> dict[str, Spread | None]:
    """Return the figures of fair shares under the names that the table shows."""
    return {
        "per create (p50), alone": Spread.of(each * 1e3 for each in found.alone),
        f"per create (p50), beside {BULK_CONNECTIONS} connections of 1,000-recipient sends": (
            Spread.of(each * 1e3 for each in found.beside)
        ),
        "times as long (C-94: at most 2)": Spread.of(found.ratios),
    }


def attack_figures(found: AttackFound) -> dict[str, Spread | None]:
    """Return the figures of an attack under the names that the table shows."""
    flood = f"beside {FLOOD_CONNECTIONS} connections that"
    return {
        "per create (p99), alone": Spread.of(each * 1e3 for each in found.alone),
        f"per create (p99), {flood} the guard lets through": Spread.of(
            each * 1e3 for each in found.let_through
        ),
        f"per create (p99), {flood} it refuses": Spread.of(each * 1e3 for each in found.refused),
        "times as long as alone": Spread.of(found.to_alone),
        "times as long as beside what is let through": Spread.of(found.to_let_through),
    }


def provider_figures(found: ProvidersFound) -> dict[str, Spread | None]:
    """Return the figures of HTTP sends under the names that the table shows."""
    return {
        f"sends/s of a bare client, {SENDS_AT_ONCE} at once": Spread.of(found.bare),
        f"sends/s of the provider http, {SENDS_AT_ONCE} at once": Spread.of(found.provider),
        "ratio to the bare client": Spread.of(found.ratios),
    }


def smpp_figures(found: SmppFound) -> dict[str, Spread | None]:
    """Return the figures of SMPP sends under the names that the table shows."""
    figures: dict[str, Spread | None] = {}
    for window in WINDOWS:
        figures |= {
            f"sends/s over HTTP, {window} at once": Spread.of(found.http[window]),
            f"sends/s over SMPP, window {window}": Spread.of(found.smpp[window]),
            f"times as many, {window}": Spread.of(found.ratios(window)),
        }
    return figures | {
        f"bytes per waiting send, {kind}": Spread.of(found.waiting[kind]) for kind in found.waiting
    }


def message_figures(found: MessagesFound) -> dict[str, Spread | None]:
    """Return the figures of messages, in microseconds, under the names that the table shows."""
    seconds = {
        f"per PIN issued, {AT_ONCE} at once": found.issued,
        f"per send with a fallback armed, {AT_ONCE} at once": found.sent,
        "per fallback fired, all due at once": found.fired,
        **{
            f"per look for due work, {waiting:,} runs waiting": times
            for waiting, times in found.looked.items()
        },
    }
    return {name: Spread.of(each * 1e6 for each in times) for name, times in seconds.items()}


def to_json(result: Result) -> bytes:
    """Return the result for a machine."""
    return msgspec.json.format(msgspec.json.encode(result), indent=2) + b"\n"


def show(result: Result) -> None:
    """Print the result for people."""
    watched = sys.stdout.isatty()
    console = Console(width=None if watched else WIDTH, highlight=False, soft_wrap=False)
    for title, servers in (("On SQLite", result.sqlite), ("On PostgreSQL", result.postgres)):
        if servers:
            console.print(_table(title, _rows(result.plan, servers), servers))
    if result.appends:
        console.print(_appends(result.appends))
    for growth in result.growth:
        console.print(_table(f"Growth on {growth.store}", _growth_rows(growth), growth.servers))
    if result.store_us:
        console.print(_figures("Store alone, in process", result.store_us))
    if result.messages_us:
        console.print(_figures("Use cases, in process", result.messages_us))
    if result.fairness:
        title = "Creates beside bulk sends of another account"
        console.print(_figures(title, result.fairness, "ms, or times"))
    if result.attack:
        title = "Creates beside an attack on another account"
        console.print(_figures(title, result.attack, "ms, or times"))
    if result.providers:
        title = "HTTP sends to an API on loopback"
        console.print(_figures(title, result.providers, "per second, or ratio"))
    if result.smpp:
        title = "SMS to an SMSC on loopback"
        console.print(_figures(title, result.smpp, "per second, ratio, or bytes"))
    if result.people:
        console.print(_figures("People", result.people, "ms, times, or bytes"))
    if result.console:
        console.print(_figures(_console_title(result.plan), result.console, "ms, or MiB"))
    if result.retention:
        console.print(_figures(_retention_title(result.plan), result.retention, "ms, or times"))
    console.print(f"\n{result.machine}; {result.plan.rounds} interleaved rounds.")
    console.print(_READING)
    for line in _warnings(result):
        console.print(line, markup=False)


def _console_title(plan: Plan) -> str:
    return f"The console: {LOADS} loads of each page, {max(plan.stored):,} PINs"


def _retention_title(plan: Plan) -> str:
    return f"Cycles while a retention takes {max(plan.stored):,} PINs and messages out of the log"


def _empty(title: str, *columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column(f"\n{title}", no_wrap=True)
    for each in columns:
        table.add_column(f"\n{each}", justify="right")
    return table


def _table(title: str, rows: Iterable[tuple[str, list[str]]], servers: Sequence[Summary]) -> Table:
    table = _empty(title, *(server.name for server in servers))
    for name, cells in rows:
        table.add_row(name, *cells)
    return table


def _appends(appends: Sequence[Appends]) -> Table:
    table = _empty("Appends, no HTTP", "ratio to inserts", "per second")
    for each in appends:
        name = f"{each.store}: {each.name}"
        table.add_row(name, _spread(each.ratio, 2), _spread(each.per_second, 0))
    return table


def _growth_rows(growth: Growth) -> Iterator[tuple[str, list[str]]]:
    servers = growth.servers
    yield "cycles/s, ratio", [_spread(s.ratio, 2) for s in servers]
    yield "cycles/s, ratio by CPU", [_spread(s.cpu_ratio, 2) for s in servers]
    yield "cycles/s, 32 connections", [_spread(s.cycles_per_second, 0) for s in servers]
    yield "events stored", [f"{growth.events[s.name]:,}" for s in servers]
    yield "start-up s", [f"{s.start_seconds:.2f}" for s in servers]
    yield "RSS MiB", [_growth(s) for s in servers]
    for question in growth.milliseconds[servers[0].name]:
        yield (
            f"ms: {question}",
            [_spread(growth.milliseconds[s.name][question], 1) for s in servers],
        )


def _rows(plan: Plan, servers: Sequence[Summary]) -> Iterator[tuple[str, list[str]]]:
    yield "ratio to skeleton", [_spread(s.ratio, 2) for s in servers]
    yield "ratio to skeleton, by CPU", [_spread(s.cpu_ratio, 2) for s in servers]
    yield "cycles/s, 32 connections", [_spread(s.cycles_per_second, 0) for s in servers]
    yield "cycles/s, 1 connection", [_spread(s.cycles_per_second_alone, 0) for s in servers]
    yield "cycles per CPU second", [_spread(s.cycles_per_cpu_second, 0) for s in servers]
    yield "server CPU ms per cycle", [_spread(s.cpu_ms_per_cycle, 2) for s in servers]
    yield "create p50/p99 ms, 32", [_latency(s.create) for s in servers]
    yield "verify p50/p99 ms, 32", [_latency(s.verify) for s in servers]
    yield "create p50/p99 ms, 1", [_latency(s.create_alone) for s in servers]
    yield "verify p50/p99 ms, 1", [_latency(s.verify_alone) for s in servers]
    yield f"RSS MiB, {plan.total:,} cycles", [_growth(s) for s in servers]
    yield "failed cycles", [str(s.failed) for s in servers]
    yield "client CPU ms per cycle", [_spread(s.client_cpu_ms_per_cycle, 2) for s in servers]
    yield "client CPU, cores", [_spread(s.client_cores, 2) for s in servers]
    yield "foreign CPU, cores", [_spread(s.foreign_cores, 2) for s in servers]


def _figures(title: str, figures: dict[str, Spread | None], unit: str = "µs") -> Table:
    table = _empty(title, unit)
    for name, spread in figures.items():
        table.add_row(name, _spread(spread, 1))
    return table


def _warnings(result: Result) -> Iterator[str]:
    foreign = [s.foreign_cores.high for s in result.servers if s.foreign_cores]
    if foreign and max(foreign) > NOISE_CORES:
        yield (
            f"NOISY: up to {max(foreign):.1f} cores were busy with something else."
            " Trust the ratios by CPU; run again for the rest."
        )
    clients = [s.client_cores.high for s in result.servers if s.client_cores]
    if clients and max(clients) > 0.8:
        yield f"The load client took up to {max(clients):.1f} cores: the fastest rows are its limit."
    for server in result.servers:
        if server.failed:
            yield f"{server.name}: {server.failed} cycles failed, first: {server.first_failure}"


def _spread(spread: Spread | None, digits: int) -> str:
    if spread is None:
        return "-"
    low, high = f"{spread.low:.{digits}f}", f"{spread.high:.{digits}f}"
    middle = f"{spread.median:.{digits}f}"
    return middle if low == high else f"{middle} ({low}-{high})"


def _latency(latency: Latency) -> str:
    return f"{latency.p50:.1f} / {latency.p99:.1f}"


def _growth(server: Summary) -> str:
    before, after = server.resident_mib_before, server.resident_mib_after
    return "-" if before is None or after is None else f"{before:.0f} to {after:.0f}"
