"""Bounds on what runs at once: queues, shares, lanes and deadlines."""
