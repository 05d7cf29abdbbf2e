"""``ranktron learn``: a run over a stream, its checkpoints, and what is shown of it."""
