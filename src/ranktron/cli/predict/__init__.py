"""``ranktron predict``: writes predictions for rows."""
