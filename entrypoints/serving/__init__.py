"""A process that serves until it is stopped: its ports, its workers, its log and metrics."""
