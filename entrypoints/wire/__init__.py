"""Plain data and typed values: requests are read strictly, and records are written as documented."""
