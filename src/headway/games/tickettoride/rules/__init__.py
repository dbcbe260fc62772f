"""The rules as kernels over numpy records: interpreted at the table, compiled for search."""
