"""
Events, states and decisions: the rules of Watchword.

The domain is pure: no I/O, clock, randomness, logging or await. Commands carry everything that a
decision needs. The domain can therefore be embedded, tested and audited alone, and a replay returns the
same bytes.
"""
