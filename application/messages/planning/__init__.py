"""Whether a send can be made as it is asked for, and through which channel accounts: before any append."""
