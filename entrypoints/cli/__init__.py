"""The command line: `watchword serve`, `accounts`, `keys`, `audit`."""
