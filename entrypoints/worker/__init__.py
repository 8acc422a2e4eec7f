"""The worker: what is done when its time has come."""
