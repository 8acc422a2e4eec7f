"""What a log is made of: events and their stored form, the states used last, the high-water mark."""
