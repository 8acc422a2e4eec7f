"""What auditors read: the log, single histories, and whether everything agrees with them."""
