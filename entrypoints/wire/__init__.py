"""Plain data and typed values: what comes over the wire is read strictly, and records go out as documented."""
