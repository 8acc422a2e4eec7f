"""What people may ask for: that an account erases what it stores of them, or shows it."""
