"""What a table is; pure: no database, no HTTP, no tasks."""
