"""The command line: starts the service, manages its records, and audits its store."""
