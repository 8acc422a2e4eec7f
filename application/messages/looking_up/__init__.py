"""What callers ask afterwards: statuses, histories and the delivery report."""
