"""``ranktron learn``: trains a model on a stream."""
