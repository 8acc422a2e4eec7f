"""What the check counts a second time from the log: the statistics, and the tallies of the guard."""
