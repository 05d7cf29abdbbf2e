"""``ranktron warmup``: compiles the loops in advance."""
