"""The reads and writes that all SQL stores share."""
