"""The promises of channel providers: the suite that the test of each adapter inherits (C-72)."""
