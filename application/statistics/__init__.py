"""
The statistics: figures of the sends of codes, which a follower of the log counts (C-80, D-405).

`following.py` is the follower: it has the facts of PINs (`pin_facts.py`, read from the open lines of
their events by `outlines.py`) and adds what changed to rows (`kept_rows.py`). `asking.py` answers
questions, and `rebuilding.py` counts the whole log again.
"""
