"""The log: events and their stored form, recently used states, the high-water mark."""
