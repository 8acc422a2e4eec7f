"""The read models: their tables, the columns of rows, and the queries of lists."""
