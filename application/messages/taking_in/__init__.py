"""What is appended before a provider is asked: messages, fallback runs, contents and seals."""
