"""The forms of PIN templates: their fields, and the API's bodies that they stand for."""
