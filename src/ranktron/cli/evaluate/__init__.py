"""``ranktron evaluate``: evaluates a model on labelled data."""
