"""What operators do: acts, bans, notices, and the commands behind `headway admin`."""
