"""Record a send before any dispatch: messages, fallback runs, contents and seals."""
