"""
Tests for authors of channel providers, and fixtures for projects that use the service (C-72).

Nothing is imported here: pytest loads `fixtures` in every project that has the package installed.
"""
