"""Read statuses, histories and the delivery report."""
