"""
What happens and what may happen: events, states and decisions.

Pure: no I/O, clock, randomness, logging or await. Whatever a decision needs travels in its command,
so the domain replays byte for byte and can be embedded, tested and audited alone.
"""
