"""Documented curl lines, run by Python: curl itself is nothing that the repository installs."""

from __future__ import annotations

import shlex
import urllib.error
import urllib.request


def run_curl(line: str) -> str:
    """Do what `curl -s URL -H … -d …` does, and return the answer's body."""
    words = iter(shlex.split(line.replace("\\\n", " ")))
    assert "curl" == next(words)
    url, headers, body = "", {}, None
    for word in words:
        if word == "-s":
            continue
        if word == "-H":
            name, _, value = next(words).partition(": ")
            headers[name] = value
        elif word == "-d":
            body = next(words).encode()
        else:
            assert word.startswith("http://127.0.0.1:"), word
            url = word
    request = urllib.request.Request(url, body, headers)  # noqa: S310  loopback, asserted above
    with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310  as above
        return str(answer.read().decode())


def answer_to(line: str) -> str:
    """Do the same, and return the body of a refusal too, as curl does."""
    try:
        return run_curl(line)
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.read().decode()
