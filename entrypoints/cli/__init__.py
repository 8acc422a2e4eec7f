"""The command line: `watchword serve`, and what is managed and audited beside it."""
