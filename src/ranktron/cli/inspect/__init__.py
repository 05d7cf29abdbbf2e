"""``ranktron inspect``: describes a model, and explains why it scores one row above another."""
