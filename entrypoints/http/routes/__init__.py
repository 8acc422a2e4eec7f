"""The routes, one file per area: parse, call the use case, present; nothing else."""
