"""The parts that only a sandbox has: a movable clock and simulated phones (C-39)."""
