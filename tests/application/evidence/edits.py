"""Single edits of a sealed file, each with what must be found of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from random import Random

from tests.application.evidence.sealed_files import HEADS, SIZE, raw_events
from watchword.application.evidence.leaves import event_leaf

# Positions by kind of finding.
Expected = Mapping[str, set[int]]
Edit = Callable[[Random, sqlite3.Connection], Expected]


def flip_a_bit_of_an_event(random: Random, file: sqlite3.Connection) -> Expected:
    """Change any bit in the stored lines."""
    position = random.randint(1, SIZE)
    select = "SELECT state FROM stored_events WHERE position = ?"
    (state,) = file.execute(select, (position,)).fetchone()
    changed = bytearray(state)
    changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    update = "UPDATE stored_events SET state = ? WHERE position = ?"
    file.execute(update, (bytes(changed), position))
    return {"changed": {position}}


def change_what_an_event_says(random: Random, file: sqlite3.Connection) -> Expected:
    """Name another actor, another stream or another kind of event."""
    position = random.randint(1, SIZE)
    change = random.choice(
        (
            "state = CAST(replace(state, 'gardener', 'burglar') AS BLOB)",
            "originator_id = 'other-' || originator_id",
            "topic = topic || '0'",
        )
    )
    wanted = f"UPDATE stored_events SET {change} WHERE position = ?"  # noqa: S608  it is one of the texts above
    file.execute(wanted, (position,))
    return {"changed": {position}}


def change_a_version(random: Random, file: sqlite3.Connection) -> Expected:
    """Set an event to another version of its stream."""
    position = random.randint(1, SIZE)
    file.execute(
        "UPDATE stored_events SET originator_version = originator_version + 1000 WHERE position = ?",
        (position,),
    )
    return {"changed": {position}}


def delete_events(random: Random, file: sqlite3.Connection) -> Expected:
    """Delete one event or a few, and leave their positions empty."""
    first = random.randint(1, SIZE)
    last = min(SIZE, first + random.choice((0, 0, 1, 30)))
    file.execute("DELETE FROM stored_events WHERE position BETWEEN ? AND ?", (first, last))
    return {"missing": {*range(first, last + 1)}}


def delete_and_renumber(random: Random, file: sqlite3.Connection) -> Expected:
    """Delete one event or two, and move all later ones up."""
    first = random.randint(1, SIZE - 1)
    last = min(SIZE - 1, first + random.randint(0, 1))
    file.execute("DELETE FROM stored_events WHERE position BETWEEN ? AND ?", (first, last))
    _move(file, last, -(last - first + 1))
    return {"missing": {*range(first, last + 1)}}


def swap_two_events(random: Random, file: sqlite3.Connection) -> Expected:
    """Let two events change their positions."""
    one = random.randint(1, SIZE)
    other = random.choice(
        [each for each in (one + 1, one + 2, random.randint(1, SIZE)) if each <= SIZE]
    )
    if one == other:
        one, other = 1, SIZE
    for old, new in ((one, -1), (other, one), (-1, other)):
        file.execute("UPDATE stored_events SET position = ? WHERE position = ?", (new, old))
    return {"changed": {one, other}}


def insert_an_event(random: Random, file: sqlite3.Connection) -> Expected:
    """Insert an event between others, and move all later ones down."""
    position = random.randint(1, SIZE)
    _move(file, position - 1, 1)
    _insert(file, position)
    return {"extra": {position}}


def insert_before_the_first(random: Random, file: sqlite3.Connection) -> Expected:
    """Insert an event at a position that no log has."""
    position = -random.randint(0, 1000)
    _insert(file, position)
    return {"extra": {position}}


def cut_the_tail(random: Random, file: sqlite3.Connection) -> Expected:
    """Delete all events from a position on."""
    first = random.randint(1, SIZE)
    file.execute("DELETE FROM stored_events WHERE position >= ?", (first,))
    return {"missing": {*range(first, SIZE + 1)}}


def cut_the_tail_of_events_and_tiles(random: Random, file: sqlite3.Connection) -> Expected:
    """Delete all events of the last tile, and the tile."""
    file.execute("DELETE FROM stored_events WHERE position > 512")
    file.execute("DELETE FROM log_tiles WHERE level = 0 AND tile = 2")
    return {"missing": {*range(513, SIZE + 1)}}


def leave_a_gap_behind_the_tiles(random: Random, file: sqlite3.Connection) -> Expected:
    """Delete an event that is not sealed yet."""
    position = SIZE + random.randint(1, 4)
    file.execute("DELETE FROM stored_events WHERE position = ?", (position,))
    return {"gap": {position}}


def flip_a_bit_of_a_hash(random: Random, file: sqlite3.Connection) -> Expected:
    """Change a bit in a tile of leaves."""
    position = random.randint(1, SIZE)
    tile, place = divmod(position - 1, 256)
    _edit_tile(file, 0, tile, place, random)
    return {"tile": {position}}


def flip_a_bit_of_an_upper_hash(random: Random, file: sqlite3.Connection) -> Expected:
    """Change a bit in the tile above the leaves."""
    place = random.randrange(2)
    _edit_tile(file, 1, 0, place, random)
    return {"tile": {*range(place * 256 + 1, place * 256 + 257)}}


def delete_a_tile(random: Random, file: sqlite3.Connection) -> Expected:
    """Delete a tile of leaves, or the one above them."""
    level, tile = random.choice(((0, 0), (0, 1), (0, 2), (1, 0)))
    file.execute("DELETE FROM log_tiles WHERE level = ? AND tile = ?", (level, tile))
    if level:
        return {"tile": {*range(1, 513)}}
    return {"tile": {*range(tile * 256 + 1, min(SIZE, tile * 256 + 256) + 1)}}


def add_a_tile(random: Random, file: sqlite3.Connection) -> Expected:
    """Add a tile that covers no events."""
    level = random.choice((1, 2))
    file.execute("INSERT INTO log_tiles VALUES (?, 1, ?)", (level, random.randbytes(64)))
    return {"tile": {(1 << (8 * (level + 1))) + 1}}


def change_an_event_and_its_hash(random: Random, file: sqlite3.Connection) -> Expected:
    """Exchange two events of a full tile and make the tile anew, but not what stands above it."""
    # Behind the heads within the tile: those would be wrong, too.
    tile, one = random.choice(((0, random.randint(91, 255)), (1, random.randint(301, 511))))
    other = one + 1
    for old, new in ((one, -1), (other, one), (-1, other)):
        file.execute("UPDATE stored_events SET position = ? WHERE position = ?", (new, old))
    _reseal_tile(file, tile)
    return {"changed": {*range(tile * 256 + 1, tile * 256 + 257)}}


def change_a_heads_row(random: Random, file: sqlite3.Connection) -> Expected:
    """Say another root, time or origin beside the note of a head."""
    size = random.choice(HEADS)
    column, value = random.choice(
        (
            ("root", random.randbytes(32)),
            ("at", "2031-05-05T12:00:00.000000+00:00"),
            ("origin", "garden/2"),
        )
    )
    wanted = f"UPDATE log_heads SET {column} = ? WHERE size = ?"  # noqa: S608  it is one of those above
    file.execute(wanted, (value, size))
    return {"head": {size}}


def change_a_note(random: Random, file: sqlite3.Connection) -> Expected:
    """Change a character of a signed note."""
    size = random.choice(HEADS)
    (note,) = file.execute("SELECT note FROM log_heads WHERE size = ?", (size,)).fetchone()
    at = random.randrange(len(note))
    other = "A" if note[at] != "A" else "B"
    changed = note[:at] + other + note[at + 1 :]
    file.execute("UPDATE log_heads SET note = ? WHERE size = ?", (changed, size))
    return {"signature": {size}}


EDITS: tuple[Edit, ...] = (
    flip_a_bit_of_an_event,
    change_what_an_event_says,
    change_a_version,
    delete_events,
    delete_and_renumber,
    swap_two_events,
    insert_an_event,
    insert_before_the_first,
    cut_the_tail,
    cut_the_tail_of_events_and_tiles,
    leave_a_gap_behind_the_tiles,
    flip_a_bit_of_a_hash,
    flip_a_bit_of_an_upper_hash,
    delete_a_tile,
    add_a_tile,
    change_an_event_and_its_hash,
    change_a_heads_row,
    change_a_note,
)
# What an attacker does to events before making tiles and heads anew.
OF_SEALED_EVENTS: tuple[Edit, ...] = (
    change_what_an_event_says,
    change_a_version,
    delete_and_renumber,
    swap_two_events,
    insert_an_event,
)


def _move(file: sqlite3.Connection, behind: int, by: int) -> None:
    """Move all events behind a position; by way of positions that no event has."""
    far = 1_000_000
    file.execute(
        "UPDATE stored_events SET position = position + ? WHERE position > ?", (far, behind)
    )
    file.execute(
        "UPDATE stored_events SET position = position - ? WHERE position > ?", (far - by, far)
    )


def _insert(file: sqlite3.Connection, position: int) -> None:
    (state,) = file.execute("SELECT state FROM stored_events WHERE position = 701").fetchone()
    file.execute(
        "INSERT INTO stored_events VALUES (?, 'key-weed', 1, 'ApiKeyCreated/1', ?)",
        (position, state),
    )


def _edit_tile(file: sqlite3.Connection, level: int, tile: int, place: int, random: Random) -> None:
    (hashes,) = file.execute(
        "SELECT hashes FROM log_tiles WHERE level = ? AND tile = ?", (level, tile)
    ).fetchone()
    changed = bytearray(hashes)
    changed[place * 32 + random.randrange(32)] ^= 1 << random.randrange(8)
    file.execute(
        "UPDATE log_tiles SET hashes = ? WHERE level = ? AND tile = ?",
        (bytes(changed), level, tile),
    )


def _reseal_tile(file: sqlite3.Connection, tile: int) -> None:

    events = raw_events(file)[tile * 256 : tile * 256 + 256]
    hashes = b"".join(event_leaf(each) for each in events)
    file.execute("UPDATE log_tiles SET hashes = ? WHERE level = 0 AND tile = ?", (hashes, tile))
