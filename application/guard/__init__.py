"""The guard of accounts: what it refuses, what it lets through on the record, and what it counts."""
