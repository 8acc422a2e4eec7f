"""Texts for codes, ready to be sent, in the languages that codes go out in most (D-526)."""
