"""Makes the commands that are alike."""
