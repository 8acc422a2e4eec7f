"""Loads for the load client, and their results; one JSON line each way."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen


@frozen(kw_only=True)
class Load:
    """
    Cycles to run: create, learn the code, verify.

    The connections are distributed over the ports. No cycle begins after `seconds`, however many are left.
    """

    ports: tuple[int, ...]
    key: str
    template_id: str
    idempotent: bool
    connections: int
    cycles: int
    seconds: float


@frozen(kw_only=True)
class Latency:
    """The median and the 99th percentile of requests, in milliseconds."""

    p50: float
    p99: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Latency:
        """Compute them from measured times."""
        ranked = sorted(seconds) or [0.0]
        return cls(
            p50=ranked[len(ranked) // 2] * 1000,
            p99=ranked[len(ranked) * 99 // 100] * 1000,
        )


@frozen(kw_only=True)
class Tally:
    """The result of a load; a cycle counts once, as done or as failed."""

    done: int
    failed: int
    first_failure: str
    seconds: float
    client_cpu_seconds: float
    create: Latency
    verify: Latency
