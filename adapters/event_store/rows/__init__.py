"""The read models in SQL: their tables, the columns of their rows, and the queries of lists."""
