"""Messages: sends with their fallback runs, what providers report, and what callers ask."""
