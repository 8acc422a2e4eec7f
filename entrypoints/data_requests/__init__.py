"""The answers to requests of people about their data."""
