"""A queue in which the owners of waiters take turns."""

from __future__ import annotations

from watchword.application.concurrency.owner_queue import OwnerQueue


async def test_owners_take_turns() -> None:
    """An owner with many waiters is served once before the next owner is."""
    queue = OwnerQueue()
    first, second = queue.add("acc_tea"), queue.add("acc_tea")
    other = queue.add("acc_pot")

    assert queue.serve_next()
    assert queue.serve_next()

    assert (True, False, True) == (first.done(), second.done(), other.done())


async def test_a_cancelled_waiter_costs_its_owner_no_turn() -> None:
    """The owner's next waiter is served instead."""
    queue = OwnerQueue()
    queue.add("acc_tea").cancel()
    second, other = queue.add("acc_tea"), queue.add("acc_pot")

    assert queue.serve_next()

    assert (True, False) == (second.done(), other.done())


async def test_an_owner_leaves_with_its_last_waiter() -> None:
    """A waiter that gave up is removed; the queue forgets an owner without waiters."""
    queue = OwnerQueue()
    first, second = queue.add("acc_tea"), queue.add("acc_tea")

    assert not queue.remove("acc_tea", first)
    assert queue.remove("acc_tea", second)

    assert not queue.remove("acc_tea", second)
    assert not queue.serve_next()
