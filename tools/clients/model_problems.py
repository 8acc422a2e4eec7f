"""Prints every type and every list of the document that the generated models lack."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import watchword_models


def problems(schemas: dict[str, Any]) -> Iterator[str]:
    """Yield the missing types and lists."""
    for name, schema in schemas.items():
        model = getattr(watchword_models, name, None)
        if model is None:
            yield f"No model {name}."
            continue
        for member, described in schema.get("properties", {}).items():
            if described.get("type") not in ("array", ["array", "null"]):
                continue
            fields = {each.alias or known: each for known, each in model.model_fields.items()}
            if member not in fields or "list[" not in str(fields[member].annotation):
                yield f"No list {name}.{member}."


if __name__ == "__main__":
    document = json.loads(Path(sys.argv[1]).read_text())
    for line in problems(document["components"]["schemas"]):
        print(line)
