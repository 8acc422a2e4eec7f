"""
Chooses the index of a list: the first of its read model's that fits the query (D-169).

SQLite keeps no statistics and uses any index that fits some filter. So all filters that must not choose
the index are hidden from it. PostgreSQL chooses well by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ....application.ports.listings import AtLeast, Below, Equals, Filter, Lists, Missing, Present
from ....application.records.read_model import FoundBy


def leading(
    ways: Sequence[FoundBy], where: Sequence[Filter], order_by: str, rare: Collection[Lists]
) -> FoundBy | None:
    """
    Return the first way of finding rows that keeps the order and whose leading fields are all given.

    A way by a listed word is chosen only if the word is `rare`.
    """
    given = {each.column for each in where if isinstance(each, Equals | Missing)}
    present = {each.column for each in where if isinstance(each, Equals | Present)}
    words = {(each.column, each.name) for each in rare}
    for way in ways:
        if (
            order_by in way.fields
            and given.issuperset(way.fields[: way.fields.index(order_by)])
            and (way.present is None or way.present in present)
            and (way.lists is None or way.lists in words)
        ):
            return way
    return None


def filtering_only(
    way: FoundBy | None, where: Sequence[Filter], order_by: str
) -> frozenset[Filter]:
    """Return the filters that only reduce the rows found by `way`."""
    if way is None:
        return frozenset()
    led_by = way.fields[: way.fields.index(order_by) + 1]
    return frozenset(
        each
        for each in where
        if isinstance(each, Equals | AtLeast | Below) and each.column not in led_by
    )


def range_of(ways: Sequence[FoundBy], where: Sequence[Filter], order_by: str) -> str | None:
    """
    Return the field of a range that may find fewer rows than the way that keeps the order.

    Return None for a list without such a range.
    """
    ranges = {each.column for each in where if isinstance(each, AtLeast)} - {order_by}
    if not ranges:
        return None
    leads = leading(ways, where, order_by, ())
    for way in ways:
        if way is leads:
            return None
        if way.fields[0] in ranges:
            return way.fields[0]
    return None
