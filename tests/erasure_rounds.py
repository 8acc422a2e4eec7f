"""How often erasures race with calls to the same number."""

from __future__ import annotations

import os

# The races in one process, and those whose process is killed, are repeated so often on each kind of store;
# 50 find what a few do not.
ROUNDS = int(os.environ.get("WATCHWORD_ERASURE_ROUNDS", "2"))
