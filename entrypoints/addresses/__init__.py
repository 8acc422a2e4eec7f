"""The addresses that a service tells others: of callbacks, of media, and its own."""
