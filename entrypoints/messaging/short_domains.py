"""The addresses with which short links may begin (C-29, C-60)."""

from __future__ import annotations

from attrs import evolve, frozen


@frozen
class ShortDomains:
    """
    The service's own address, if it is known, and the operator's others (`--short-domain`).

    All are URLs without a slash at the end, and may contain a path.
    """

    base_url: str | None = None
    others: tuple[str, ...] = ()

    def served_at(self, listening: str | None) -> ShortDomains:
        """Use the listening address if no `--public-url` is set (C-1)."""
        return self if self.base_url is not None else evolve(self, base_url=listening)

    def named(self, domain: str) -> str | None:
        """Return the address that a caller names by its URL or by the part after `://`; else None."""
        wanted = domain.rstrip("/").lower()
        known = (self.base_url, *self.others)
        return next(
            (
                url
                for url in known
                if url is not None and wanted in (url.lower(), url.lower().partition("://")[2])
            ),
            None,
        )
