"""What every SQL store reads and writes in the same way."""
