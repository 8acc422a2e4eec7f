"""Audits: read the log and the history of single streams, and check all kept data against them."""
