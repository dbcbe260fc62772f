"""What is kept: tables, accounts and results, in SQLite or PostgreSQL."""
