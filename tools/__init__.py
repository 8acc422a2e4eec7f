"""What keeps the checkout in order, and is in no release."""
