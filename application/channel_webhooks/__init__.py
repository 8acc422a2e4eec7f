"""The addresses at which providers post, set there or entered by people (C-70)."""
