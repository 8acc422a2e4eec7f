"""The log: events in stored form, the states used last, and the high-water mark."""
