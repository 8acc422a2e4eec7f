"""The system's figures for processes and for the machine; None if it has none."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path

from attrs import frozen

from . import event_loop

_PROC = Path("/proc")
_HAS_PROC = (_PROC / "self/stat").exists()


@frozen(kw_only=True)
class Usage:
    """
    CPU seconds that a process and its children have used, and the bytes of memory that they hold now.

    Shared pages count for each of them.
    """

    cpu_seconds: float
    resident: int


def usage(pid: int) -> Usage | None:
    """Return the figures of a running process."""
    try:
        return _from_proc(pid) if _HAS_PROC else _from_ps(pid)
    except (OSError, ValueError, IndexError, subprocess.SubprocessError):
        return None


def busy_seconds() -> float | None:
    """
    Return the CPU seconds that the machine has spent on all programs.

    Time stolen from a virtual machine counts. Interrupts do not, because the loopback traffic is the
    benchmark's own.
    """
    if not _HAS_PROC:
        return None
    user, nice, system, _, _, _, _, steal, *_ = map(
        int, (_PROC / "stat").read_text().partition("\n")[0].split()[1:]
    )
    return (user + nice + system + steal) / os.sysconf("SC_CLK_TCK")


def description() -> str:
    """Describe the machine in one line."""
    return (
        f"{platform.python_implementation()} {platform.python_version()} on {event_loop.NAME},"
        f" {platform.system()} {platform.machine()}, {os.cpu_count()} CPUs"
    )


def _from_proc(pid: int) -> Usage:
    family = [_stat(pid), *(_stat(child) for child in _children(pid))]
    return Usage(
        cpu_seconds=sum(int(stat[11]) + int(stat[12]) for stat in family)
        / os.sysconf("SC_CLK_TCK"),
        resident=sum(int(stat[21]) for stat in family) * os.sysconf("SC_PAGE_SIZE"),
    )


def _children(pid: int) -> list[int]:
    # Each thread has its own children.
    lists = (_PROC / str(pid) / "task").glob("*/children")
    return [int(child) for each in lists for child in each.read_text().split()]


def _stat(pid: int) -> list[str]:
    # The name in brackets can hold any character; only numbers follow it.
    return (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()


def _from_ps(pid: int) -> Usage:
    shown = subprocess.run(
        ["/bin/ps", "-A", "-o", "pid=,ppid=,time=,rss="],
        capture_output=True,
        text=True,
        timeout=10,
        check=True,
    ).stdout.splitlines()
    seconds, resident = 0.0, 0
    for process, parent, used, held in map(str.split, shown):
        if str(pid) in (process, parent):
            seconds += _seconds(used)
            resident += int(held) * 1024
    return Usage(cpu_seconds=seconds, resident=resident)


def _seconds(shown: str) -> float:
    seconds = 0.0
    for part in shown.replace("-", ":").split(":"):
        seconds = seconds * 60 + float(part)
    return seconds
