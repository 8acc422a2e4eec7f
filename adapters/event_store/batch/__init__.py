"""What is written together: gathered, settled in pure code, and handed to a writer."""
