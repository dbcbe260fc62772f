"""What `headway doctor` looks at: where the server runs, and what its database says."""
