"""The value network: its features, its weights and the files that Headway ships."""
