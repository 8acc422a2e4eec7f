"""The log's keys, what they sign, and the copies of heads outside the database."""
