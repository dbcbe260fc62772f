"""The value network: features, weights, and the networks shipped with Headway."""
