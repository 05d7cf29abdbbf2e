"""``ranktron compare``: trains several models on one stream and ranks them by loss."""
