"""``ranktron compare``: many models in one reading, and who is best."""
