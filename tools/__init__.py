"""Tools for the checkout, which are in no release."""
