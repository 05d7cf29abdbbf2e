"""Model files that were written to do harm."""
