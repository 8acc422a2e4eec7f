"""Computes figures from runs: medians with their ranges, and ratios within a round."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from statistics import median

from attrs import frozen

from .loads import Latency
from .rounds import Measured, ServerRun

_MIB = 1 << 20


@frozen(kw_only=True)
class Spread:
    """The median, the minimum and the maximum over the rounds."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Iterable[float | None]) -> Spread | None:
        """Compute the spread of measurements; None without any."""
        known = [value for value in values if value is not None]
        if not known:
            return None
        return cls(median=median(known), low=min(known), high=max(known))


@frozen(kw_only=True)
class Summary:
    """The figures of one server; `ratio` is its cycles/s over those of `beside` in the same round."""

    name: str
    beside: str
    start_seconds: float
    cycles_per_second: Spread | None
    ratio: Spread | None
    cycles_per_cpu_second: Spread | None
    cpu_ratio: Spread | None
    cpu_ms_per_cycle: Spread | None
    create: Latency
    verify: Latency
    cycles_per_second_alone: Spread | None
    create_alone: Latency
    verify_alone: Latency
    resident_mib_before: float | None
    resident_mib_after: float | None
    client_cpu_ms_per_cycle: Spread | None
    client_cores: Spread | None
    foreign_cores: Spread | None
    cycles: int
    failed: int
    first_failure: str


def summarized(servers: Sequence[Measured]) -> list[Summary]:
    """Summarize servers, each beside another one of the same run."""
    by_name = {server.name: server for server in servers}
    return [_summary(server, by_name[server.beside]) for server in servers]


def _summary(server: Measured, beside: Measured) -> Summary:
    runs = server.runs
    tallies = [tally for run in runs for tally in (run.loaded, run.alone)]
    loaded = [run.loaded for run in runs]
    return Summary(
        name=server.name,
        beside=server.beside,
        start_seconds=server.started_in,
        cycles_per_second=Spread.of(map(_rate, runs)),
        ratio=_ratio(_rate, runs, beside.runs),
        cycles_per_cpu_second=Spread.of(map(_cpu_rate, runs)),
        cpu_ratio=_ratio(_cpu_rate, runs, beside.runs),
        cpu_ms_per_cycle=Spread.of(_over(1000, _cpu_rate(run)) for run in runs),
        create=_latency([tally.create for tally in loaded]),
        verify=_latency([tally.verify for tally in loaded]),
        cycles_per_second_alone=Spread.of(_over(run.alone.done, run.alone.seconds) for run in runs),
        create_alone=_latency([run.alone.create for run in runs]),
        verify_alone=_latency([run.alone.verify for run in runs]),
        resident_mib_before=_over(server.resident_before, _MIB),
        resident_mib_after=_over(server.resident_after, _MIB),
        client_cpu_ms_per_cycle=Spread.of(
            _over(tally.client_cpu_seconds * 1000, tally.done) for tally in loaded
        ),
        client_cores=Spread.of(_over(tally.client_cpu_seconds, tally.seconds) for tally in loaded),
        foreign_cores=Spread.of(run.foreign_cores for run in runs),
        cycles=sum(tally.done for tally in loaded),
        failed=sum(tally.failed for tally in tallies),
        first_failure=next((tally.first_failure for tally in tallies if tally.failed), ""),
    )


def _rate(run: ServerRun) -> float | None:
    return _over(run.loaded.done, run.loaded.seconds)


def _cpu_rate(run: ServerRun) -> float | None:
    return _over(run.loaded.done, run.server_cpu_seconds)


def _ratio(
    rate: Callable[[ServerRun], float | None],
    runs: Sequence[ServerRun],
    others: Sequence[ServerRun],
) -> Spread | None:
    pairs = zip(runs, others, strict=True)
    return Spread.of(_over(rate(own), rate(beside)) for own, beside in pairs)


def _over(dividend: float | None, divisor: float | None) -> float | None:
    return dividend / divisor if dividend is not None and divisor else None


def _latency(found: Sequence[Latency]) -> Latency:
    return Latency(
        p50=median(each.p50 for each in found),
        p99=median(each.p99 for each in found),
    )
