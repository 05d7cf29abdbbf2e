"""What a model is, how good it is, and why: for ``inspect``, ``evaluate`` and ``predict``."""
