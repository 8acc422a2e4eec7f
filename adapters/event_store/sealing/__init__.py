"""The keys of the owners for whom a store seals, beside what each store does with them."""
