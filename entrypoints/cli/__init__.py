"""The command line: `watchword serve`, `keys`, `audit`."""
