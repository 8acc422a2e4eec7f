"""The texts of SMS: their alphabets, and how many segments they take."""
