"""Notices: calls people who do not look at their tables, by web push, webhook and calendar."""
