"""What happens, and what may happen: events, states and decisions, without I/O."""
