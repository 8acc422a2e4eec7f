"""Modules that a start does not load, so that it is fast (D-119)."""

from __future__ import annotations

import subprocess
import sys


def test_a_start_on_a_file_loads_no_other_store_and_no_metrics() -> None:
    """A process loads its own store's modules alone, and no metrics unless asked."""
    spared = {
        "prometheus_client",
        "psycopg",
        "sqlalchemy.dialects.postgresql",
        "watchword.adapters.event_store.memory.store",
    }
    said = _said(
        "import sys, watchword.entrypoints.serving.one_process\n"
        "print('before', 'sqlalchemy' in sys.modules)\n"
        "import watchword.adapters.event_store.sqlite.store\n"
        f"print('beside', *sorted({spared} & {{*sys.modules}}))\n"
    )

    assert ["before False", "beside"] == said


def test_no_garbage_is_looked_for_while_a_command_is_loaded() -> None:
    """Imported objects stay, and the usual threshold would scan them again and again."""
    said = _said(
        "import gc\n"
        "from watchword.entrypoints.cli.__main__ import main\n"
        "before = gc.get_stats()\n"
        "main(['serve', '--help'], standalone_mode=False)\n"
        "print(gc.get_stats() == before)\n"
    )

    assert "True" == said[-1]


def _said(program: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()
