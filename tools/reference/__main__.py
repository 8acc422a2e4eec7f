"""`make reference`: write the generated pages of docs/reference."""

from __future__ import annotations

from tools.reference.pages import DOCS, generated

if __name__ == "__main__":
    for name, text in generated().items():
        path = DOCS / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
